#include "toolchain/nvcc.h"

#include <gtest/gtest.h>

#include "tests/toolchain/fake_machine.h"

namespace {

namespace fs = std::filesystem;
using namespace pyc::toolchain;
using pyc::ErrorKind;
using pyc::test::contains;
using pyc::test::FakeMachine;
using pyc::test::print;

constexpr char kArches[] = "compute_75\ncompute_80\ncompute_89\ncompute_90\ncompute_100";

pyc::Error error_of(const FakeMachine &machine, const fs::path &requested = {}) {
  const auto nvcc = find_nvcc(requested, machine.environment);
  EXPECT_FALSE(nvcc);
  return nvcc ? pyc::Error{} : nvcc.error();
}

TEST(FindNvcc, TellsVersionArchitecturesAndHostCompiler) {
  FakeMachine machine;
  machine.nvcc("bin/nvcc", "13.0", "13.0.88", kArches);
  machine.program("bin/g++", print("g++ (Debian 12.2.0-14) 12.2.0\nCopyright"));
  const auto nvcc = find_nvcc({}, machine.environment).value();
  EXPECT_EQ(nvcc.version, "13.0.88");
  EXPECT_EQ(nvcc.path, machine.folder / "bin/nvcc");
  EXPECT_EQ(nvcc.toolkit, fs::canonical(machine.folder.path()));
  EXPECT_EQ(nvcc.arches.size(), 5u);
  EXPECT_EQ(nvcc.host_compiler, "g++ (Debian 12.2.0-14) 12.2.0");
}

TEST(FindNvcc, PrefersTheRequestThenCudaHomeThenPathThenTheUsualPlace) {
  FakeMachine machine;
  const auto usual = machine.nvcc("usr/local/cuda/bin/nvcc", "12.4", "12.4.1", kArches);
  EXPECT_EQ(find_nvcc({}, machine.environment)->path, usual);
  const auto in_path = machine.nvcc("bin/nvcc", "12.5", "12.5.1", kArches);
  EXPECT_EQ(find_nvcc({}, machine.environment)->path, in_path);
  const auto home = machine.nvcc("home/bin/nvcc", "12.6", "12.6.1", kArches);
  machine.environment.cuda_home = (machine.folder / "home").string();
  EXPECT_EQ(find_nvcc({}, machine.environment)->path, home);
  const auto other = machine.nvcc("other/bin/nvcc", "13.1", "13.1.1", kArches);
  EXPECT_EQ(find_nvcc(other, machine.environment)->version, "13.1.1");
  EXPECT_EQ(find_nvcc(machine.folder / "other", machine.environment)->version, "13.1.1") << "a toolkit's folder";
  EXPECT_EQ(find_nvcc("nvcc", machine.environment)->path, in_path) << "a bare name";
}

TEST(FindNvcc, ARequestThatDoesNotExistIsNotReplacedByAnother) {
  FakeMachine machine;
  machine.nvcc("bin/nvcc", "13.0", "13.0.88", kArches);
  EXPECT_TRUE(contains(error_of(machine, "/no/such/nvcc").message, "--nvcc '/no/such/nvcc'"));
}

TEST(FindNvcc, NamesEveryPlaceThatItLookedAt) {
  FakeMachine machine;
  machine.environment.path = "/nonexistent";
  machine.environment.cuda_home = "/opt/no-cuda";
  const auto error = error_of(machine);
  EXPECT_EQ(error.kind, ErrorKind::kUnavailable);
  for (const std::string &place : {std::string("/opt/no-cuda"), std::string("PATH '/nonexistent'"),
                                   (machine.folder / "usr/local/cuda/bin/nvcc").string()}) {
    EXPECT_TRUE(contains(error.message, place)) << error.message;
  }
  EXPECT_TRUE(contains(error.hint, "12.4"));
}

TEST(FindNvcc, FollowsLinksToTheToolkit) {
  FakeMachine machine;
  machine.nvcc("opt/cuda-13.0/bin/nvcc", "13.0", "13.0.88", kArches);
  fs::create_directories(machine.folder / "bin");
  fs::create_symlink(machine.folder / "opt/cuda-13.0/bin/nvcc", machine.folder / "bin/nvcc");
  EXPECT_EQ(find_nvcc({}, machine.environment)->toolkit, fs::canonical(machine.folder / "opt/cuda-13.0"));
}

// A distribution's 12.0 in /usr/bin in front of a newer toolkit.
TEST(FindNvcc, AnOldOneThatShadowsANewerIsNamedWithTheNewer) {
  FakeMachine machine;
  const auto old = machine.nvcc("bin/nvcc", "12.0", "12.0.140", kArches);
  const auto newer = machine.nvcc("usr/local/cuda/bin/nvcc", "12.9", "12.9.41", kArches);
  const auto error = error_of(machine);
  EXPECT_EQ(error.kind, ErrorKind::kUnavailable);
  for (const std::string &part : {std::string("12.0.140"), std::string("12.4"), old.string()}) {
    EXPECT_TRUE(contains(error.message, part)) << error.message;
  }
  EXPECT_TRUE(contains(error.hint, newer.string())) << error.hint;
}

TEST(FindNvcc, TheOldestVersionIsComparedAsNumbers) {
  for (const auto &[release, accepted] : std::vector<std::pair<std::string, bool>>{
           {"11.8", false}, {"12.3", false}, {"12.4", true}, {"12.10", true}, {"13.0", true}, {"9.2", false}}) {
    FakeMachine machine;
    machine.nvcc("bin/nvcc", release, release + ".1", kArches);
    EXPECT_EQ(find_nvcc({}, machine.environment).has_value(), accepted) << release;
  }
}

TEST(FindNvcc, OneThatAnswersGarbageIsQuoted) {
  for (const char *garbage : {"", "clang version 17.0.6", "release 13, V13", "\x1b[31m\xFF\xFE"}) {
    FakeMachine machine;
    machine.program("bin/nvcc", print(garbage));
    const auto error = error_of(machine);
    EXPECT_EQ(error.kind, ErrorKind::kUnavailable);
    EXPECT_TRUE(contains(error.message, "bin/nvcc")) << error.message;
    EXPECT_FALSE(contains(error.message, "\x1b"));
  }
}

TEST(FindNvcc, OneThatFailsIsToldInItsOwnWords) {
  FakeMachine machine;
  machine.program("bin/nvcc", "echo 'nvcc: cannot open shared object file libfoo.so' >&2; exit 127");
  EXPECT_TRUE(contains(error_of(machine).message, "exit code 127: nvcc: cannot open shared object"));
  machine.program("bin/nvcc", "[ $1 = --version ] || exit 1\n" + print(pyc::test::nvcc_banner("13.0", "13.0.88")));
  EXPECT_TRUE(contains(error_of(machine).message, "--list-gpu-arch"));
}

TEST(FindNvcc, OneOfAnotherArchitectureIsAnError) {
  FakeMachine machine;
  const auto path = machine.program("bin/nvcc", "");
  machine.folder.write("bin/nvcc", std::string("\x7F"
                                               "ELF\x02\x01\x01",
                                               7) +
                                       std::string(100, '\0'));
  EXPECT_EQ(error_of(machine).kind, ErrorKind::kUnavailable);
}

TEST(FindNvcc, LinesThatAreNoArchitectureAreNotTakenForOne) {
  FakeMachine machine;
  machine.nvcc(
      "bin/nvcc", "13.0", "13.0.88",
      "wrapper: using cache\nNo CUDA devices found.\n  compute_90  \ncompute_90a\nsm_90\ncompute_90; rm -rf /");
  EXPECT_EQ(find_nvcc({}, machine.environment)->arches, (std::vector<std::string>{"compute_90", "compute_90a"}));
}

TEST(FindNvcc, AMissingHostCompilerIsUnknownNotAFailure) {
  FakeMachine machine;
  machine.program("bin/g++", "exit 1");
  machine.nvcc("bin/nvcc", "13.0", "13.0.88", kArches);
  EXPECT_EQ(find_nvcc({}, machine.environment)->host_compiler, "unknown");
}

Nvcc nvcc_with(std::vector<std::string> arches) { return {"/opt/cuda/bin/nvcc", "/opt/cuda", "12.9.41", arches, ""}; }

TEST(RequireArch, AcceptsTheArchOrItsPlainFormBecauseReleasesListEither) {
  const Arch &sm90 = *find_arch("sm90"), &sm89 = *find_arch("sm89");
  EXPECT_TRUE(require_arch(nvcc_with({"compute_90a"}), sm90));
  EXPECT_TRUE(require_arch(nvcc_with({"compute_90"}), sm90));
  EXPECT_TRUE(require_arch(nvcc_with({"compute_80", "compute_89"}), sm89));
}

TEST(RequireArch, RefusesWithBothSides) {
  const auto status = require_arch(nvcc_with({"compute_100", "compute_103a"}), *find_arch("sm90"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  for (const char *part : {"12.9.41", "sm90", "compute_90a", "compute_103a"}) {
    EXPECT_TRUE(contains(status.error().message, part)) << status.error().message;
  }
  EXPECT_FALSE(require_arch(nvcc_with({"compute_8", "compute_890"}), *find_arch("sm89")));
  EXPECT_FALSE(require_arch(nvcc_with({}), *find_arch("sm89")));
}

TEST(LibraryFolders, AreThoseThatExistEachOnce) {
  const pyc::test::TemporaryFolder folder;
  fs::create_directories(folder / "cu/targets/x86_64-linux/lib");
  fs::create_directories(folder / "cublas/lib");
  fs::create_directory_symlink("targets/x86_64-linux/lib", folder / "cu/lib64");
  Nvcc nvcc = nvcc_with({});
  nvcc.toolkit = folder / "cu";
  const fs::path root = fs::canonical(folder.path());
  EXPECT_EQ(library_folders(nvcc), (std::vector<fs::path>{root / "cu/targets/x86_64-linux/lib", root / "cublas/lib"}));
  nvcc.toolkit = "/nonexistent";
  EXPECT_TRUE(library_folders(nvcc).empty());
}

}  // namespace
