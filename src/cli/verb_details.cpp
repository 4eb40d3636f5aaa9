#include "cli/verb_details.h"

#include <fmt/format.h>
#include <string_view>

#include "hpc/verbs.h"

namespace pyc::cli {
namespace {

struct Details {
  const char *group, *name;
  const char *text;
};

constexpr Details kDetails[] = {
    {"hpc", "import-legacy",
     R"(It copies the source, the headers beside it and the two commands. The candidate is `imported`: `validate` compiles and
runs its own program (`--timeout` bounds the whole run, 120 s by default) and records what that said; `bench`, `profile` and
`promote` refuse it. `docs/compiler-next/kernel-lab.md` converts one, start to end.)"},
    {"lab", "bench",
     R"(The times are those of the process, its start included; `best_ms` and `gflops` are what the program itself printed, the
best of all runs. The result is written, and its path printed, also if a command fails.)"},
    {"lab", "bench-suite",
     R"(A kernel that fails does not end the others; the exit code is then 5. A kernel without a command for the phase is
skipped.)"},
    {"lab", "bench-cmd",
     R"(The words are split as a shell would split them and no shell is started; braces are not placeholders here.)"},
    {"lab", "task-create",
     R"(The baseline is looked up by kind, backend and arch, then by kind, backend and `generic`. Without a GPU the arch is the
one that all candidates have as a tag. A task that exists is never written over.)"},
    {"lab", "task-run", R"(The record is written after each step. `pyc` in a step is the one that runs it.)"},
    {"lab", "task-complete",
     R"(The result of `--result-json` must hold run times of the winner. The generic baseline stays as it is.)"},
    {"hpc", "doctor",
     R"(Each line is one check: `ok`, `warning`, `missing` or `broken`, and whether `validate` and `bench` cannot do without
it. Every check that is not `ok` comes with a hint. It looks at the workspace, its write access, templates, registry and
generated files; at nvcc, the host compiler that it would call, the GPUs that `CUDA_VISIBLE_DEVICES` leaves, the driver;
at ncu and whether it may read the GPU's counters, at compute-sanitizer, CUTLASS and a BLAS. The exit code is 1 where a
required check is `missing` or `broken`.)"},
    {"hpc", "tune gemm",
     R"(It compiles and checks as many sets of parameters as the budget allows, times them in rounds that drop what is hopeless,
times the best few afresh, and prints the folder of the new candidate. `docs/tuning.md` says what is tried in which order, and
what a search costs. Every set, its figures and its reason are in `kernels/results/NAME-tuning-KEY.json`, which is written
after each step: the same command goes on where it was, and a larger `--budget` adds to it.

Without a GPU sets are compiled and not timed, without `nvcc` they are recorded; the exit code is 3 then. 1 says that no set
compiled, fitted and was right. With `--json` the document has the members `winner` (a folder, or null), `record_path` and
`record`.)"},
    {"hpc", "list",
     R"(For each kind of evidence it shows the newest that was run, and `(older source)` where that is not evidence of what is
on disk. A promoted candidate whose files have changed since is `edited`, with a warning that says what changed.)"},
    {"hpc", "show",
     R"(It tells the contract, what the compiler measured, the registry's record with the figures that the promotion rests on,
who held the place before, every attempt to promote it, and all evidence; of evidence of an older source, what has changed
since. The last line, on stderr, is the command that takes the candidate further.)"},
    {"hpc", "profile",
     R"(Without `--command` it runs `ncu` with a fixed set of sections and metrics, and shows for each launch of the candidate:
time, share of the peak of compute and memory, occupancy and what limits it, the three longest stalls, bank conflicts in
shared memory, and the hit rate of the L2. `unknown` is what was not measured. The GPU's clocks are left as they are.

The words of `--command` are split as a shell would split them; no shell is started, and nothing but placeholders is
expanded:

| placeholder | stands for |
| --- | --- |
| `{name}` | the candidate's name |
| `{source}` | its `kernel.cu`, an absolute path |
| `{candidate_dir}` | its folder |
| `{binary}` | as a word of its own: the executable and `--shape`, `--dtype` and `--layout`, so that it launches the kernel once, without flush, spin or checks. Inside a longer word: the executable's path alone |

Any other `{word}` is an error; a brace that no letter follows is itself. What such a profiler prints is kept and shown,
and not read. Whatever the profiler says, its command, output and return code are in the evidence. Exit code 3 is for a
profiler that is missing or may not look here, and for a run in which it captured no kernel; 1 for a program that failed
under it; 2 for an answer of `ncu` that cannot be read.)"},
    {"hpc", "compare",
     R"(Of two benchmarks it prints both medians at each shape, the ratio left/right (above 1 the right one is faster) with its
95 % interval, a verdict, and all that the two runs do not share. The words are those of `docs/measurement.md`:
`faster`, `slower`, `same`, `ambiguous`, `noisy`, at the gate's margin of 2 %. The runs are not paired, so each median
is resampled on its own; the interval holds the noise within the runs, and not what changed between them.
`bench --against` decides it in one run.

Exit code 1 is for `slower`: over all shapes, or at a single shape by more than 5 %. Everything else is 0. Runs on two
GPUs, also two of one model, and runs of different dtypes or layouts are shown and `not comparable`: never faster, and
slower only if the whole interval says so.

Of two profiles it prints the figures of each launch side by side, what limits occupancy, the longest stalls, and all
that the two runs do not share. One launch under a profiler carries no interval: such figures explain a difference and do
not prove one, so the verdict is `not judged` and the exit code 0. A benchmark and a profile are not compared.)"},
    {"hpc", "promote",
     R"(It prints the gate's seven lines, each with its figure, and the verdict; `docs/promotion.md` explains them. While another
`promote` or `sync` holds the registry's lock it waits, says so on stderr, and gives up after 30 s with exit code 2.)"},
    {"completions", "bash",
     R"(Bash looks in that folder; `mkdir -p` it first if it is missing. Names of candidates are asked of `pyc hpc list` when they
are needed.)"},
    {"completions", "zsh",
     R"(It takes a folder of `$fpath` and the name `_pyc`: `mkdir -p ~/.zfunc`, the command above, and in `.zshrc` the line
`fpath+=~/.zfunc; autoload -U compinit; compinit`.)"},
    {"completions", "fish", R"(Fish looks in that folder; `mkdir -p` it first if it is missing.)"},
    {"reference", "man",
     R"(One page for `pyc` and one for each verb, `pyc-hpc-bench.1` and its like, whose names are printed. `cmake --install`
puts them, and the completions, under the prefix's `share/`.)"},
    {"reference", "markdown",
     R"(This page: `pyc reference markdown > docs/reference/command-line.md`. A test compares the two.)"},
};

constexpr const char *kGeneral =
    R"(`validate`, `bench` and `profile` print the path of the evidence that they wrote: relative to the current folder if
that lies inside the workspace, else absolute. The path is printed whatever the outcome, also after a crash of the
candidate or Ctrl-C. `create` prints the new folder; `sync` prints the files that it wrote, or with `--check` those that
are out of date.

With `--json` stdout is one document (`--help` and `--version` stay text). It always has a member `error`: null, or
`kind`, `message` and `hint`. The document of `validate`, `bench` and `profile` has the members `evidence_path` and
`evidence`, the document as it is in the file.)";

}  // namespace

std::string details_of(const Verb &verb) {
  for (const Details &details : kDetails) {
    if (std::string_view(details.group) == verb.group && std::string_view(details.name) == verb.name)
      return details.text;
  }
  return {};
}

std::string general_details() { return kGeneral; }

std::string word_table(const Verb &verb) {
  if (std::string_view(verb.group) != "hpc" || std::string_view(verb.name) != "list") return {};
  std::string table = "| status | meaning |\n| --- | --- |\n";
  for (const hpc::ListStatus &status : hpc::list_statuses())
    table += fmt::format("| `{}` | {} |\n", status.name, status.meaning);
  return table;
}

}  // namespace pyc::cli
