#include "compiler/runtime/settings.h"

#include <gtest/gtest.h>
#include <map>
#include <string>

#include "context_fixture.h"
#include "gemm_case.h"

namespace {

using pyc::runtime::read_settings;
using pyc::runtime::Settings;
using Environment = std::map<std::string, const char *>;

pyc_status read(const Environment &environment, Settings *settings) {
  return read_settings(
      [&](const char *name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second;
      },
      settings);
}

TEST(Settings, UnsetAndEmptyVariablesKeepTheDefaults) {
  for (const char *value : {static_cast<const char *>(nullptr), ""}) {
    Settings settings;
    Environment environment;
    for (const auto &variable : pyc::runtime::environment_variables()) environment[variable.name] = value;
    EXPECT_EQ(read(environment, &settings), PYC_STATUS_SUCCESS);
    EXPECT_EQ(settings.forced_symbol, "");
    EXPECT_FALSE(settings.verbose_dispatch);
    EXPECT_FALSE(settings.measure_algorithms);
    EXPECT_EQ(settings.cuda_library_folder, "");
    EXPECT_EQ(settings.cblas, "");
    for (bool disabled : settings.disabled) EXPECT_FALSE(disabled);
  }
}

TEST(Settings, ValuesAreRead) {
  Settings settings;
  EXPECT_EQ(read({{"PYC_PROMOTED_GEMM_SYMBOL", "pyc_gemm_x"},
                  {"PYC_DISABLE_RUNGS", "cublas,promoted"},
                  {"PYC_VERBOSE", "dispatch"},
                  {"PYC_CUBLASLT_MEASURE", "on"},
                  {"PYC_CUDA_LIBRARY_DIR", "/opt/cuda"},
                  {"PYC_CBLAS", "libblis.so.4"}},
                 &settings),
            PYC_STATUS_SUCCESS);
  EXPECT_EQ(settings.forced_symbol, "pyc_gemm_x");
  EXPECT_TRUE(settings.verbose_dispatch);
  EXPECT_TRUE(settings.measure_algorithms);
  EXPECT_EQ(settings.cuda_library_folder, "/opt/cuda");
  EXPECT_EQ(settings.cblas, "libblis.so.4");
  for (int32_t rung = 0; rung < PYC_RUNG_COUNT; ++rung) {
    EXPECT_EQ(settings.disabled[size_t(rung)], rung == PYC_RUNG_CUBLAS || rung == PYC_RUNG_PROMOTED) << rung;
  }
}

TEST(Settings, AValueThatIsNotAcceptedNamesVariableAndValue) {
  const Environment bad[] = {{{"PYC_DISABLE_RUNGS", "cpu,cuBLAS"}}, {{"PYC_DISABLE_RUNGS", "cpu,"}},
                             {{"PYC_DISABLE_RUNGS", ","}},          {{"PYC_VERBOSE", "1"}},
                             {{"PYC_CUBLASLT_MEASURE", "1"}},       {{"PYC_CUDA_LIBRARY_DIR", "lib"}}};
  for (const Environment &environment : bad) {
    Settings settings;
    EXPECT_EQ(read(environment, &settings), PYC_STATUS_INVALID_VALUE);
    const std::string detail = pyc_last_error_detail(), name = environment.begin()->first;
    EXPECT_EQ(detail.find(name + " is \"" + environment.begin()->second + "\""), 0u) << detail;
  }
}

TEST(Settings, ABadVariableFailsTheContext) {
  const ScopedVariable variable("PYC_DISABLE_RUNGS", "gpu");
  pyc_context *context = reinterpret_cast<pyc_context *>(1);
  EXPECT_EQ(pyc_context_create(PYC_DEVICE_HOST, &context), PYC_STATUS_INVALID_VALUE);
  EXPECT_EQ(context, nullptr);
}

TEST(Settings, ADisabledRungServesNothing) {
  const ScopedVariable variable("PYC_DISABLE_RUNGS", "cpu");
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 4, 4, 4);
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_NO_KERNEL);
  EXPECT_NE(std::string(pyc_last_error_detail()).find("PYC_DISABLE_RUNGS"), std::string::npos);
}

TEST(Settings, VariablesAreReadAtCreationOnly) {
  const ContextPtr context = make_context();
  const ScopedVariable variable("PYC_DISABLE_RUNGS", "cpu");
  GemmCase x(PYC_LAYOUT_NN, 4, 4, 4);
  EXPECT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
}

TEST(Settings, AForcedSymbolThatIsNotCompiledInFailsTheContext) {
  const ScopedVariable variable("PYC_PROMOTED_GEMM_SYMBOL", "pyc_gemm_no_such_kernel");
  pyc_context *context = nullptr;
  EXPECT_EQ(pyc_context_create(PYC_DEVICE_HOST, &context), PYC_STATUS_NO_KERNEL);
  EXPECT_NE(std::string(pyc_last_error_detail()).find("\"pyc_gemm_no_such_kernel\""), std::string::npos);
}

TEST(Settings, VerboseDispatchExplainsANewPlanOnce) {
  const ScopedVariable variable("PYC_VERBOSE", "dispatch");
  const ContextPtr context = make_context();
  GemmCase x(PYC_LAYOUT_NN, 4, 5, 6);
  testing::internal::CaptureStderr();
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  const std::string first = testing::internal::GetCapturedStderr();
  EXPECT_EQ(first.find("pyc: gemm/fp32/nn/small 4x5x6\n"), 0u) << first;
  testing::internal::CaptureStderr();
  ASSERT_EQ(x.run(context.get()), PYC_STATUS_SUCCESS);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
