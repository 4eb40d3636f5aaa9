#include "workspace/trial_build.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "workspace/build_words.h"
#include "workspace/cache_entry.h"
#include "workspace/source_files.h"

namespace pyc::workspace {

namespace fs = std::filesystem;

namespace {

constexpr const char *kLoaderSource = "kernels/harness/loaded_kernel.cpp";
constexpr const char *kLoader = "loaded_kernel";

Result<Words> file_facts(const Workspace &workspace, const Words &roots) {
  PYC_TRY(const std::vector<SourceFile> files, source_files(workspace, roots));
  Words facts;
  for (const SourceFile &file : files) facts.push_back(file.path + " " + file.sha256);
  return facts;
}

std::vector<BuildStage> loader_stages(const toolchain::Nvcc &nvcc, const toolchain::Arch &arch, const fs::path &archive,
                                      const fs::path &folder) {
  const std::string program = nvcc_program(nvcc), object = (folder / "loaded_kernel.o").string();
  const Words compile = {"-O3",         "-std=c++17", code_flag(arch), "-I", "include", "-I", "kernels/harness", "-c",
                         kLoaderSource, "-o",         object};
  const Words link = {code_flag(arch), object, archive.string(),           "-ldl",
                      "-lpthread",     "-o",   (folder / kLoader).string()};
  return {{"compiling the loader", {{kLoaderSource, "does not compile", concatenated({{program}, compile})}}},
          {"linking the loader", {{kLoader, "does not link", concatenated({{program}, link})}}}};
}

Words header_facts(const NewCandidate &trial) {
  Words facts;
  for (const auto &[name, text] : trial.headers) facts.push_back("beside " + name + " " + sha256_hex(text));
  return facts;
}

Status write_sources(const fs::path &folder, const NewCandidate &trial) {
  for (const auto &[name, text] : trial.headers) PYC_CHECK(write_file_atomic(folder / name, text));
  return write_file_atomic(folder / "kernel.cu", trial.kernel_source);
}

std::vector<BuildStage> trial_stages(const Words &flags, const toolchain::Nvcc &nvcc, const toolchain::Arch &arch,
                                     const fs::path &folder) {
  const std::string program = nvcc_program(nvcc), source = (folder / "kernel.cu").string();
  const std::string object = (folder / "kernel.o").string();
  const Words compile = {"-I", "include", "-Xptxas=-v", "-Xcompiler=-fPIC", "-c", source, "-o", object};
  const Words link = {code_flag(arch), object, "-shared", "-Xlinker=-Bsymbolic", "-o", (folder / "kernel.so").string()};
  return {{"compiling a set", {{"kernel.cu", "does not compile", concatenated({{program}, flags, compile})}}},
          {"linking a set", {{"kernel.so", "does not link", concatenated({{program}, link})}}}};
}

std::string folder_in_workspace(const Workspace &workspace, const Template &from) {
  return workspace.relative(workspace.templates()) + "/" + from.name + "/";
}

}  // namespace

Result<fs::path> build_loader(const Workspace &workspace, const toolchain::Nvcc &nvcc, const toolchain::Arch &arch,
                              const HarnessBuild &harness, const BuildProgress &progress) {
  BuildRecipe recipe;
  PYC_TRY(const Words files, file_facts(workspace, {kLoaderSource}));
  recipe.facts = concatenated({{kRecipe, "loader"}, toolchain_facts(nvcc), {"harness " + harness.key}, files});
  recipe.folder_prefix = "loader-";
  recipe.outputs = {kLoader};
  recipe.stages = [&](const fs::path &folder) { return loader_stages(nvcc, arch, harness.archive, folder); };
  recipe.confirm_sources = [&]() -> Status {
    PYC_TRY(const Words now, file_facts(workspace, {kLoaderSource}));
    if (now != files) return changed_meanwhile("the loader");
    return {};
  };
  auto entry = find_or_build(workspace, recipe, progress);
  if (entry) return entry->folder / kLoader;
  if (entry.error().kind == ErrorKind::kNo) entry.error().kind = ErrorKind::kInternal;  // no set is to blame
  return tl::unexpected<Error>(std::move(entry).error());
}

Result<TrialBuild> build_trial(const Workspace &workspace, const Template &from, const NewCandidate &trial,
                               const toolchain::Nvcc &nvcc) {
  const toolchain::Arch *arch = toolchain::find_arch(trial.contract.arch);
  if (arch == nullptr) return fail(ErrorKind::kInternal, "no such arch: " + trial.contract.arch);
  const Words flags = kernel_flags(*arch), roots = {folder_in_workspace(workspace, from) + "kernel.cu"};
  BuildRecipe recipe;
  PYC_TRY(const Words files, file_facts(workspace, roots));
  recipe.facts = concatenated({{kRecipe, "trial " + sha256_hex(trial.kernel_source), "flags " + join(flags, " ")},
                               toolchain_facts(nvcc),
                               header_facts(trial),
                               files});
  recipe.folder_prefix = "trial-";
  recipe.outputs = {"kernel.o", "kernel.so"};
  recipe.write_sources = [&](const fs::path &folder) { return write_sources(folder, trial); };
  recipe.stages = [&](const fs::path &folder) { return trial_stages(flags, nvcc, *arch, folder); };
  recipe.confirm_sources = [&]() -> Status {
    PYC_TRY(const Words now, file_facts(workspace, roots));
    if (now != files) return changed_meanwhile("a header of the template");
    return {};
  };
  PYC_TRY(const CacheEntry entry, find_or_build(workspace, recipe, nullptr));
  PYC_TRY(std::string log, read_file(entry.folder / "build.log", kEvidenceFileLimitBytes));
  return TrialBuild{entry.folder / "kernel.o", entry.folder / "kernel.so", std::move(log), entry.from_cache};
}

Result<std::string> template_digest(const Workspace &workspace, const Template &from) {
  const std::string folder = folder_in_workspace(workspace, from);
  PYC_TRY(const Words files, file_facts(workspace, {folder + "kernel.cu", folder + "harness.cu"}));
  PYC_TRY(const std::string rules, sha256_file(from.folder / "template.json"));
  return sha256_hex(join(files, "\n") + "\n" + rules);
}

}  // namespace pyc::workspace
