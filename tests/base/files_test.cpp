#include "base/files.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/base/temporary_folder.h"

namespace {

namespace fs = std::filesystem;
using pyc::ErrorKind;
using pyc::test::slurp;
using pyc::test::TemporaryFolder;

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

// While it lives, files of this process cannot grow beyond `bytes`: what a write meets on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limited = before_;
    limited.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST(ReadFile, GivesTheBytes) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\xFF\r\n", 6);
  EXPECT_EQ(pyc::read_file(folder.write("x", bytes)).value(), bytes);
  EXPECT_EQ(pyc::read_file(folder.write("empty", "")).value(), "");
}

TEST(ReadFile, ReadsFilesWhoseSizeIsNotKnown) { EXPECT_FALSE(pyc::read_file("/proc/self/status").value().empty()); }

TEST(ReadFile, TheLimitItselfIsStillRead) {
  const TemporaryFolder folder;
  EXPECT_TRUE(pyc::read_file(folder.write("x", "12345"), 5));
  const auto refused = pyc::read_file(folder.write("x", "123456"), 5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInvalid);
  EXPECT_TRUE(contains(refused.error().message, "larger than 5 bytes")) << refused.error().message;
}

TEST(ReadFile, AHugeSparseFileIsRefusedUnread) {
  const TemporaryFolder folder;
  const auto path = folder.write("huge", "");
  fs::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_FALSE(pyc::read_file(path));
}

TEST(ReadFile, RefusesFoldersFifosAndDevicesWithoutWaiting) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  for (const fs::path &path : {folder.path(), folder / "fifo", fs::path("/dev/zero"), folder / "absent"}) {
    const auto contents = pyc::read_file(path);
    ASSERT_FALSE(contents) << path;
    EXPECT_EQ(contents.error().kind, ErrorKind::kInvalid);
    EXPECT_TRUE(contains(contents.error().message, path.string())) << contents.error().message;
  }
}

TEST(WriteFileAtomic, CreatesAndReplaces) {
  const TemporaryFolder folder;
  ASSERT_TRUE(pyc::write_file_atomic(folder / "x", "old"));
  ASSERT_TRUE(pyc::write_file_atomic(folder / "x", "new"));
  EXPECT_EQ(slurp(folder / "x"), "new");
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"x"});
}

TEST(WriteFileAtomic, KeepsTheModeOfTheFileItReplaces) {
  const TemporaryFolder folder;
  const auto path = folder.write("x", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(pyc::write_file_atomic(path, "new"));
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WriteFileAtomic, WorksOnANameInTheCurrentFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_TRUE(pyc::write_file_atomic("plain", "x"));
  fs::current_path(before);
  EXPECT_EQ(slurp(folder / "plain"), "x");
}

TEST(WriteFileAtomic, WhenNoSpaceIsLeftTheOldFileStaysAndNothingElse) {
  const TemporaryFolder folder;
  const auto path = folder.write("x", "old");
  const FileSizeLimit full(64 << 10);
  const auto status = pyc::write_file_atomic(path, std::string(1 << 20, 'x'));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kInternal);
  EXPECT_TRUE(contains(status.error().message, path.string())) << status.error().message;
  EXPECT_FALSE(status.error().hint.empty());
  EXPECT_EQ(slurp(path), "old");
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"x"});
}

TEST(WriteFileAtomic, SaysWhyAFolderCannotBeWritten) {
  const TemporaryFolder folder;
  folder.write("file", "");
  fs::create_directory(folder / "folder");
  for (const fs::path &path : {folder / "absent/x", folder / "file/x", folder / "folder", fs::path("/proc/x")}) {
    const auto status = pyc::write_file_atomic(path, "x");
    ASSERT_FALSE(status) << path;
    EXPECT_EQ(status.error().kind, ErrorKind::kInternal);
    EXPECT_TRUE(contains(status.error().message, path.string())) << status.error().message;
  }
  EXPECT_TRUE(contains(pyc::write_file_atomic(folder / "absent/x", "x").error().hint, "create the folder"));
}

TEST(WriteFileAtomic, AReaderNeverSeesHalfAFile) {
  const TemporaryFolder folder;
  const std::string a(200000, 'a'), b(200000, 'b');
  ASSERT_TRUE(pyc::write_file_atomic(folder / "x", a));
  std::thread writer([&] {
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(pyc::write_file_atomic(folder / "x", i % 2 ? a : b));
  });
  for (int i = 0; i < 200; ++i) {
    const std::string seen = pyc::read_file(folder / "x").value();
    EXPECT_TRUE(seen == a || seen == b);
  }
  writer.join();
}

TEST(WriteNewFile, OfManyWhoAskForOneNameOneGetsItAndItsContentsStay) {
  const TemporaryFolder folder;
  const fs::path path = folder / "once.json";
  std::atomic<int> winner{-1}, winners{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const auto written = pyc::write_new_file(path, std::to_string(i));
      if (written && *written) winner = i, ++winners;
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(slurp(path), std::to_string(winner));
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"once.json"});
}

TEST(WriteNewFile, ALinkOrAFolderInItsPlaceIsKept) {
  const TemporaryFolder folder;
  fs::create_symlink("nowhere", folder / "link");
  fs::create_directory(folder / "folder");
  EXPECT_FALSE(pyc::write_new_file(folder / "link", "x").value());
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
  EXPECT_FALSE(pyc::write_new_file(folder / "folder", "x").value());
}

TEST(WriteFilesAtomic, WritesAllOrNone) {
  const TemporaryFolder folder;
  folder.write("first", "old");
  folder.write("second", "old");
  ASSERT_TRUE(pyc::write_files_atomic({{folder / "first", "new"}, {folder / "second", "new"}}));
  EXPECT_EQ(slurp(folder / "first") + slurp(folder / "second"), "newnew");

  const FileSizeLimit full(64 << 10);
  EXPECT_FALSE(pyc::write_files_atomic({{folder / "first", "newer"}, {folder / "second", std::string(1 << 20, 'x')}}));
  EXPECT_EQ(slurp(folder / "first") + slurp(folder / "second"), "newnew");
  EXPECT_EQ(folder.entries().size(), 2u);
}

TEST(StagedFolder, AppearsWholeAtCommit) {
  const TemporaryFolder folder;
  const auto target = folder / "builds/one";
  auto staged = pyc::StagedFolder::create(target).value();
  fs::create_directories(staged.path() / "sub");
  ASSERT_TRUE(pyc::write_file_atomic(staged.path() / "sub/x", "x"));
  EXPECT_FALSE(fs::exists(target));
  EXPECT_TRUE(staged.commit().value());
  EXPECT_EQ(slurp(target / "sub/x"), "x");
}

TEST(StagedFolder, IsRemovedWithoutACommit) {
  const TemporaryFolder folder;
  {
    auto staged = pyc::StagedFolder::create(folder / "x").value();
    const auto moved = std::move(staged);
    ASSERT_TRUE(pyc::write_file_atomic(moved.path() / "y", "y"));
  }
  EXPECT_TRUE(folder.entries().empty());
}

TEST(StagedFolder, LoserOfARaceKeepsTheWinnersFolder) {
  const TemporaryFolder folder;
  auto winner = pyc::StagedFolder::create(folder / "x").value(),
       loser = pyc::StagedFolder::create(folder / "x").value();
  ASSERT_TRUE(pyc::write_file_atomic(winner.path() / "who", "winner"));
  ASSERT_TRUE(pyc::write_file_atomic(loser.path() / "who", "loser"));
  EXPECT_TRUE(winner.commit().value());
  EXPECT_FALSE(loser.commit().value());
  EXPECT_EQ(slurp(folder / "x/who"), "winner");
  EXPECT_EQ(folder.entries(), std::vector<std::string>{"x"});
}

TEST(StagedFolder, AnEmptyFolderIsSomebodysToo) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "x");
  auto staged = pyc::StagedFolder::create(folder / "x").value();
  ASSERT_TRUE(pyc::write_file_atomic(staged.path() / "y", "y"));
  EXPECT_FALSE(staged.commit().value());
  EXPECT_TRUE(fs::is_empty(folder / "x"));
}

TEST(WriteFileAtomic, NoPermissionIsToldApartFromAFailure) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const auto status = pyc::write_file_atomic(folder / "x", "x");
  fs::permissions(folder.path(), fs::perms::owner_all);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable);
  EXPECT_TRUE(contains(status.error().hint, "permissions")) << status.error().hint;
}

TEST(StagedFolder, AFileInTheWayIsAnError) {
  const TemporaryFolder folder;
  folder.write("x", "a file");
  auto staged = pyc::StagedFolder::create(folder / "x").value();
  EXPECT_FALSE(staged.commit());
  EXPECT_EQ(slurp(folder / "x"), "a file");
}

TEST(FileLock, SecondHolderIsRefusedAfterTheWait) {
  const TemporaryFolder folder;
  const auto held = pyc::FileLock::acquire(folder / "lock", 0).value();
  const auto begin = std::chrono::steady_clock::now();
  const auto refused = pyc::FileLock::acquire(folder / "lock", 0.1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::kInternal);
  EXPECT_TRUE(contains(refused.error().message, "lock")) << refused.error().message;
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(100));
}

TEST(FileLock, IsFreeAgainAfterItsHolderAndTheFileStays) {
  const TemporaryFolder folder;
  {
    auto lock = pyc::FileLock::acquire(folder / "lock", 0).value();
    const auto moved = std::move(lock);
    EXPECT_FALSE(pyc::FileLock::acquire(folder / "lock", 0));
  }
  EXPECT_TRUE(pyc::FileLock::acquire(folder / "lock", 0));
  EXPECT_TRUE(fs::exists(folder / "lock"));
}

TEST(FileLock, AWaiterGetsItWhenTheHolderLetsGo) {
  const TemporaryFolder folder;
  auto held = std::make_unique<pyc::FileLock>(pyc::FileLock::acquire(folder / "lock", 0).value());
  std::thread holder([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    held.reset();
  });
  EXPECT_TRUE(pyc::FileLock::acquire(folder / "lock", 10));
  holder.join();
}

TEST(FileLock, AWaiterIsToldOnceThatItWaitsAndOneWhoDoesNotWaitIsNot) {
  const TemporaryFolder folder;
  int told = 0;
  const auto tell = [&] { ++told; };
  const auto held = pyc::FileLock::acquire(folder / "lock", 10, tell).value();
  EXPECT_EQ(told, 0);
  EXPECT_FALSE(pyc::FileLock::acquire(folder / "lock", 0.1, tell));
  EXPECT_EQ(told, 1);
}

TEST(FileLock, ACrashedHolderLetsGo) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = pyc::FileLock::acquire(folder / "lock", 0);
    raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(pyc::FileLock::acquire(folder / "lock", 0));
}

TEST(FileLock, SaysWhyTheFileCannotBeOpened) {
  const auto lock = pyc::FileLock::acquire("/nonexistent/lock", 0);
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().kind, ErrorKind::kInternal);
}

TEST(MakeFolder, MakesParentsAndAcceptsWhatExists) {
  const TemporaryFolder folder;
  EXPECT_TRUE(pyc::make_folder(folder / "a/b/c"));
  EXPECT_TRUE(pyc::make_folder(folder / "a/b/c"));
  folder.write("file", "");
  for (const char *name : {"file", "file/x"}) EXPECT_FALSE(pyc::make_folder(folder / name)) << name;
}

}  // namespace
