#include "workspace/build_cache.h"

#include <algorithm>
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

constexpr const char *kArchive = "libpyc_harness.a";

// ---- the harness

bool is_source_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  return std::all_of(name.begin(), name.end(), is_allowed) && !name.starts_with('.') &&
         (name.ends_with(".cu") || name.ends_with(".cpp"));
}

// kernels/harness/sources.txt: one file name a line; '#' begins a comment.
Result<Words> harness_sources(const Workspace &workspace) {
  const fs::path list = workspace.harness() / "sources.txt";
  PYC_TRY(const std::string text, read_file(list));
  Words names;
  for (const std::string &line : split(text, '\n')) {
    const std::string name(trim(line.substr(0, line.find('#'))));
    if (name.empty()) continue;
    if (!is_source_name(name)) {
      return fail(ErrorKind::kInvalid, fmt::format("'{}': '{}' is not the name of a .cu or .cpp file beside it",
                                                   workspace.relative(list), printable(name, 80)));
    }
    names.push_back(name);
  }
  if (!names.empty()) return names;
  return fail(ErrorKind::kInvalid, fmt::format("'{}' names no source", workspace.relative(list)));
}

Words harness_flags(const toolchain::Arch &arch) { return {"-O3", "-std=c++17", code_flag(arch)}; }

Result<std::string> digest_of(const Workspace &workspace, const Words &sources) {
  Words paths, facts;
  for (const std::string &name : sources) paths.push_back("kernels/harness/" + name);
  PYC_TRY(const std::vector<SourceFile> files, source_files(workspace, paths));
  for (const SourceFile &file : files) facts.push_back(file.path + " " + file.sha256);
  return sha256_hex(join(facts, "\n"));
}

Words harness_facts(const toolchain::Nvcc &nvcc, const toolchain::Arch &arch, const Words &sources,
                    const std::string &sources_sha256) {
  return concatenated({{kRecipe, "harness " + join(sources, " ")},
                       toolchain_facts(nvcc),
                       {"flags " + join(harness_flags(arch), " "), "sources " + sources_sha256}});
}

std::vector<BuildStage> harness_stages(const Words &sources, const toolchain::Nvcc &nvcc, const toolchain::Arch &arch,
                                       const fs::path &folder) {
  BuildStage compile{"compiling the harness", {}};
  Words objects;
  for (const std::string &name : sources) {
    const std::string source = "kernels/harness/" + name;
    objects.push_back((folder / (name + ".o")).string());
    const Words in_out = {"-I", "include", "-I", "kernels/harness", "-c", source, "-o", objects.back()};
    compile.runs.push_back(
        {source, "does not compile", concatenated({{nvcc_program(nvcc)}, harness_flags(arch), in_out})});
  }
  const Words archive = {nvcc_program(nvcc), "-lib", "-o", (folder / kArchive).string()};
  return {compile, {"archiving the harness", {{kArchive, "cannot be made", concatenated({archive, objects})}}}};
}

// ---- a candidate

// kernel.cu meets nvcc once: its object goes into the executable and into the shared object, which binds its own
// symbols first, because two candidates may well define functions of the same name.
std::vector<BuildStage> candidate_stages(const std::string &name, const toolchain::Nvcc &nvcc,
                                         const toolchain::Arch &arch, const fs::path &archive, const fs::path &folder) {
  const std::string sources = "kernels/prototypes/" + name, nvcc_path = nvcc_program(nvcc);
  const std::string kernel = sources + "/kernel.cu", kernel_object = (folder / "kernel.o").string();
  const std::string harness = sources + "/harness.cu", harness_object = (folder / "harness.o").string();
  const Words compile = concatenated({{nvcc_path}, kernel_flags(arch), {"-I", "include"}});
  const Words link = {nvcc_path, code_flag(arch), kernel_object};
  const std::string executable = (folder / name).string(), library = (folder / "kernel.so").string();
  return {{"compiling " + name,
           {{kernel, "does not compile",
             concatenated({compile, {"-Xptxas=-v", "-Xcompiler=-fPIC", "-c", kernel, "-o", kernel_object}})},
            {harness, "does not compile",
             concatenated({compile, {"-I", "kernels/harness", "-c", harness, "-o", harness_object}})}}},
          {"linking " + name,
           {{name, "does not link",
             concatenated({link, {harness_object, archive.string(), "-ldl", "-lpthread", "-o", executable}})},
            {name + "'s shared object", "does not link",
             concatenated({link, {"-shared", "-Xlinker=-Bsymbolic", "-o", library}})}}}};
}

// That the engine cannot be built says nothing about a candidate, so it is no "no".
Error harness_failure(Error error) {
  if (error.kind == ErrorKind::kNo) error.kind = ErrorKind::kInternal;
  return error;
}

Result<const toolchain::Arch *> arch_of(const Candidate &candidate) {
  const toolchain::Arch *arch = toolchain::find_arch(candidate.contract.arch);
  if (arch != nullptr) return arch;
  return fail(ErrorKind::kInternal, fmt::format("no such arch: '{}'", candidate.contract.arch));
}

}  // namespace

Result<std::string> harness_digest(const Workspace &workspace) {
  PYC_TRY(const Words sources, harness_sources(workspace));
  return digest_of(workspace, sources);
}

Result<HarnessBuild> build_harness(const Workspace &workspace, const toolchain::Nvcc &nvcc, const toolchain::Arch &arch,
                                   const BuildProgress &progress) {
  PYC_CHECK(toolchain::require_arch(nvcc, arch));
  PYC_TRY(const Words sources, harness_sources(workspace));
  PYC_TRY(const std::string digest, digest_of(workspace, sources));
  BuildRecipe recipe;
  recipe.facts = harness_facts(nvcc, arch, sources, digest);
  recipe.folder_prefix = "harness-";
  recipe.outputs = {kArchive};
  recipe.stages = [&](const fs::path &folder) { return harness_stages(sources, nvcc, arch, folder); };
  recipe.confirm_sources = [&]() -> Status {
    PYC_TRY(const std::string now, digest_of(workspace, sources));
    if (now != digest) return changed_meanwhile("the harness");
    return {};
  };
  PYC_TRY(const CacheEntry entry, find_or_build(workspace, recipe, progress).map_error(harness_failure));
  return HarnessBuild{entry.folder / kArchive, recipe.key(), digest};
}

Result<CandidateBuild> build_candidate(const Workspace &workspace, const Candidate &candidate,
                                       const toolchain::Nvcc &nvcc, const HarnessBuild &harness,
                                       const BuildProgress &progress) {
  PYC_TRY(const toolchain::Arch *arch, arch_of(candidate));
  PYC_CHECK(toolchain::require_arch(nvcc, *arch));
  const std::string &name = candidate.contract.name;
  BuildRecipe recipe;
  recipe.facts = concatenated({{kRecipe, "candidate " + name, "digest " + candidate.ref.digest},
                               toolchain_facts(nvcc),
                               {"harness " + harness.key}});
  recipe.outputs = {name, "kernel.so"};
  recipe.stages = [&](const fs::path &folder) { return candidate_stages(name, nvcc, *arch, harness.archive, folder); };
  recipe.confirm_sources = [&]() -> Status {
    PYC_TRY(const Candidate now, read_candidate(workspace, name));
    if (now.ref.digest != candidate.ref.digest) return changed_meanwhile("'" + name + "'");
    return {};
  };
  PYC_TRY(const CacheEntry entry, find_or_build(workspace, recipe, progress));
  PYC_TRY(std::string log, read_file(entry.folder / "build.log", kEvidenceFileLimitBytes));
  return CandidateBuild{entry.folder,   entry.folder / name, entry.folder / "kernel.so",
                        std::move(log), kernel_flags(*arch), entry.from_cache};
}

}  // namespace pyc::workspace
