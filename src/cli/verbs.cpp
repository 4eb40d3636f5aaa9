#include "cli/lab_flags.h"
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
    {"--template", "TEMPLATE",
     "default: simt_fp32 where it offers dtype, layout and arch and has the parameters that are given, else another"},
    {"--from", "NAME", "copy this candidate instead of a template"},
};

constexpr Flag kTuneFlags[] = {
    {"--name", "NAME", "the candidate that the winner becomes: lower case, digits and _", Flag::kRequired},
    {"--template", "TEMPLATE",
     "default: simt_fp32 where it offers dtype, layout and arch and has the parameters that are given, else another"},
    {"--arch", "ARCH", "sm89 or sm90; default sm90"},
    {"--dtype", "DTYPE", "fp32, fp16 or bf16; default fp32"},
    {"--layout", "LAYOUT", "nn, nt, tn or tt: A, then B; default nn"},
    {"--shape-family", "FAMILY", "small, square, large_square, tall_skinny or wide_skinny; default square"},
    {"--shape", "MxNxK", "a problem size instead of the family's own; repeatable", Flag::kRepeatable},
    {"--set", "KEY=VALUE", "pin a parameter of the template, or name the values to choose from: KEY=V1,V2; repeatable",
     Flag::kRepeatable},
    {"--budget", "BUDGET", "a number of tries, or a time such as 90s, 10m or 1h; default 200 tries"},
    {"--seed", "N", "the order of the tries and the random inputs are functions of it; default 1"},
    {"--jobs", "N", "compilers at a time; default: the number of processors"},
    {"--keep-spills", nullptr, "time sets too that spill more registers to memory than the defaults"},
    {"--exhaustive", nullptr, "drop no set before the final: slow, and the measure of what the search loses"},
    {"--restart", nullptr, "forget what an earlier run of the same search found"},
    kNvcc,
    {"--dry-run", nullptr, "only record what would be tried; needs no CUDA"},
    kTimeout,
};

constexpr Flag kImportFlags[] = {
    {"--legacy-name", "NAME", "the kernel, as the lab's manifest names it", Flag::kRequired},
    {"--name", "NAME", "the new candidate: lower case, digits and _", Flag::kRequired},
    {"--dtype", "DTYPE", "fp32, fp16 or bf16", Flag::kRequired},
    {"--arch", "ARCH", "sm89 or sm90", Flag::kRequired},
    {"--layout", "LAYOUT", "nn, nt, tn or tt: A, then B; default nn"},
    {"--shape-family", "FAMILY", "small, square, large_square, tall_skinny or wide_skinny; default square"},
    {"--manifest", "FILE", "the lab's kernels; default: kernels/lab/manifests/kernels.json"},
};

constexpr Flag kListFlags[] = {
    {"--selector", "SELECTOR", "only those of it, for example gemm/fp32/nn/square"},
    {"--arch", "ARCH", "only those for this arch"},
    {"--status", "STATUS",
     "only broken, promoted, edited, benchmarked, validated, failed, replaced, imported or created ones"},
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
    {"--max-repeats", "N",
     "most of them in all, while it is open whether it is faster; default four times --repeats, or what one evidence "
     "file holds"},
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
    {"--left", "FILE", "a path that bench or profile printed; may stand without the flag", Flag::kRequiredOrPositional},
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

constexpr Flag kManFlags[] = {{"--folder", "FOLDER", "where the pages go; made if it is missing", Flag::kRequired}};

constexpr std::span<const Flag> kNoFlags;

constexpr Verb kVerbs[] = {
    {"hpc", "doctor", "what this machine has, and what is missing", "pyc hpc doctor", kDoctorFlags, false, run_doctor},
    {"hpc", "create gemm", "make a candidate from a template or from another candidate",
     "pyc hpc create gemm --name tiled_fp32_v1 --arch sm90 --shape-family square --tile-m 16 --tile-n 16 --tile-k 16",
     kCreateFlags, true, run_create},
    {"hpc", "tune gemm", "search a template's parameters for a selector; the winner becomes a candidate",
     "pyc hpc tune gemm --name tuned_v1 --template simt_fp32 --shape-family square --budget 10m", kTuneFlags, true,
     run_tune},
    {"hpc", "list", "every candidate and how far it has come", "pyc hpc list --status validated", kListFlags, true,
     run_list},
    {"hpc", "show", "the whole story of one candidate: contract, evidence, attempts to promote it, registry, history",
     "pyc hpc show tiled_fp32_v1", kShowFlags, true, run_show},
    {"hpc", "validate", "check the results at every shape; prints the evidence path",
     "result=$(pyc hpc validate --name tiled_fp32_v1)", kValidateFlags, true, run_validate},
    {"hpc", "bench", "time it beside the incumbent and the vendor's libraries; prints the evidence path",
     "result=$(pyc hpc bench --name tiled_fp32_v1 --warmup 10 --repeats 50)", kBenchFlags, true, run_bench},
    {"hpc", "profile", "run it once under a profiler and say what the GPU did; prints the evidence path",
     "pyc hpc profile --name tiled_fp32_v1 --command \"ncu --set full {binary}\"", kProfileFlags, true, run_profile},
    {"hpc", "compare", "two benchmarks, or two profiles, side by side: is the right one slower than the left one?",
     "pyc hpc compare kernels/results/LEFT.json kernels/results/RIGHT.json", kCompareFlags, false, run_compare},
    {"hpc", "promote", "put it into the registry if the gate's seven lines hold",
     "pyc hpc promote --name tiled_fp32_v1 --validation-result \"$validation\" --benchmark-result \"$benchmark\"",
     kPromoteFlags, true, run_promote},
    {"hpc", "sync", "write the generated files from the registry", "pyc hpc sync --check", kSyncFlags, true, run_sync},
    {"hpc", "import-legacy", "copy a kernel of the lab into a candidate; it cannot be promoted until it is converted",
     "pyc hpc import-legacy --legacy-name ada_gemm_k64_warp32_async --name ada_async_import --dtype fp32 --arch sm89",
     kImportFlags, true, run_import_legacy},
    {"lab", "doctor", "whether manifest, sources, baselines, tasks and toolchain are in order", "pyc lab doctor",
     kNoFlags, true, run_lab_doctor},
    {"lab", "list", "the kernels of the manifest", "pyc lab list", kNoFlags, true, run_lab_list},
    {"lab", "show", "one kernel of the manifest, with its commands", "pyc lab show ada_gemm_k64_warp32_async",
     kLabKernelFlags, true, run_lab_show},
    {"lab", "compile", "run a kernel's compile_cmd", "pyc lab compile ada_gemm_k64_warp32_async", kLabCommandFlags,
     true, run_lab_compile},
    {"lab", "run", "run a kernel's run_cmd; prints what it prints", "pyc lab run ada_gemm_k64_warp32_async",
     kLabCommandFlags, true, run_lab_run},
    {"lab", "bench", "time a kernel's commands; prints the path of the result",
     "pyc lab bench ada_gemm_k64_warp32_async --phase both --repeats 10 --warmup 2", kLabBenchFlags, true,
     run_lab_bench},
    {"lab", "bench-suite", "time several kernels; prints the path of the result",
     "pyc lab bench-suite --tag ada --phase both --label ada-suite", kLabSuiteFlags, true, run_lab_bench_suite},
    {"lab", "bench-cmd", "time any command; prints the path of the result",
     "pyc lab bench-cmd startup \"python3 -c pass\" --repeats 20", kLabBenchCommandFlags, true, run_lab_bench_cmd},
    {"lab", "compare", "two results side by side, phase by phase", "pyc lab compare LEFT.json RIGHT.json",
     kLabCompareFlags, true, run_lab_compare},
    {"lab", "task-hardware", "what this machine is, as a task records it", "pyc lab task-hardware", kNoFlags, true,
     run_lab_task_hardware},
    {"lab", "task-create", "plan a search for a faster kernel; prints the path of the task",
     "pyc lab task-create ada-sm89-gemm --task-kind gemm --candidate-tag ada", kLabTaskCreateFlags, true,
     run_lab_task_create},
    {"lab", "task-list", "the tasks, and how far each has come", "pyc lab task-list", kNoFlags, true,
     run_lab_task_list},
    {"lab", "task-show", "one task, with its steps and its result", "pyc lab task-show ada-sm89-gemm", kLabTaskFlags,
     true, run_lab_task_show},
    {"lab", "task-run", "run the steps of a task; prints the path of the record",
     "pyc lab task-run ada-sm89-gemm --keep-going", kLabTaskRunFlags, true, run_lab_task_run},
    {"lab", "task-complete", "close a task: its winner becomes the next baseline",
     "pyc lab task-complete ada-sm89-gemm --winner ada_gemm_k64_warp32_async", kLabTaskCompleteFlags, true,
     run_lab_task_complete},
    {"completions", "bash", "the completion script for bash",
     "pyc completions bash > ~/.local/share/bash-completion/completions/pyc", kNoFlags, false, run_completions_bash},
    {"completions", "zsh", "the completion script for zsh", "pyc completions zsh > ~/.zfunc/_pyc", kNoFlags, false,
     run_completions_zsh},
    {"completions", "fish", "the completion script for fish",
     "pyc completions fish > ~/.config/fish/completions/pyc.fish", kNoFlags, false, run_completions_fish},
    {"reference", "man", "write the manual pages", "pyc reference man --folder ~/.local/share/man/man1", kManFlags,
     false, run_reference_man},
    {"reference", "markdown", "the reference of the command line as a page",
     "pyc reference markdown > docs/reference/command-line.md", kNoFlags, false, run_reference_markdown},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

std::span<const Flag> group_flags(std::string_view group) {
  return group == "lab" ? std::span<const Flag>(kLabFlags) : std::span<const Flag>();
}

}  // namespace pyc::cli
