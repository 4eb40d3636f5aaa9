#include "evidence/tuning.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "evidence/documents.h"
#include "evidence/record_fields.h"
#include "evidence/sealed_document.h"

namespace pyc::evidence {
namespace {

constexpr std::size_t kFileKeyDigits = 16;
constexpr std::int64_t kMostSets = 1 << 20;

constexpr std::array<std::pair<SetStatus, const char *>, 6> kSetStatuses = {{
    {SetStatus::kPlanned, "planned"},
    {SetStatus::kNotCompiled, "not_compiled"},
    {SetStatus::kUnfit, "unfit"},
    {SetStatus::kCompiled, "compiled"},
    {SetStatus::kWrong, "wrong"},
    {SetStatus::kValid, "valid"},
}};

SetStatus get_set_status(json::ObjectReader &fields) {
  std::vector<std::string> words;
  words.reserve(kSetStatuses.size());
  for (const auto &[status, word] : kSetStatuses) words.emplace_back(word);
  const std::string read = fields.one_of("status", words);
  for (const auto &[status, word] : kSetStatuses)
    if (read == word) return status;
  return SetStatus::kPlanned;
}

template <class Record>
json::Json listed(const std::vector<Record> &records);

json::Json to_value(const SetBuild &build) {
  return json::Json{{"elapsed_ns", build.elapsed_ns},
                    {"from_cache", build.from_cache},
                    {"registers_per_thread", build.registers_per_thread},
                    {"static_shared_bytes", build.static_shared_bytes},
                    {"spill_bytes", build.spill_bytes}};
}

SetBuild get_build(json::ObjectReader fields) {
  SetBuild build;
  build.elapsed_ns = fields.integer("elapsed_ns", 0, INT64_MAX);
  build.from_cache = fields.boolean("from_cache");
  build.registers_per_thread = static_cast<int>(fields.integer("registers_per_thread", 0, INT32_MAX));
  build.static_shared_bytes = fields.integer("static_shared_bytes", 0, INT64_MAX);
  build.spill_bytes = fields.integer("spill_bytes", 0, INT64_MAX);
  fields.finish();
  return build;
}

json::Json to_value(const SetLaunch &launch) {
  return json::Json{{"occupancy", launch.occupancy},
                    {"registers_per_thread", launch.registers_per_thread},
                    {"shared_bytes", launch.shared_bytes}};
}

SetLaunch get_launch(json::ObjectReader fields) {
  SetLaunch launch;
  launch.occupancy = fields.number("occupancy", 0, 1);
  launch.registers_per_thread = static_cast<int>(fields.integer("registers_per_thread", 0, INT32_MAX));
  launch.shared_bytes = fields.integer("shared_bytes", 0, INT64_MAX);
  fields.finish();
  return launch;
}

json::Json to_value(const TunedSet &set) {
  json::Json value = {{"number", set.number}, {"origin", set.origin}, {"parameters", set.parameters}};
  value["status"] = to_string(set.status);
  put_optional(value, "reason", set.reason);
  if (set.build) value["build"] = to_value(*set.build);
  if (set.launch) value["launch"] = to_value(*set.launch);
  return value;
}

TunedSet get_set(json::ObjectReader fields) {
  TunedSet set;
  set.number = static_cast<int>(fields.integer("number", 0, kMostSets));
  set.origin = fields.string("origin");
  json::ObjectReader parameters = fields.object("parameters");
  for (const std::string &key : parameters.keys()) set.parameters[key] = parameters.integer(key.c_str(), 0, INT32_MAX);
  parameters.finish();
  set.status = get_set_status(fields);
  set.reason = fields.optional_string("reason").value_or("");
  if (const auto build = fields.optional_object("build")) set.build = get_build(*build);
  if (const auto launch = fields.optional_object("launch")) set.launch = get_launch(*launch);
  fields.finish();
  return set;
}

json::Json to_value(const TunedArm &arm) { return json::Json{{"set", arm.set}, {"cold_ns", arm.cold_ns}}; }

json::Json to_value(const TunedShape &shape) {
  json::Json value = json::Json::object();
  put_shape(value, shape.shape);
  value["baseline_ns"] = shape.baseline_ns;
  value["arms"] = listed(shape.arms);
  if (shape.cublaslt_ns) value["cublaslt_ns"] = *shape.cublaslt_ns;
  put_optional(value, "cublaslt_detail", shape.cublaslt_detail);
  return value;
}

TunedShape get_tuned_shape(json::ObjectReader fields) {
  TunedShape shape;
  shape.shape = get_shape(fields);
  shape.baseline_ns = fields.numbers("baseline_ns");
  for (json::ObjectReader &arm : fields.objects("arms")) {
    shape.arms.push_back({static_cast<int>(arm.integer("set", 0, kMostSets)), arm.numbers("cold_ns")});
    arm.finish();
  }
  if (fields.has("cublaslt_ns")) shape.cublaslt_ns = fields.numbers("cublaslt_ns");
  shape.cublaslt_detail = fields.optional_string("cublaslt_detail").value_or("");
  fields.finish();
  return shape;
}

json::Json to_value(const TuningRun &run) { return json::Json{{"seed", run.seed}, {"shapes", listed(run.shapes)}}; }

json::Json to_value(const TuningRound &round) {
  return json::Json{{"number", round.number}, {"repeats", round.repeats}, {"runs", listed(round.runs)}};
}

template <class Record>
json::Json listed(const std::vector<Record> &records) {
  json::Json list = json::Json::array();
  for (const Record &record : records) list.push_back(to_value(record));
  return list;
}

TuningRound get_round(json::ObjectReader fields) {
  TuningRound round;
  round.number = static_cast<int>(fields.integer("number", 0, 1000));
  round.repeats = static_cast<int>(fields.integer("repeats", 1, INT32_MAX));
  for (json::ObjectReader &entry : fields.objects("runs")) {
    TuningRun &run = round.runs.emplace_back();
    run.seed = entry.unsigned_integer("seed");
    for (const json::ObjectReader &shape : entry.objects("shapes")) run.shapes.push_back(get_tuned_shape(shape));
    entry.finish();
  }
  fields.finish();
  return round;
}

void put_shapes(json::Json &document, const std::vector<Shape> &shapes) {
  json::Json &list = document["shapes"] = json::Json::array();
  for (const Shape &shape : shapes) put_shape(list.emplace_back(json::Json::object()), shape);
}

// A set that does not exist must not be named: whoever goes on from the file indexes by it.
void check_numbers(json::ObjectReader &fields, const Tuning &tuning) {
  const int count = static_cast<int>(tuning.sets.size());
  for (int i = 0; i < count; ++i)
    if (tuning.sets[static_cast<std::size_t>(i)].number != i) fields.refuse("sets", "numbers from 0 upwards");
  const auto known = [&](int set) { return set < count; };
  bool all_known = count == 0 || known(tuning.baseline);
  for (const TuningRound &round : tuning.rounds)
    for (const TuningRun &run : round.runs)
      for (const TunedShape &shape : run.shapes)
        for (const TunedArm &arm : shape.arms) all_known = all_known && known(arm.set);
  if (tuning.winner) all_known = all_known && known(tuning.winner->set);
  if (!all_known) fields.refuse("rounds", "only numbers of sets that are listed");
}

}  // namespace

std::string to_string(SetStatus status) {
  for (const auto &[entry, word] : kSetStatuses)
    if (entry == status) return word;
  return "unknown";
}

std::string to_json(const Tuning &tuning) {
  json::Json document = json::Json::object();
  document["schema"] = kTuningSchema;
  document["status"] = to_string(tuning.status);
  put_optional(document, "error", tuning.error);
  document["key"] = tuning.key;
  document["tool"] = to_value(tuning.tool);
  document["created_utc"] = tuning.created_utc;
  document["updated_utc"] = tuning.updated_utc;
  document["command"] = tuning.command;
  document["name"] = tuning.name;
  document["template"] = tuning.template_name;
  document["selector"] = tuning.selector;
  document["arch"] = tuning.arch;
  document["levels"] = tuning.levels;
  document["space_sets"] = tuning.space_sets;
  document["seed"] = tuning.seed;
  document["budget"] = tuning.budget;
  put_shapes(document, tuning.shapes);
  document["toolchain"] = to_value(tuning.toolchain);
  document["host"] = to_value(tuning.host);
  if (tuning.gpu) document["gpu"] = to_value(*tuning.gpu);
  document["elapsed_ns"] = tuning.elapsed_ns;
  document["baseline"] = tuning.baseline;
  if (tuning.winner) document["winner"] = {{"set", tuning.winner->set}, {"candidate", tuning.winner->candidate}};
  document["sets"] = listed(tuning.sets);
  document["rounds"] = listed(tuning.rounds);
  return seal(document);
}

namespace {

void get_search(json::ObjectReader &fields, Tuning &tuning) {
  tuning.name = fields.string("name");
  tuning.template_name = fields.string("template");
  tuning.selector = fields.string("selector");
  tuning.arch = fields.string("arch");
  json::ObjectReader levels = fields.object("levels");
  for (const std::string &key : levels.keys()) tuning.levels[key] = levels.integers(key.c_str(), 0, INT32_MAX);
  levels.finish();
  tuning.space_sets = fields.unsigned_integer("space_sets");
  tuning.seed = fields.unsigned_integer("seed");
  tuning.budget = fields.string("budget");
  for (json::ObjectReader &shape : fields.objects("shapes")) {
    tuning.shapes.push_back(get_shape(shape));
    shape.finish();
  }
}

void get_machine(json::ObjectReader &fields, Tuning &tuning) {
  tuning.tool = get_tool(fields.object("tool"));
  tuning.toolchain = get_toolchain(fields.object("toolchain"));
  tuning.host = get_host(fields.object("host"));
  if (const auto gpu = fields.optional_object("gpu")) tuning.gpu = get_gpu(*gpu);
}

}  // namespace

Result<Tuning> read_tuning(const std::filesystem::path &path) {
  PYC_TRY(const SealedDocument document, read_sealed(path));
  json::ObjectReader fields(document.value, path.string());
  fields.one_of("schema", {kTuningSchema});
  Tuning tuning;
  tuning.status = get_status(fields);
  tuning.error = fields.optional_string("error").value_or("");
  tuning.key = fields.string("key");
  tuning.created_utc = fields.string("created_utc");
  tuning.updated_utc = fields.string("updated_utc");
  tuning.command = fields.strings("command");
  get_search(fields, tuning);
  get_machine(fields, tuning);
  tuning.elapsed_ns = fields.integer("elapsed_ns", 0, INT64_MAX);
  tuning.baseline = static_cast<int>(fields.integer("baseline", 0, kMostSets));
  if (auto winner = fields.optional_object("winner")) {
    tuning.winner = {static_cast<int>(winner->integer("set", 0, kMostSets)), winner->string("candidate")};
    winner->finish();
  }
  for (const json::ObjectReader &set : fields.objects("sets")) tuning.sets.push_back(get_set(set));
  for (const json::ObjectReader &round : fields.objects("rounds")) tuning.rounds.push_back(get_round(round));
  check_numbers(fields, tuning);
  PYC_CHECK(finish_sealed(document, fields));
  return tuning;
}

std::string tuning_file_name(const std::string &name, const std::string &key) {
  return fmt::format("{}-tuning-{}.json", name, key.substr(0, kFileKeyDigits));
}

}  // namespace pyc::evidence
