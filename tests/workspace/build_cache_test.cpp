#include "workspace/build_cache.h"

#include <csignal>
#include <gtest/gtest.h>
#include <thread>

#include "base/process.h"
#include "base/text.h"
#include "tests/workspace/sample_workspace.h"

namespace pyc::workspace {
namespace {

namespace fs = std::filesystem;
using pyc::test::slurp;
using test::SampleWorkspace;

const BuildProgress kSilent = [](const std::string &) {};

// A compiler that notes its calls in `calls` and writes what -o names. `extra` runs before that.
struct FakeNvcc {
  explicit FakeNvcc(const SampleWorkspace &sample, const std::string &extra = "") : sample_(sample) { says(extra); }

  void says(const std::string &extra) {
    nvcc.path = sample_.folder().write_program(
        "nvcc", "echo \"$*\" >> " + (sample_ / "calls").string() + "\n" + extra +
                    "\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo made > \"$2\"; shift; done\necho ptxas info");
    nvcc.toolkit = "/usr/local/cuda";
    nvcc.version = "13.0.88";
    nvcc.arches = {"compute_89", "compute_90", "compute_90a"};
    nvcc.host_compiler = "g++ 12.2.0";
  }

  std::vector<std::string> calls() const {
    std::vector<std::string> lines = split(slurp(sample_ / "calls"), '\n');
    lines.pop_back();
    return lines;
  }
  std::size_t calls_with(const std::string &word) const {
    std::size_t count = 0;
    for (const std::string &call : calls()) count += call.find(word) != call.npos;
    return count;
  }

  toolchain::Nvcc nvcc;

 private:
  const SampleWorkspace &sample_;
};

const toolchain::Arch &sm90() { return *toolchain::find_arch("sm90"); }

Result<CandidateBuild> build(const SampleWorkspace &sample, const toolchain::Nvcc &nvcc,
                             const std::string &name = "tiled") {
  PYC_TRY(const HarnessBuild harness, build_harness(sample.workspace(), nvcc, sm90(), kSilent));
  PYC_TRY(const Candidate candidate, read_candidate(sample.workspace(), name));
  return build_candidate(sample.workspace(), candidate, nvcc, harness, kSilent);
}

// Names under kernels/.build but the locks.
std::vector<std::string> cached(const SampleWorkspace &sample) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(sample / "kernels/.build")) {
    if (entry.path().filename() != "locks") names.push_back(entry.path().filename());
  }
  return names;
}

TEST(BuildCache, MakesExecutableLibraryAndLog) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample);
  const auto built = build(sample, fake.nvcc);
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_FALSE(built->from_cache);
  EXPECT_EQ(built->folder.parent_path(), sample / "kernels/.build");
  EXPECT_EQ(built->folder.filename().string().size(), 32u);
  EXPECT_EQ(built->executable, built->folder / "tiled");
  for (const char *name : {"tiled", "kernel.so", "kernel.o", "harness.o", "build.log", "build.json"}) {
    EXPECT_TRUE(fs::exists(built->folder / name)) << name;
  }
  EXPECT_NE(built->compiler_log.find("ptxas info"), std::string::npos);
  EXPECT_EQ(built->flags, kernel_flags(sm90()));
  EXPECT_NE(slurp(built->folder / "build.json").find((built->folder / "kernel.so").string()), std::string::npos)
      << "the commands name the folder that can be found later";
  EXPECT_EQ(cached(sample).size(), 2u);
}

TEST(BuildCache, KernelMeetsTheCompilerOnceWithTheRecipe) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample);
  ASSERT_TRUE(build(sample, fake.nvcc));
  EXPECT_EQ(fake.calls_with("tiled/kernel.cu"), 1u);
  EXPECT_EQ(fake.calls_with(join(kernel_flags(sm90()), " ") + " -I include -Xptxas=-v -Xcompiler=-fPIC -c"), 1u);
  EXPECT_EQ(fake.calls_with("tiled/harness.cu"), 1u);
  EXPECT_EQ(fake.calls_with("-shared"), 1u);
  EXPECT_EQ(fake.calls_with("kernels/harness/run.cpp"), 1u);
  EXPECT_EQ(fake.calls_with("kernels/harness/compare.cu"), 1u);
  EXPECT_EQ(fake.calls_with("-lib"), 1u);
  EXPECT_EQ(fake.calls().size(), 7u);
}

TEST(BuildCache, ASecondBuildStartsNoCompiler) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  FakeNvcc fake(sample);
  const auto first = build(sample, fake.nvcc);
  ASSERT_TRUE(first) << first.error().message;
  fs::remove(sample / "nvcc");
  const auto second = build(sample, fake.nvcc);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(second->folder, first->folder);
  EXPECT_EQ(second->compiler_log, first->compiler_log);
}

TEST(BuildCache, AHitNeedsNoWritePermission) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample);
  ASSERT_TRUE(build(sample, fake.nvcc));
  fs::remove_all(sample / "kernels/.build/locks");
  fs::permissions(sample / "kernels/.build", fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(build(sample, fake.nvcc));
  EXPECT_FALSE(fs::exists(sample / "kernels/.build/locks"));
  fs::permissions(sample / "kernels/.build", fs::perms::owner_all);
}

TEST(BuildCache, EveryInputHasAFolderOfItsOwn) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  FakeNvcc fake(sample);
  std::vector<fs::path> folders;
  const auto add = [&] {
    const auto built = build(sample, fake.nvcc);
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_FALSE(built->from_cache);
    folders.push_back(built->folder);
  };
  add();
  fake.nvcc.version = "13.1.0", add();
  fake.nvcc.toolkit = "/opt/cuda", add();
  fake.nvcc.host_compiler = "g++ 13", add();
  sample.write("kernels/harness/run.cpp", "// engine"), add();
  sample.write("kernels/prototypes/tiled/kernel.cu", "// kernel"), add();
  std::sort(folders.begin(), folders.end());
  EXPECT_EQ(std::adjacent_find(folders.begin(), folders.end()), folders.end());
}

TEST(BuildCache, TheHarnessIsSharedBetweenCandidates) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  sample.add_candidate("other");
  const FakeNvcc fake(sample);
  ASSERT_TRUE(build(sample, fake.nvcc, "tiled"));
  ASSERT_TRUE(build(sample, fake.nvcc, "other"));
  EXPECT_EQ(fake.calls_with("kernels/harness/run.cpp"), 1u);
}

TEST(BuildCache, ACompileErrorIsToldWholeAndLeavesNoFolder) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample,
                      "case \"$*\" in *tiled/kernel.cu*) echo 'kernel.cu(3): error: expected a \";\"' >&2; echo 1 "
                      "error; exit 2;; esac");
  const auto built = build(sample, fake.nvcc);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().kind, ErrorKind::kNo);
  EXPECT_NE(built.error().message.find("kernels/prototypes/tiled/kernel.cu' does not compile"), std::string::npos);
  EXPECT_NE(built.error().message.find("1 error\nkernel.cu(3): error: expected a \";\"\n"), std::string::npos);
  EXPECT_EQ(cached(sample).size(), 1u) << "the harness alone";
}

TEST(BuildCache, AHarnessThatDoesNotCompileIsNoVerdictOnTheCandidate) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample, "case \"$*\" in *harness/run.cpp*) exit 2;; esac");
  const auto built = build(sample, fake.nvcc);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().kind, ErrorKind::kInternal) << built.error().message;
}

TEST(BuildCache, AKilledCompilerIsToldApartAndLeavesNoFolder) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample, "case \"$*\" in *tiled/kernel.cu*) kill -9 $$;; esac");
  const auto built = build(sample, fake.nvcc);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().kind, ErrorKind::kInternal);
  EXPECT_NE(built.error().message.find("killed"), std::string::npos);
  EXPECT_EQ(cached(sample).size(), 1u);
}

TEST(BuildCache, AFullDiskIsNoVerdictOnTheCandidate) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample,
                      "case \"$*\" in *tiled/kernel.cu*) echo 'Fatal error: kernel.o: No space left on device' >&2; "
                      "exit 1;; esac");
  const auto built = build(sample, fake.nvcc);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().kind, ErrorKind::kInternal) << built.error().message;
  EXPECT_NE(built.error().message.find("disk is full"), std::string::npos) << built.error().message;
  EXPECT_EQ(cached(sample).size(), 1u);
}

TEST(BuildCache, ACompilerThatWritesNothingIsFoundOut) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample, "case \"$*\" in *-shared*) exit 0;; esac");
  const auto built = build(sample, fake.nvcc);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().kind, ErrorKind::kInternal);
  EXPECT_NE(built.error().message.find("'kernel.so'"), std::string::npos);
  EXPECT_EQ(cached(sample).size(), 1u);
}

TEST(BuildCache, ASourceThatChangesWhileItIsCompiledIsNotKept) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample,
                      "case \"$*\" in *tiled/kernel.cu*) echo '//' >> kernels/prototypes/tiled/kernel.cu;; esac");
  const auto built = build(sample, fake.nvcc);
  ASSERT_FALSE(built);
  EXPECT_NE(built.error().message.find("changed while it was compiled"), std::string::npos) << built.error().message;
  EXPECT_EQ(cached(sample).size(), 1u);
}

// The fake compiler of the first build plays the winner: it moves a whole folder into place before the link ends.
TEST(BuildCache, LoserOfARaceKeepsTheWinnersFolder) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  FakeNvcc fake(sample);
  const auto winner = build(sample, fake.nvcc);
  ASSERT_TRUE(winner) << winner.error().message;
  const fs::path aside = sample / "aside";
  fs::rename(winner->folder, aside);
  sample.write("aside/build.log", "the winner's log");
  fake.says("case \"$*\" in *-shared*) mv " + aside.string() + " " + winner->folder.string() + ";; esac");
  const auto loser = build(sample, fake.nvcc);
  ASSERT_TRUE(loser) << loser.error().message;
  EXPECT_EQ(loser->folder, winner->folder);
  EXPECT_EQ(loser->compiler_log, "the winner's log");
  EXPECT_EQ(cached(sample).size(), 2u) << "the loser's staged folder is gone";
}

TEST(BuildCache, TwoBuildsAtTheSameTimeCompileOnce) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample, "sleep 0.1");
  std::vector<std::jthread> threads;
  std::atomic<int> succeeded{0};
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { succeeded += build(sample, fake.nvcc).has_value(); });
  threads.clear();
  EXPECT_EQ(succeeded, 4);
  EXPECT_EQ(fake.calls().size(), 7u);
}

TEST(BuildCache, AFolderThatLostAFileIsBuiltAgain) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample);
  const auto first = build(sample, fake.nvcc);
  ASSERT_TRUE(first) << first.error().message;
  fs::remove(first->executable);
  const auto second = build(sample, fake.nvcc);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_FALSE(second->from_cache);
  EXPECT_TRUE(fs::exists(second->executable));
}

TEST(BuildCache, AnArchThatNvccCannotTargetIsUnavailable) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  FakeNvcc fake(sample);
  fake.nvcc.arches = {"compute_89"};
  const auto built = build(sample, fake.nvcc);
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().kind, ErrorKind::kUnavailable);
  EXPECT_FALSE(fs::exists(sample / "calls"));
}

TEST(BuildCache, TheListOfHarnessSourcesNamesFilesBesideIt) {
  const SampleWorkspace sample;
  const FakeNvcc fake(sample);
  for (const char *bad : {"../run.cpp\n", "run.cpp; rm\n", "run.h\n", "", "# only a comment\n"}) {
    sample.write("kernels/harness/sources.txt", bad);
    const auto built = build_harness(sample.workspace(), fake.nvcc, sm90(), kSilent);
    ASSERT_FALSE(built) << bad;
    EXPECT_EQ(built.error().kind, ErrorKind::kInvalid) << bad;
    EXPECT_NE(built.error().message.find("sources.txt"), std::string::npos) << bad;
  }
}

// The interrupt flag cannot be taken back, so the build runs in a process of its own.
TEST(BuildCache, AnInterruptLeavesNoHalfBuiltFolder) {
  const SampleWorkspace sample;
  sample.add_candidate("tiled");
  const FakeNvcc fake(sample, "case \"$*\" in *tiled/kernel.cu*) sleep 60;; esac");
  EXPECT_EXIT(
      {
        install_interrupt_handler();
        std::jthread interrupter([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(700));
          std::raise(SIGINT);
        });
        const auto built = build(sample, fake.nvcc);
        std::_Exit(!built && built.error().kind == ErrorKind::kInterrupted ? 7 : 1);
      },
      testing::ExitedWithCode(7), "");
  EXPECT_EQ(cached(sample).size(), 1u);
}

}  // namespace
}  // namespace pyc::workspace
