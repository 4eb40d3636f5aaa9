// Random calls, half of them with one argument spoilt, against a reference for the status and for the result.
#include <array>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>
#include <string>

#include "any_case.h"
#include "context_fixture.h"

namespace {

constexpr int kCalls = 10000;
constexpr uint32_t kSeed = 20260101;
constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

// What a call will be given; the case keeps what is valid.
struct Given {
  pyc_gemm_desc desc;
  const unsigned char *a, *b;
  unsigned char *c;
  bool reads, writes;  // A and B, and C
};

// A way to break a contract: the status that must answer, the word that the detail must begin with, and the change.
// `spoil` answers false where the call has nothing to break in this way.
struct Fault {
  pyc_status status;
  const char *argument;
  bool (*spoil)(Given *given);
};

int64_t rows_of_a(const pyc_gemm_desc &d) { return d.layout == PYC_LAYOUT_TN || d.layout == PYC_LAYOUT_TT ? d.k : d.m; }
int64_t rows_of_b(const pyc_gemm_desc &d) { return d.layout == PYC_LAYOUT_NT || d.layout == PYC_LAYOUT_TT ? d.n : d.k; }
int64_t least(int64_t columns) { return columns < 1 ? 1 : columns; }

template <int32_t pyc_gemm_desc::*field, int32_t value>
bool set32(Given *g) {
  g->desc.*field = value;
  return true;
}
template <int64_t pyc_gemm_desc::*field, int64_t value>
bool set64(Given *g) {
  g->desc.*field = value;
  return true;
}

// The first version of the struct has no fields for a batch.
bool has_batch(const Given &g) { return g.desc.struct_size == sizeof g.desc && g.desc.batch_count > 1; }

const Fault kFaults[] = {
    {PYC_STATUS_INVALID_VALUE, "desc.struct_size", [](Given *g) { return g->desc.struct_size += 8, true; }},
    {PYC_STATUS_INVALID_VALUE, "desc.struct_size", [](Given *g) { return g->desc.struct_size = 0, true; }},
    {PYC_STATUS_INVALID_VALUE, "desc.struct_size", [](Given *g) { return g->desc.struct_size = 80, true; }},
    {PYC_STATUS_INVALID_VALUE, "dtype", set32<&pyc_gemm_desc::dtype, 3>},
    {PYC_STATUS_INVALID_VALUE, "dtype", set32<&pyc_gemm_desc::dtype, 256>},
    {PYC_STATUS_INVALID_VALUE, "layout", set32<&pyc_gemm_desc::layout, -1>},
    {PYC_STATUS_INVALID_VALUE, "precision", set32<&pyc_gemm_desc::precision, 2>},
    {PYC_STATUS_INVALID_VALUE, "determinism", set32<&pyc_gemm_desc::determinism, 1 << 30>},
    {PYC_STATUS_INVALID_VALUE, "m", set64<&pyc_gemm_desc::m, -1>},
    {PYC_STATUS_INVALID_VALUE, "n", set64<&pyc_gemm_desc::n, std::numeric_limits<int64_t>::min()>},
    {PYC_STATUS_INVALID_VALUE, "k", set64<&pyc_gemm_desc::k, -kHuge>},
    {PYC_STATUS_INVALID_VALUE, "batch_count", [](Given *g) { return has_batch(*g) && (g->desc.batch_count = -1); }},
    {PYC_STATUS_INVALID_VALUE, "lda",
     [](Given *g) {
       g->desc.lda = least(rows_of_a(g->desc) == g->desc.m ? g->desc.k : g->desc.m) - 1;
       return g->desc.m != g->desc.k;
     }},
    {PYC_STATUS_INVALID_VALUE, "ldc", [](Given *g) { return g->desc.ldc = least(g->desc.n) - 1, true; }},
    {PYC_STATUS_INVALID_VALUE, "ldc", [](Given *g) { return g->desc.ldc = -g->desc.ldc, true; }},
    {PYC_STATUS_INVALID_VALUE, "lda", [](Given *g) { return g->desc.lda = kHuge, rows_of_a(g->desc) > 0; }},
    {PYC_STATUS_INVALID_VALUE, "ldb", [](Given *g) { return g->desc.ldb = kHuge / 2 + 1, rows_of_b(g->desc) > 0; }},
    {PYC_STATUS_INVALID_VALUE, "ldc", [](Given *g) { return g->desc.ldc = kHuge / 2 + 1, g->desc.m > 0; }},
    {PYC_STATUS_INVALID_VALUE, "stride_a", [](Given *g) { return g->desc.stride_a = kHuge, has_batch(*g); }},
    {PYC_STATUS_INVALID_VALUE, "stride_b", [](Given *g) { return g->desc.stride_b = -1, has_batch(*g); }},
    {PYC_STATUS_INVALID_VALUE, "stride_c",
     [](Given *g) {
       g->desc.stride_c = g->desc.n - 1;
       return has_batch(*g) && g->writes;
     }},
    {PYC_STATUS_INVALID_VALUE, "a", [](Given *g) { return g->a = nullptr, g->reads; }},
    {PYC_STATUS_INVALID_VALUE, "b", [](Given *g) { return g->b = nullptr, g->reads; }},
    {PYC_STATUS_INVALID_VALUE, "c", [](Given *g) { return g->c = nullptr, g->writes; }},
    {PYC_STATUS_MISALIGNED, "a", [](Given *g) { return ++g->a, g->reads; }},
    {PYC_STATUS_MISALIGNED, "b", [](Given *g) { return ++g->b, g->reads; }},
    {PYC_STATUS_MISALIGNED, "c", [](Given *g) { return ++g->c, g->writes; }},
};

class RandomCalls {
 public:
  explicit RandomCalls(uint32_t seed) : random_(seed) {}

  int64_t up_to(int64_t most) { return std::uniform_int_distribution<int64_t>(0, most)(random_); }
  bool one_in(int64_t n) { return up_to(n - 1) == 0; }

  AnyCase make_case() {
    AnyCase x(make_desc(), uint32_t(random_()));
    constexpr float kFactors[] = {0.0f, 1.0f, -0.5f, 2.0f, 1.0f, 1.0f};
    x.alpha = kFactors[up_to(5)];
    x.beta = kFactors[up_to(3)];
    if (x.beta != 0.0f) x.fill_c();
    return x;
  }

  const Fault &fault() { return kFaults[up_to(std::size(kFaults) - 1)]; }

 private:
  // Mostly a few elements, now and then more than a tile of the library's own loops.
  int64_t size() { return one_in(6) ? up_to(70) : up_to(9); }
  int64_t padding() { return one_in(3) ? up_to(5) : 0; }

  pyc_gemm_desc make_desc() {
    const auto dtype = pyc_dtype(up_to(2));
    const auto layout = pyc_layout(up_to(3));
    pyc_gemm_desc d = pyc_gemm_desc_packed(dtype, layout, size(), size(), size());
    d.precision = int32_t(up_to(1));
    d.determinism = int32_t(up_to(1));
    d.lda += padding();
    d.ldb += padding();
    d.ldc += padding();
    if (one_in(3)) add_batch(&d);
    if (d.batch_count == 1 && one_in(4)) d.struct_size = PYC_GEMM_DESC_SIZE_V1;
    return d;
  }

  void add_batch(pyc_gemm_desc *d) {
    d->batch_count = up_to(4);
    d->stride_a = one_in(3) ? 0 : rows_of_a(*d) * d->lda + padding();
    d->stride_b = one_in(3) ? 0 : rows_of_b(*d) * d->ldb + padding();
    d->stride_c = d->m * d->ldc + padding();
    if (!one_in(3)) return;
    d->stride_c = d->n + padding();  // rows of the batch side by side
    d->ldc = least(d->batch_count) * d->stride_c + 1;
  }

  std::mt19937 random_;
};

// The three ways to make one call.
enum class Way { kCall, kExplainedCall, kPlan };

pyc_status run_plan(pyc_context *context, const Given &g, const AnyCase &x) {
  const uint32_t element = x.desc.dtype == PYC_DTYPE_FP32 ? 4 : 2;
  pyc_gemm_plan_options options = pyc_gemm_plan_options_default();
  options.align_a = options.align_b = options.align_c = element;
  pyc_gemm_plan *plan = nullptr;
  pyc_status status = pyc_gemm_plan_create(context, &g.desc, &options, &plan);
  EXPECT_EQ(plan == nullptr, status != PYC_STATUS_SUCCESS);
  if (status == PYC_STATUS_SUCCESS) {
    status = pyc_gemm_plan_run(plan, x.alpha, g.a, g.b, x.beta, g.c, nullptr, 0, nullptr);
  }
  pyc_gemm_plan_destroy(plan);
  return status;
}

pyc_status run(pyc_context *context, const Given &g, const AnyCase &x, Way way) {
  if (way == Way::kPlan) return run_plan(context, g, x);
  if (way == Way::kExplainedCall) {
    std::array<pyc_rung_report, PYC_RUNG_COUNT> reports = {};
    reports[0].struct_size = sizeof reports[0];
    size_t count = 0;
    const pyc_status status = pyc_gemm_explain(context, &g.desc, x.alpha, g.a, g.b, x.beta, g.c, nullptr,
                                               reports.data(), reports.size(), &count);
    if (status != PYC_STATUS_SUCCESS) return status;
  }
  return pyc_gemm(context, &g.desc, x.alpha, g.a, g.b, x.beta, g.c, nullptr);
}

std::string first_word(const std::string &text) { return text.substr(0, text.find(' ')); }

std::string describe(const pyc_gemm_desc &d) {
  return "dtype " + std::to_string(d.dtype) + " layout " + std::to_string(d.layout) + " " + std::to_string(d.m) + "x" +
         std::to_string(d.n) + "x" + std::to_string(d.k) + " batch " + std::to_string(d.batch_count);
}

// Makes one random call and holds it against the reference. Returns the fault that was tried, or nullptr.
const Fault *try_one(pyc_context *context, RandomCalls *random, Way way) {
  AnyCase x = random->make_case();
  const Bytes a = x.a, b = x.b, before = x.c;
  const pyc_gemm_desc &d = x.desc;
  const bool writes = d.m > 0 && d.n > 0 && d.batch_count > 0;
  Given given = {d, x.a.data(), x.b.data(), x.c.data(), writes && d.k > 0 && x.alpha != 0.0f, writes};
  const Given valid = given;
  const Fault &fault = random->fault();
  const bool spoilt = random->one_in(2) && fault.spoil(&given);
  if (!spoilt) given = valid;

  const pyc_status status = run(context, given, x, way);
  const std::string what = describe(d) + (spoilt ? std::string(", spoilt ") + fault.argument : ", valid");
  EXPECT_EQ(status, spoilt ? fault.status : PYC_STATUS_SUCCESS) << what << ": " << pyc_last_error_detail();
  if (spoilt) {
    EXPECT_EQ(first_word(pyc_last_error_detail()), fault.argument) << what << ": " << pyc_last_error_detail();
    EXPECT_EQ(x.c, before) << what;
  } else {
    EXPECT_EQ(x.count_wrong(before, x.c), 0) << what << " alpha " << x.alpha << " beta " << x.beta;
  }
  EXPECT_TRUE(x.a == a && x.b == b) << what << ": an input was written";
  return spoilt ? &fault : nullptr;
}

void try_many(pyc_context *context, int calls, uint32_t seed) {
  RandomCalls random(seed);
  std::set<const Fault *> tried;
  for (int i = 0; i < calls && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", call " + std::to_string(i));
    tried.insert(try_one(context, &random, Way(i % 3)));
  }
  EXPECT_EQ(tried.size(), std::size(kFaults) + 1) << "some faults, or valid calls, were never tried";
}

TEST(RandomCalls, TheLibrarysOwnLoopsGiveTheReferencesStatusAndResult) {
  const ScopedVariable own_loops("PYC_CBLAS", "none");
  try_many(make_context().get(), kCalls, kSeed);
}

TEST(RandomCalls, ACblasGivesTheReferencesStatusAndResult) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer does not see the threads of a library that was built without it";
#endif
  try_many(make_context().get(), kCalls, kSeed + 1);
}

}  // namespace
