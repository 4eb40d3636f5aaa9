// Flags of `pyc lab`, as rows for the table of verbs.
#pragma once

#include "cli/flags.h"

namespace pyc::cli {

// May stand before the verb too.
constexpr Flag kLabFlags[] = {
    {"--manifest", "FILE", "the kernels; default: kernels/lab/manifests/kernels.json"},
    {"--baseline-manifest", "FILE", "the baselines; default: kernels/lab/manifests/task_baselines.json"},
    {"--task-dir", "FOLDER", "the tasks; default: kernels/lab/tasks"},
    {"--task-run-dir", "FOLDER", "the records of task-run; default: kernels/lab/tasks/runs"},
    {"--build-dir", "FOLDER", "what {build_dir} stands for; default: kernels/lab/build"},
    {"--results-dir", "FOLDER", "where results are written; default: kernels/lab/results"},
    {"--nvcc", "PATH", "what {nvcc} stands for; default: CUDA_HOME, then PATH, then /usr/local/cuda"},
};

constexpr Flag kLabKernel = {"--name", "NAME", "a kernel of the manifest; may stand without the flag",
                             Flag::kRequiredOrPositional};
constexpr Flag kLabTask = {"--name", "NAME", "the task; may stand without the flag", Flag::kRequiredOrPositional};
constexpr Flag kLabTimeout = {"--timeout", "SECONDS", "how long one command may take; default 600"};
constexpr Flag kLabRepeats = {"--repeats", "N", "timed runs of the command; default 10"};
constexpr Flag kLabWarmup = {"--warmup", "N", "runs before them that are not timed; default 2"};
constexpr Flag kLabProgress = {"--progress", nullptr, "a line on stderr for each run, also where it is no terminal"};

constexpr Flag kLabKernelFlags[] = {kLabKernel};
constexpr Flag kLabCommandFlags[] = {kLabKernel, kLabTimeout};
constexpr Flag kLabBenchFlags[] = {
    kLabKernel,  {"--phase", "PHASE", "compile, run or both; default compile"}, kLabRepeats, kLabWarmup, kLabProgress,
    kLabTimeout,
};
constexpr Flag kLabSuiteFlags[] = {
    {"--tag", "TAG", "kernels with this tag, or one of several; repeatable", Flag::kRepeatable},
    {"--name", "NAME", "this kernel, or one of several; repeatable; with --tag both must hold", Flag::kRepeatable},
    {"--phase", "PHASE", "compile, run or both; default both"},
    kLabRepeats,
    kLabWarmup,
    {"--dry-run", nullptr, "write down what would be run, and run nothing"},
    {"--label", "LABEL", "the beginning of the result's file name; default kernel-suite"},
    kLabProgress,
    kLabTimeout,
};
constexpr Flag kLabBenchCommandFlags[] = {
    {"--label", "LABEL", "the beginning of the result's file name; may stand without the flag",
     Flag::kRequiredOrPositional},
    {"--command", "WORDS", "what is run, as one argument; may stand without the flag", Flag::kRequiredOrPositional},
    kLabRepeats,
    kLabWarmup,
    kLabProgress,
    kLabTimeout,
};
constexpr Flag kLabCompareFlags[] = {
    {"--left", "FILE", "a path that a bench verb printed; may stand without the flag", Flag::kRequiredOrPositional},
    {"--right", "FILE", "the result beside it; may stand without the flag", Flag::kRequiredOrPositional},
};
constexpr Flag kLabTaskFlags[] = {kLabTask};
constexpr Flag kLabTaskCreateFlags[] = {
    {"--name", "NAME", "the new task; may stand without the flag", Flag::kRequiredOrPositional},
    {"--task-kind", "KIND", "the kind of work, with which baselines are found; default gemm"},
    {"--objective", "TEXT", "what the task is for; default: beat the baseline on this hardware"},
    {"--baseline", "NAME", "the kernel to beat; default: what the baselines say for kind, backend and arch"},
    {"--control-kernel", "NAME", "a kernel that is timed beside them to show the ceiling, such as a vendor's library"},
    {"--candidate-tag", "TAG", "candidates are the kernels with this tag; repeatable", Flag::kRepeatable},
    {"--candidate-name", "NAME", "this kernel is a candidate; repeatable; with --candidate-tag both must hold",
     Flag::kRepeatable},
    {"--target-tflops-min", "NUMBER", "the throughput that the winner should reach at least"},
    {"--target-tflops-max", "NUMBER", "the throughput that is thought possible"},
    {"--repeats", "N", "of each benchmark in the plan; default 10"},
    {"--warmup", "N", "of each benchmark in the plan; default 2"},
};
constexpr Flag kLabTaskRunFlags[] = {
    kLabTask,
    {"--keep-going", nullptr, "run the steps behind one that failed too"},
    {"--dry-run", nullptr, "write the record with the planned steps, and run none"},
    {"--progress", nullptr, "a line on stderr for each step, also where it is no terminal"},
    {"--timeout", "SECONDS", "how long one step may take; default 3600"},
};
constexpr Flag kLabTaskCompleteFlags[] = {
    kLabTask,
    {"--winner", "NAME", "the kernel that becomes the next baseline", Flag::kRequired},
    {"--result-json", "FILE", "the result that shows it, one that a bench verb wrote"},
    {"--notes", "TEXT", "why it won"},
};

}  // namespace pyc::cli
