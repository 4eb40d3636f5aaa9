#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fatal.h"
#include "operands.h"
#include "options.h"
#include "session.h"
#include "stream.h"

namespace pyc::harness {
namespace {

std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw BadRequest("the request \"" + path + "\" cannot be read");
  return text.str();
}

// The environment must not change what the vendor's fp32 means.
void fix_precision_policy() {
  setenv("CUBLAS_EMULATE_SINGLE_PRECISION", "0", 1);
  setenv("NVIDIA_TF32_OVERRIDE", "0", 1);
}

void carry_out(const Options &options, Kernel candidate, Events &events) {
  Session session{parse_request(read_file(options.request)), candidate, events, {}, {}};
  if (session.request.workspace && !candidate.workspace) {
    throw BadRequest("\"workspace\" is true, but the candidate was built without a workspace query");
  }
  session.device = open_device(session.request.compute_capability);
  session.driver = Driver::open();
  report_session(session);
  if (session.request.mode == Mode::validate)
    validate(session);
  else
    bench(session);
  events.send(Line("done"));
}

void launch_by_hand(const Options &options, Kernel candidate) {
  open_device("");
  const Stream stream;
  Operands operands(options.shape, options.dtype, options.layout, Requires{}, 0);
  operands.reseed(1);
  operands.fill_inputs(stream);
  const pyc_gemm_args sizes = operands.args(1.0f, 0.0f);
  operands.set_workspace(candidate.workspace ? candidate.workspace(&sizes) : 0, stream);
  const pyc_gemm_args args = operands.args(1.0f, 0.0f);
  for (int64_t i = 0; i < options.launches; ++i) {
    const pyc_status status = candidate.run(&args, static_cast<cudaStream_t>(stream));
    if (status != PYC_STATUS_SUCCESS) throw BadRequest("the kernel answered status " + std::to_string(status));
    PYC_CUDA(cudaGetLastError());
  }
  stream.synchronize();
}

int give_up(const Fatal &fatal, Events &events) {
  Line line("fatal");
  line.put("kind", fatal.kind).put("message", fatal.message);
  if (!fatal.call.empty()) {
    line.put("call", fatal.call).put("file", fatal.file).put("line", fatal.line).put("error", fatal.error);
  }
  events.send(line);
  std::fprintf(stderr, "harness: %s\n", fatal.message.c_str());
  if (!fatal.call.empty()) std::fprintf(stderr, "  at %s:%d: %s\n", fatal.file.c_str(), fatal.line, fatal.call.c_str());
  return fatal.exit_code;
}

}  // namespace

int run(int argc, char **argv, Kernel candidate) {
  Events events(-1);
  std::signal(SIGPIPE, SIG_IGN);  // an event that nobody reads ends the run with its own exit code
  try {
    const Options options = parse_options(argc, argv);
    events = Events(options.events_descriptor);
    fix_precision_policy();
    if (options.request.empty())
      launch_by_hand(options, candidate);
    else
      carry_out(options, candidate, events);
    return kExitDone;
  } catch (const Fatal &fatal) {
    return give_up(fatal, events);
  } catch (const BadRequest &bad) {
    return give_up({kExitBadRequest, "bad_request", bad.what(), "", "", 0, ""}, events);
  } catch (const std::exception &other) {
    return give_up({kExitCudaError, "internal", other.what(), "", "", 0, ""}, events);
  }
}

}  // namespace pyc::harness
