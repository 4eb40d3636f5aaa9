/* Multiplies two fp32 matrices through PyC, says which rung did it and why, and checks the result.
 *
 *     pyc_example_gemm [--m M] [--n N] [--k K] [--layout nn|nt|tn|tt] [--device host|ORDINAL]
 *
 * Without --device: the first GPU if PyC can use it, host memory otherwise. Exit status: 0 the result is right, 1 it
 * is wrong, 2 it could not be computed. */
#include "pyc/gemm.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { kRight = 0, kWrong = 1, kError = 2, kDeviceUnset = -2 };

static const char *const kLayoutNames[] = {"nn", "nt", "tn", "tt"}; /* in the order of pyc_layout */

typedef struct Options {
  int64_t m, n, k;
  pyc_layout layout;
  int device;
} Options;

typedef struct Matrices {
  float *a, *b, *c; /* host copies */
  size_t a_bytes, b_bytes, c_bytes;
  void *device_a, *device_b, *device_c; /* in the context's memory */
} Matrices;

static int usage(const char *what, const char *value) {
  fprintf(stderr,
          "error: %s \"%s\"\n\n"
          "hint: pyc_example_gemm [--m M] [--n N] [--k K] [--layout nn|nt|tn|tt] [--device host|ORDINAL]\n",
          what, value);
  return kError;
}

static int parse_integer(const char *text, int64_t least, int64_t most, int64_t *value) {
  char *end = NULL;
  errno = 0;
  *value = strtoll(text, &end, 10);
  return errno == 0 && end != text && *end == '\0' && *value >= least && *value <= most;
}

static int parse_layout(const char *text, pyc_layout *layout) {
  for (int i = PYC_LAYOUT_NN; i <= PYC_LAYOUT_TT; ++i) {
    if (strcmp(text, kLayoutNames[i]) != 0) continue;
    *layout = (pyc_layout)i;
    return 1;
  }
  return 0;
}

static int parse_options(int count, char **arguments, Options *options) {
  for (int i = 1; i < count; i += 2) {
    const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
    int64_t number = 0;
    if (strcmp(name, "--device") == 0 && strcmp(value, "host") == 0) {
      options->device = PYC_DEVICE_HOST;
    } else if (strcmp(name, "--device") == 0) {
      if (!parse_integer(value, 0, INT32_MAX, &number)) return usage("--device takes host or an ordinal, not", value);
      options->device = (int)number;
    } else if (strcmp(name, "--layout") == 0) {
      if (!parse_layout(value, &options->layout)) return usage("--layout takes nn, nt, tn or tt, not", value);
    } else {
      int64_t *const size = strcmp(name, "--m") == 0   ? &options->m
                            : strcmp(name, "--n") == 0 ? &options->n
                            : strcmp(name, "--k") == 0 ? &options->k
                                                       : NULL;
      if (size == NULL) return usage("unknown option", name);
      if (!parse_integer(value, 0, 1 << 20, size)) return usage("a size is 0 to 1048576, not", value);
    }
  }
  return kRight;
}

/* A failed call of PyC: its status and the sentence behind it. */
static int failed(pyc_status status, const char *call) {
  if (status == PYC_STATUS_SUCCESS) return 0;
  fprintf(stderr, "error: %s: %s\n  %s\n", call, pyc_status_string(status), pyc_last_error_detail());
  return 1;
}

static int open_context(Options *options, pyc_context **context) {
  if (options->device != kDeviceUnset)
    return failed(pyc_context_create(options->device, context), "pyc_context_create");
  const pyc_status status = pyc_context_create(0, context);
  const int unusable = status == PYC_STATUS_NO_DEVICE || status == PYC_STATUS_DRIVER_TOO_OLD;
  options->device = unusable ? PYC_DEVICE_HOST : 0;
  if (!unusable) return failed(status, "pyc_context_create");
  printf("device: host (%s)\n", pyc_last_error_detail());
  return failed(pyc_context_create(PYC_DEVICE_HOST, context), "pyc_context_create");
}

/* Uniform in [-1, 1) with a full mantissa: a 64-bit linear congruential generator (Knuth's MMIX constants). */
static void fill_random(float *values, size_t count, uint64_t seed) {
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    values[i] = (float)((double)(seed >> 40) / (double)(1 << 23) - 1.0);
  }
}

static int make_matrices(const Options *o, Matrices *x) {
  x->a_bytes = (size_t)(o->m * o->k) * sizeof(float);
  x->b_bytes = (size_t)(o->k * o->n) * sizeof(float);
  x->c_bytes = (size_t)(o->m * o->n) * sizeof(float);
  x->a = malloc(x->a_bytes + 1);
  x->b = malloc(x->b_bytes + 1);
  x->c = malloc(x->c_bytes + 1);
  if (x->a == NULL || x->b == NULL || x->c == NULL) {
    fprintf(stderr, "error: host memory is exhausted\n");
    return 1;
  }
  fill_random(x->a, x->a_bytes / sizeof(float), 1);
  fill_random(x->b, x->b_bytes / sizeof(float), 2);
  memset(x->c, 0xff, x->c_bytes); /* NaN: beta is 0, so none may survive */
  return memory_allocate(o->device, x->a_bytes, &x->device_a) || memory_allocate(o->device, x->b_bytes, &x->device_b) ||
         memory_allocate(o->device, x->c_bytes, &x->device_c) ||
         memory_upload(o->device, x->device_a, x->a, x->a_bytes) ||
         memory_upload(o->device, x->device_b, x->b, x->b_bytes) ||
         memory_upload(o->device, x->device_c, x->c, x->c_bytes);
}

static void free_matrices(const Options *o, Matrices *x) {
  if (x->device_a != NULL) memory_free(o->device, x->device_a);
  if (x->device_b != NULL) memory_free(o->device, x->device_b);
  if (x->device_c != NULL) memory_free(o->device, x->device_c);
  free(x->a);
  free(x->b);
  free(x->c);
}

/* What every rung said, then the one that served the call. */
static void print_reports(const pyc_rung_report *reports, size_t count) {
  char text[4096];
  pyc_explanation_text(reports, count, text, sizeof text);
  printf("%s", text);
  for (size_t i = 0; i < count; ++i) {
    if (reports[i].verdict != PYC_VERDICT_CHOSEN) continue;
    printf("rung: %s\nsymbol: %s\n", pyc_rung_name(reports[i].rung), reports[i].symbol);
    return;
  }
  printf("rung: none\n");
}

static int multiply(pyc_context *context, const Options *o, Matrices *x) {
  const pyc_gemm_desc desc = pyc_gemm_desc_packed(PYC_DTYPE_FP32, o->layout, o->m, o->n, o->k);
  pyc_rung_report reports[PYC_RUNG_SLOTS];
  size_t count = 0;
  if (failed(pyc_gemm(context, &desc, 1.0f, x->device_a, x->device_b, 0.0f, x->device_c, NULL), "pyc_gemm")) return 1;
  reports[0].struct_size = sizeof reports[0];
  if (failed(pyc_gemm_explain(context, &desc, 1.0f, x->device_a, x->device_b, 0.0f, x->device_c, NULL, reports,
                              PYC_RUNG_SLOTS, &count),
             "pyc_gemm_explain")) {
    return 1;
  }
  print_reports(reports, count);
  return memory_download(o->device, x->c, x->device_c, x->c_bytes);
}

/* Elements of op(A) and op(B), whichever way each is stored. */
static double element_a(const Options *o, const Matrices *x, int64_t row, int64_t p) {
  const int transposed = o->layout == PYC_LAYOUT_TN || o->layout == PYC_LAYOUT_TT;
  return transposed ? x->a[p * o->m + row] : x->a[row * o->k + p];
}

static double element_b(const Options *o, const Matrices *x, int64_t p, int64_t column) {
  const int transposed = o->layout == PYC_LAYOUT_NT || o->layout == PYC_LAYOUT_TT;
  return transposed ? x->b[column * o->k + p] : x->b[p * o->n + column];
}

/* One row of op(A) op(B) in double precision, and the row of sums of |a| |b| that bounds its rounding errors. */
static void reference_row(const Options *o, const Matrices *x, int64_t row, double *sum, double *magnitude) {
  memset(sum, 0, (size_t)o->n * sizeof(double));
  memset(magnitude, 0, (size_t)o->n * sizeof(double));
  for (int64_t p = 0; p < o->k; ++p) {
    const double a = element_a(o, x, row, p);
    for (int64_t j = 0; j < o->n; ++j) {
      const double product = a * element_b(o, x, p, j);
      sum[j] += product;
      magnitude[j] += fabs(product);
    }
  }
}

/* Compares every row of a small product and evenly spaced rows of a large one. An element is right if it is within
 * sqrt(k) + 8 roundings of the reference, relative to the sum of |a| |b|; a NaN is wrong. */
static int check(const Options *o, const Matrices *x) {
  const double row_work = (double)o->n * (double)o->k + 1.0;
  const double affordable = 2e9 / row_work;
  const int64_t rows = affordable >= (double)o->m ? o->m : affordable < 8.0 ? 8 : (int64_t)affordable;
  double *const sum = malloc((size_t)o->n * sizeof(double) + 1), *const magnitude =
                                                                     malloc((size_t)o->n * sizeof(double) + 1);
  double max_error = 0.0;
  int64_t wrong = 0;
  const int64_t checked = rows < o->m ? rows : o->m;
  for (int64_t i = 0; sum != NULL && magnitude != NULL && i < checked; ++i) {
    const int64_t row = checked == 1 ? 0 : i * (o->m - 1) / (checked - 1);
    reference_row(o, x, row, sum, magnitude);
    for (int64_t j = 0; j < o->n; ++j) {
      const double error = fabs((double)x->c[row * o->n + j] - sum[j]);
      const double bound = (sqrt((double)o->k) + 8.0) * FLT_EPSILON * magnitude[j];
      if (!(error <= bound)) ++wrong;
      if (!(error <= max_error)) max_error = error;
    }
  }
  const int ran = sum != NULL && magnitude != NULL;
  free(sum);
  free(magnitude);
  if (!ran) {
    fprintf(stderr, "error: host memory is exhausted\n");
    return kError;
  }
  printf("max error: %.3g over %lld of %lld rows, against a double-precision loop\n", max_error, (long long)checked,
         (long long)o->m);
  printf("result: %s\n", wrong == 0 ? "right" : "WRONG");
  return wrong == 0 ? kRight : kWrong;
}

int main(int argc, char **argv) {
  Options options = {256, 256, 256, PYC_LAYOUT_NN, kDeviceUnset};
  if (parse_options(argc, argv, &options) != kRight) return kError;
  pyc_context *context = NULL;
  if (open_context(&options, &context)) return kError;
  Matrices matrices = {0};
  int result = kError;
  if (!make_matrices(&options, &matrices) && !multiply(context, &options, &matrices))
    result = check(&options, &matrices);
  free_matrices(&options, &matrices);
  pyc_context_destroy(context);
  return result;
}
