#include "arms.h"

namespace pyc::harness {
namespace {

constexpr const char *kControlSuffix = "_control";

Arm make_arm(const Entrant &entrant, size_t number) {
  Arm arm;
  arm.number = static_cast<int>(number);
  arm.role = entrant.role, arm.name = entrant.name, arm.reason = entrant.reason;
  arm.contender = entrant.contender.get();
  return arm;
}

void report_series(Events &events, int index, const Arm &arm, const char *cache, const Series &series) {
  bool clocks_known = true;
  for (const double clock : series.sm_clock_mhz) clocks_known = clocks_known && clock > 0;
  Line line("samples");
  line.put("index", index).put("arm", arm.number).put("cache", cache).put_list("time_ns", series.time_ns);
  line.put_list("order", series.order);
  line.put_list("sm_clock_mhz", clocks_known ? series.sm_clock_mhz : std::vector<double>{});
  line.put("retaken", series.retaken);
  events.send(line);
}

}  // namespace

std::vector<Entrant> open_entrants(const Session &session) {
  std::vector<Entrant> entrants;
  entrants.push_back({"candidate", session.candidate.symbol, "", make_candidate(session)});
  for (const ContenderRequest &request : session.request.contenders) entrants.push_back(open_library(request));
  entrants.push_back(open_cublaslt(session));
  entrants.push_back(open_cublas(session));
  return entrants;
}

std::vector<Arm> make_arms(const std::vector<Entrant> &entrants) {
  std::vector<Arm> arms;
  size_t controlled = 0;
  for (const Entrant &entrant : entrants) {
    if (entrant.role == "incumbent" && entrant.contender && controlled == 0) controlled = arms.size();
    arms.push_back(make_arm(entrant, arms.size()));
  }
  Arm control = make_arm(entrants[controlled], arms.size());
  control.role += kControlSuffix;
  arms.push_back(control);
  return arms;
}

bool is_control(const Arm &arm) { return arm.role.find(kControlSuffix) != std::string::npos; }

void report_arm(Events &events, int index, const Arm &arm) {
  const bool ready = arm.reason.empty();
  Line line("contender");
  line.put("index", index).put("arm", arm.number).put("role", arm.role).put("name", arm.name);
  line.put("status", ready ? "ready" : "unavailable").put("reason", arm.reason);
  line.put("detail", ready ? arm.contender->detail() : "");
  line.put("algorithms_measured", ready ? arm.contender->algorithms_measured() : 0);
  events.send(line);
}

void report_samples(Events &events, int index, const Arm &arm) {
  report_series(events, index, arm, "cold", arm.cold);
  report_series(events, index, arm, "warm", arm.warm);
}

}  // namespace pyc::harness
