// The frame of HarnessTranscript: which event may come when, and for which shape. What each event carries is read in
// harness_events.cpp.
#include <fmt/format.h>
#include <iterator>

#include "base/text.h"
#include "evidence/harness_events.h"
#include "evidence/json_fields.h"

namespace pyc::evidence {
namespace {

constexpr const char *kLabel = "harness event";

tl::unexpected<Error> out_of_place(const std::string &why) {
  return fail(ErrorKind::kInvalid, fmt::format("'{}': {}", kLabel, why));
}

}  // namespace

HarnessTranscript::HarnessTranscript(const HarnessRequest &request) : request_(request) {
  const bool bench = request.mode == "bench";
  for (const HarnessRequest::RequestedShape &requested : request.shapes) {
    if (bench && !requested.timed) {
      slots_.push_back({Phase::kSkipped, 0});
      continue;
    }
    slots_.push_back({Phase::kPending, bench ? benchmarks_.size() : validations_.size()});
    if (bench) {
      ShapeBenchmark &shape = benchmarks_.emplace_back();
      shape.shape = requested.shape;
      shape.status = "unfinished";
    } else {
      ShapeValidation &shape = validations_.emplace_back();
      shape.shape = requested.shape;
      shape.timed = requested.timed;
      shape.status = "unfinished";
    }
  }
}

Status HarnessTranscript::add(std::string_view line) {
  const auto shown = [&](Error error) {
    return fail(error.kind, fmt::format("{}, in the line \"{}\"", error.message, printable(line)), error.hint);
  };
  const Result<json::Json> event = json::parse_strict(line, kLabel);
  if (!event) return shown(event.error());
  Fields fields(*event, kLabel);
  if (const Status status = handle(fields); !status) return shown(status.error());
  return {};
}

HarnessTranscript::Handler HarnessTranscript::handler_of(const std::string &event) {
  struct Row {
    const char *event;
    Handler handler;
  };
  static constexpr Row kRows[] = {
      {"session", &HarnessTranscript::on_session},
      {"launches", &HarnessTranscript::on_launches},
      {"shape_begin", &HarnessTranscript::on_shape_begin},
      {"check", &HarnessTranscript::on_check},
      {"contender", &HarnessTranscript::on_contender},
      {"samples", &HarnessTranscript::on_samples},
      {"output_check", &HarnessTranscript::on_output_check},
      {"timer", &HarnessTranscript::on_timer},
      {"shape_end", &HarnessTranscript::on_shape_end},
      {"fatal", &HarnessTranscript::on_fatal},
      {"done", &HarnessTranscript::on_done},
  };
  for (const Row &row : kRows)
    if (event == row.event) return row.handler;
  return nullptr;
}

Status HarnessTranscript::handle(Fields &fields) {
  const std::string event = fields.string("event");
  PYC_CHECK(fields.status());
  const Handler handler = handler_of(event);
  if (!handler) return out_of_place(fmt::format("'{}' is no event", printable(event)));
  if (done_) return out_of_place(fmt::format("'{}' after 'done'", event));
  if (fatal_) return out_of_place(fmt::format("'{}' after 'fatal'", event));
  if (!gpu_ && event != "session" && event != "fatal") return out_of_place(fmt::format("'{}' before 'session'", event));
  return (this->*handler)(fields);
}

Result<HarnessTranscript::Slot *> HarnessTranscript::slot(Fields &fields) {
  const std::int64_t index = fields.integer("index", 0, static_cast<std::int64_t>(slots_.size()) - 1);
  PYC_CHECK(fields.status());
  Slot &slot = slots_[static_cast<std::size_t>(index)];
  if (slot.phase == Phase::kSkipped) return out_of_place(fmt::format("shape {} is not to be timed", index));
  if (slot.phase == Phase::kEnded) return out_of_place(fmt::format("shape {} has ended", index));
  return &slot;
}

Result<ShapeValidation *> HarnessTranscript::open_validation(Fields &fields) {
  PYC_TRY(const Slot *slot, this->slot(fields));
  if (slot->phase != Phase::kOpen) return out_of_place("the shape has not begun");
  if (validations_.empty()) return out_of_place("this event belongs to a validation");
  return &validations_[slot->place];
}

Result<ShapeBenchmark *> HarnessTranscript::open_benchmark(Fields &fields) {
  PYC_TRY(const Slot *slot, this->slot(fields));
  if (slot->phase != Phase::kOpen) return out_of_place("the shape has not begun");
  if (benchmarks_.empty()) return out_of_place("this event belongs to a benchmark");
  return &benchmarks_[slot->place];
}

Status HarnessTranscript::on_shape_begin(Fields &fields) {
  PYC_TRY(Slot * slot, this->slot(fields));
  const Shape said{fields.integer("m", 1, INT64_MAX), fields.integer("n", 1, INT64_MAX),
                   fields.integer("k", 1, INT64_MAX)};
  PYC_CHECK(fields.finish());
  const Shape &asked = benchmarks_.empty() ? validations_[slot->place].shape : benchmarks_[slot->place].shape;
  if (slot->phase == Phase::kOpen) return out_of_place("the shape has begun already");
  if (!(said == asked))
    return out_of_place(fmt::format("{} was asked for, {} has begun", to_string(asked), to_string(said)));
  slot->phase = Phase::kOpen;
  return {};
}

Status HarnessTranscript::on_shape_end(Fields &fields) {
  PYC_TRY(Slot * slot, this->slot(fields));
  if (slot->phase != Phase::kOpen) return out_of_place("the shape has not begun");
  const bool bench = !benchmarks_.empty();
  const std::string status = fields.one_of("status", {bench ? "completed" : "passed", "failed"});
  const std::int64_t elapsed_ns = fields.integer("elapsed_ns", 0, INT64_MAX);
  PYC_CHECK(fields.finish());
  if (bench) {
    benchmarks_[slot->place].status = status;
    benchmarks_[slot->place].elapsed_ns = elapsed_ns;
  } else {
    ShapeValidation &shape = validations_[slot->place];
    if (status == "passed" && shape.has_failed_check())
      return out_of_place("the shape passed, but a check of it failed");
    shape.status = status;
    shape.elapsed_ns = elapsed_ns;
  }
  slot->phase = Phase::kEnded;
  ++finished_;
  return {};
}

Status HarnessTranscript::on_done(Fields &fields) {
  PYC_CHECK(fields.finish());
  const std::size_t asked = validations_.size() + benchmarks_.size();
  if (static_cast<std::size_t>(finished_) < asked)
    return out_of_place(fmt::format("done, but only {} of {} shapes have ended", finished_, asked));
  done_ = true;
  return {};
}

}  // namespace pyc::evidence
