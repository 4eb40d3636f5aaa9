// A linear layer through PyC: y = x W^T + b for several batches of rows, by one plan. W is stored output by output, so
// it is the transposed operand of layout nt; the bias stands in y before the call, and beta = 1 adds it.
//
//     pyc_example_linear [host|ORDINAL]
//
// Without an argument: the first GPU if PyC can use it, host memory otherwise. Exit status: 0 the result is right, 1 it
// is wrong, 2 it could not be computed.
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "buffer.h"
#include "pyc_raii.h"

namespace {

using namespace pyc_example;

constexpr int64_t kRows = 96, kInputs = 200, kOutputs = 72;
constexpr int kBatches = 3;

int32_t first_usable_device() {
  try {
    Context probe(0);
    return 0;
  } catch (const Error &error) {
    if (error.status != PYC_STATUS_NO_DEVICE && error.status != PYC_STATUS_DRIVER_TOO_OLD) throw;
    std::printf("device: host (%s)\n", error.what());
    return PYC_DEVICE_HOST;
  }
}

int32_t parse_device(const char *text) {
  if (std::strcmp(text, "host") == 0) return PYC_DEVICE_HOST;
  int32_t ordinal = 0;
  const char *const end = text + std::strlen(text);
  const auto [stop, failure] = std::from_chars(text, end, ordinal);
  if (failure != std::errc() || stop != end || ordinal < 0) {
    throw std::invalid_argument(std::string("the device is host or an ordinal, not \"") + text + "\"");
  }
  return ordinal;
}

std::vector<float> random_values(size_t count, uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> values(count);
  for (float &value : values) value = uniform(generator);
  return values;
}

std::vector<float> rows_of(const std::vector<float> &bias) {
  std::vector<float> rows;
  for (int64_t i = 0; i < kRows; ++i) rows.insert(rows.end(), bias.begin(), bias.end());
  return rows;
}

// Elements outside sqrt(k) + 8 roundings of a double-precision sum, relative to the sum of magnitudes. A NaN is
// outside.
int count_wrong(const std::vector<float> &x, const std::vector<float> &weights, const std::vector<float> &bias,
                const std::vector<float> &y) {
  const double roundings = (std::sqrt(double(kInputs)) + 8.0) * std::numeric_limits<float>::epsilon();
  int wrong = 0;
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j < kOutputs; ++j) {
      double sum = bias[size_t(j)], magnitude = std::fabs(sum);
      for (int64_t p = 0; p < kInputs; ++p) {
        const double product = double(x[size_t(i * kInputs + p)]) * weights[size_t(j * kInputs + p)];
        sum += product;
        magnitude += std::fabs(product);
      }
      if (!(std::fabs(y[size_t(i * kOutputs + j)] - sum) <= roundings * magnitude)) ++wrong;
    }
  }
  return wrong;
}

int run(int32_t device) {
  const Context context(device);
  const uint32_t alignment = device == PYC_DEVICE_HOST ? alignof(std::max_align_t) : 256;  // of malloc, of cudaMalloc
  const Plan layer(context, pyc_gemm_desc_packed(PYC_DTYPE_FP32, PYC_LAYOUT_NT, kRows, kOutputs, kInputs), alignment);
  std::printf("%s", layer.explain().c_str());

  const std::vector<float> weights = random_values(kOutputs * kInputs, 1), bias = random_values(kOutputs, 2);
  const Buffer<float> device_weights(device, weights);
  int wrong = 0;
  for (uint32_t batch = 0; batch < kBatches; ++batch) {
    const std::vector<float> x = random_values(kRows * kInputs, 3 + batch);
    const Buffer<float> device_x(device, x), device_y(device, rows_of(bias));
    layer.run(1.0f, device_x.get(), device_weights.get(), 1.0f, device_y.get());
    wrong += count_wrong(x, weights, bias, device_y.download());
  }
  std::printf("batches: %d of %lld rows\nresult: %s\n", kBatches, static_cast<long long>(kRows),
              wrong == 0 ? "right" : "WRONG");
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char **arguments) {
  try {
    return run(count > 1 ? parse_device(arguments[1]) : first_usable_device());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
