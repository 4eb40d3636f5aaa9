// Starting one child process and ending it with everything that it started: what run_process is made of.
#pragma once

#include <optional>
#include <sys/types.h>

#include "base/descriptor.h"
#include "base/process.h"

namespace pyc {

// Both ends close on exec; neither is one of the first ten descriptors, which the child's own are placed on.
struct Pipe {
  Descriptor read_end, write_end;
};
Result<Pipe> open_pipe();

// The write ends that a child gets as descriptors 1, 2 and 3.
struct ChildPipes {
  Pipe standard_output, standard_error;
  std::optional<Pipe> events;
};

// A running child, leader of its own process group. Destruction kills the group and reaps the child.
class Child {
 public:
  // stdin is /dev/null, signals are at their defaults, and no other descriptor of ours is open in it.
  static Result<Child> start(const ProcessOptions &options, const ChildPipes &pipes);
  Child(Child &&other) noexcept;
  Child &operator=(Child &&) = delete;
  ~Child();

  // True once the child has ended; it is not reaped yet, so that its group cannot belong to somebody else.
  bool has_ended() const;
  void signal_group(int signal) const;
  // Ends what is left of the group, reaps the ended child and returns its wait status.
  int reap();

 private:
  explicit Child(pid_t process) : process_(process) {}
  pid_t process_;
};

}  // namespace pyc
