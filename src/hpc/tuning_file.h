// The record of one search on disk: held by one process at a time, written again after every step.
#pragma once

#include <filesystem>

#include "base/files.h"
#include "base/result.h"
#include "evidence/tuning.h"
#include "hpc/context.h"

namespace pyc::hpc {

class TuningFile {
 public:
  // Opens the record of the search that `fresh` describes (its name and key), or starts it with `fresh`. With
  // `restart` what stands there is forgotten. kInvalid if it cannot be read, or if another process is at it.
  static Result<TuningFile> open(const Context &context, evidence::Tuning fresh, bool restart);

  evidence::Tuning &document() { return document_; }
  const evidence::Tuning &document() const { return document_; }
  const std::filesystem::path &path() const { return path_; }

  // Whole, or as it was before.
  Status save(const Context &context);

 private:
  TuningFile(FileLock lock, std::filesystem::path path) : lock_(std::move(lock)), path_(std::move(path)) {}

  FileLock lock_;
  std::filesystem::path path_;
  evidence::Tuning document_;
};

}  // namespace pyc::hpc
