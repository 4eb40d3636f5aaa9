#include "cli/verb.h"

namespace pyc::cli {
namespace {

constexpr Flag kName = {"--name", "NAME", "the candidate", Flag::kRequired};
constexpr Flag kNvcc = {"--nvcc", "PATH", "the CUDA compiler; default: CUDA_HOME, then PATH, then /usr/local/cuda"};
constexpr Flag kShape = {"--shape", "MxNxK", "a problem size instead of the candidate's own; repeatable",
                         Flag::kRepeatable};
constexpr Flag kSeed = {"--seed", "N", "the random inputs are a function of it; default 1"};
constexpr Flag kDryRun = {"--dry-run", nullptr, "write planned evidence only; needs no CUDA"};
constexpr Flag kTimeout = {"--timeout", "SECONDS", "how long the harness may say nothing; default 120"};

constexpr Flag kDoctorFlags[] = {kNvcc};

constexpr Flag kCreateFlags[] = {
    {"--name", "NAME", "the new candidate: lower case, digits and _", Flag::kRequired},
    {"--arch", "ARCH", "sm89 or sm90; default sm90"},
    {"--dtype", "DTYPE", "fp32, fp16 or bf16; default fp32"},
    {"--layout", "LAYOUT", "nn, nt, tn or tt: A, then B; default nn"},
    {"--shape-family", "FAMILY", "small, square, large_square, tall_skinny or wide_skinny; default square"},
    {"--tile-m", "N", "rows of C per block"},
    {"--tile-n", "N", "columns of C per block"},
    {"--tile-k", "N", "depth of one step"},
    {"--set", "KEY=VALUE", "any other parameter of the template; repeatable", Flag::kRepeatable},
    {"--template", "TEMPLATE", "default: the first that offers the dtype, layout and arch"},
    {"--from", "NAME", "copy this candidate instead of a template"},
};

constexpr Flag kListFlags[] = {
    {"--selector", "SELECTOR", "only those of it, for example gemm/fp32/nn/square"},
    {"--arch", "ARCH", "only those for this arch"},
    {"--status", "STATUS", "only broken, promoted, benchmarked, validated, failed or created ones"},
};

constexpr Flag kShowFlags[] = {
    {"--name", "NAME", "the candidate; may stand without the flag", Flag::kRequiredOrPositional}};

constexpr Flag kValidateFlags[] = {
    kName,
    kNvcc,
    kShape,
    kSeed,
    {"--quick", nullptr, "only the checks of a few calls, and say which were left out; promote refuses such evidence"},
    {"--large", nullptr, "add problems with operands of more than 2^31 elements; needs up to 40 GB of device memory"},
    {"--sanitize", nullptr, "run small problems under compute-sanitizer too"},
    kDryRun,
    kTimeout,
};

constexpr Flag kBenchFlags[] = {
    kName,
    kNvcc,
    kShape,
    {"--warmup", "N", "untimed calls per contender and shape, at least; default 10"},
    {"--repeats", "N", "cold samples per contender and shape, at least; default 50"},
    {"--max-repeats", "N", "most of them in all, while it is open whether it is faster; default four times --repeats"},
    {"--max-time", "SECONDS", "no samples are added that would take the run beyond this; default 60"},
    {"--against", "NAME", "another candidate to time in the same run; repeatable", Flag::kRepeatable},
    {"--null", nullptr, "time it against itself, without the incumbent: the machine's noise floor per shape"},
    kSeed,
    kDryRun,
    kTimeout,
};

constexpr Flag kProfileFlags[] = {
    kName,
    kNvcc,
    {"--shape", "MxNxK", "the one problem size that is profiled; default: the candidate's first"},
    {"--command", "WORDS", "a profiler of your own, with {name}, {source}, {candidate_dir} and {binary}; default: ncu"},
    {"--timeout", "SECONDS", "of the whole profile; default 600"},
};

constexpr Flag kCompareFlags[] = {
    {"--left", "FILE", "a path that bench printed; may stand without the flag", Flag::kRequiredOrPositional},
    {"--right", "FILE", "the one that is judged beside it; may stand without the flag", Flag::kRequiredOrPositional},
};

constexpr Flag kPromoteFlags[] = {
    kName,
    {"--validation-result", "FILE", "the path that validate printed", Flag::kRequired},
    {"--benchmark-result", "FILE", "the path that bench printed", Flag::kRequired},
    {"--bootstrap", nullptr, "the first kernel of its selector and arch: there is no incumbent to beat"},
    {"--max-regression", "FRACTION", "how much slower any single shape may be; default 0.05"},
    {"--explain", nullptr, "print the figures of every shape too, the number of attempts, and remarks"},
};

constexpr Flag kSyncFlags[] = {{"--check", nullptr, "write nothing; exit 1 if a generated file is out of date"}};

constexpr Verb kVerbs[] = {
    {"hpc", "doctor", "what this machine has, and what is missing", "pyc hpc doctor", kDoctorFlags, false, run_doctor},
    {"hpc", "create gemm", "make a candidate from a template or from another candidate",
     "pyc hpc create gemm --name tiled_fp32_v1 --arch sm90 --shape-family square --tile-m 16 --tile-n 16 --tile-k 16",
     kCreateFlags, true, run_create},
    {"hpc", "list", "every candidate and how far it has come", "pyc hpc list --status validated", kListFlags, true,
     run_list},
    {"hpc", "show", "one candidate, its evidence and its registry entry", "pyc hpc show tiled_fp32_v1", kShowFlags,
     true, run_show},
    {"hpc", "validate", "check the results at every shape; prints the evidence path",
     "result=$(pyc hpc validate --name tiled_fp32_v1)", kValidateFlags, true, run_validate},
    {"hpc", "bench", "time it beside the incumbent and the vendor's libraries; prints the evidence path",
     "result=$(pyc hpc bench --name tiled_fp32_v1 --warmup 10 --repeats 50)", kBenchFlags, true, run_bench},
    {"hpc", "profile", "run it once under a profiler and say what the GPU did; prints the evidence path",
     "pyc hpc profile --name tiled_fp32_v1 --command \"ncu --set full {binary}\"", kProfileFlags, true, run_profile},
    {"hpc", "compare", "two benchmarks side by side: is the right one slower than the left one?",
     "pyc hpc compare kernels/results/LEFT.json kernels/results/RIGHT.json", kCompareFlags, false, run_compare},
    {"hpc", "promote", "put it into the registry if the gate's seven lines hold",
     "pyc hpc promote --name tiled_fp32_v1 --validation-result \"$validation\" --benchmark-result \"$benchmark\"",
     kPromoteFlags, true, run_promote},
    {"hpc", "sync", "write the generated files from the registry", "pyc hpc sync --check", kSyncFlags, true, run_sync},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace pyc::cli
