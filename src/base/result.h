// How the tool's layers report failure: a value or an Error, never an exception across a layer.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace pyc {

// What kind of failure this is; src/cli maps each to an exit code.
enum class ErrorKind {
  kNo,           // the work was done and the answer is no: incorrect, refused, does not compile (exit 1)
  kInvalid,      // usage, a bad file, a name that does not exist (exit 2)
  kSchema,       // a manifest, baseline list or task of the lab that breaks its schema (exit 2; in the lab 3)
  kInternal,     // the machine or PyC failed: disk full, a lock that stays held, a broken invariant (exit 2)
  kUnavailable,  // cannot be done on this machine: no GPU, no nvcc, no permission (exit 3)
  kInterrupted,  // Ctrl-C or SIGTERM (exit 130)
};

struct Error {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;  // what happened, with the literal in quotes; no full stop, no "error:"
  std::string hint;     // what to do about it; may be empty
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(hint)});
}

// Propagates an error, prefixed by what was being done: "reading 'x': ...".
inline tl::unexpected<Error> fail(Error error, const std::string &doing) {
  error.message = doing + ": " + error.message;
  return tl::unexpected<Error>(std::move(error));
}

// What was read, or its error with this hint where the reader had no better advice.
template <class T>
Result<T> advised(Result<T> read, std::string hint) {
  if (!read && read.error().hint.empty()) read.error().hint = std::move(hint);
  return read;
}

}  // namespace pyc

// Assigns the value of a Result to `lhs`, or returns its error from the enclosing function.
#define PYC_CONCAT_(a, b) a##b
#define PYC_CONCAT(a, b) PYC_CONCAT_(a, b)
#define PYC_TRY_IMPL_(result, lhs, ...)                                        \
  auto result = (__VA_ARGS__);                                                 \
  if (!result) return tl::unexpected<::pyc::Error>(std::move(result).error()); \
  lhs = std::move(*result)
#define PYC_TRY(lhs, ...) PYC_TRY_IMPL_(PYC_CONCAT(pyc_result_, __LINE__), lhs, __VA_ARGS__)
// The same for a Status, which carries no value.
#define PYC_CHECK(...)                                                                     \
  do {                                                                                     \
    auto pyc_status_ = (__VA_ARGS__);                                                      \
    if (!pyc_status_) return tl::unexpected<::pyc::Error>(std::move(pyc_status_).error()); \
  } while (0)
