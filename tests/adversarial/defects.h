// The ways in which a kernel of this folder can be wrong: one per build, chosen by -DDEFECT=NAME. kernels.txt says
// which check must find each.
#ifndef PYC_TESTS_ADVERSARIAL_DEFECTS_H
#define PYC_TESTS_ADVERSARIAL_DEFECTS_H

enum class Defect {
  none,

  // The result as a whole.
  zeros,             // C = 0
  tiny_values,       // C = 1e-3 of the result
  nan_everywhere,    // C = NaN
  truncates_output,  // rounds towards zero instead of to nearest

  // Terms along k.
  skips_k_remainder,         // of 16
  drops_last_term,           // the last k
  drops_middle_term,         // one k in the middle
  adds_slice_twice,          // the first 16 k
  one_element_drops_a_term,  // only in the last row and column
  repeats_last_term,         // adds the last k again if k is odd
  diagonal_only,             // takes A for a diagonal matrix

  // Rows, columns and tiles.
  skips_last_row,
  skips_last_column,
  skips_edge_rows,  // those beyond the last whole tile of 64
  leaves_a_tile,    // the last tile is not written
  swaps_two_rows,   // rows 0 and 1 of C

  // alpha and beta.
  ignores_alpha,
  alpha_in_element_type,  // rounded to fp16 or bf16 (fp32: to bf16)
  alpha_on_c_too,         // alpha * (A*B + beta*C)
  rounds_before_alpha,    // A*B in the element type, then alpha
  ignores_beta,
  beta_twice,            // beta * beta * C
  beta_only_one,         // any beta but 0 taken for 1
  reads_c_at_beta_zero,  // 0 * C

  // Leading dimensions and layouts.
  lda_packed,  // the row's length taken for the leading dimension
  ldb_packed,
  ldc_packed,
  transposes_square_a,    // reads A transposed where m == k
  swaps_square_operands,  // computes B*A where m == n == k
  wrong_layout,           // takes B for stored the other way round

  // Precision.
  tf32_inputs,  // 10 bits of mantissa
  bf16_inputs,  // one bf16 plane
  bf16x3,       // two planes, three products
  accumulates_in_fp16,
  accumulates_in_bf16,
  stores_tf32,        // the result with 10 bits of mantissa
  bf16_partial_sums,  // four partial sums along k, each kept in bf16
  fp16_partial_sums,

  // Memory.
  writes_behind,          // one element behind the last
  writes_before,          // one element before the first
  writes_padding,         // behind every row
  writes_edge_tile,       // whole rows of the last tile, beyond n
  uses_what_lies_behind,  // multiplies A beyond k with zeros
  reads_behind,           // reads behind A and does not use it
  reads_before,           // reads before B and does not use it
  reads_c_behind,         // reads behind C and does not use it
  changes_a,              // one bit of the first element
  scales_b,               // writes B back, slightly changed
  offset_in_32_bits,      // row * ld overflows
  bytes_in_32_bits,       // 4 * row * ld overflows
  rounds_pointers_down,   // to 16 bytes
  vectors_unaligned,      // 16-byte loads where only ld allows them
  workspace_overrun,      // writes one element behind the workspace
  workspace_underrun,     // writes one element before it
  workspace_used_behind,  // adds zero times what lies behind it
  workspace_read_behind,  // reads behind it and does not use it
  expects_zeroed_workspace,

  // Shared memory.
  no_barrier_before,     // before a tile is read; one warp writes its part late
  no_barrier_behind,     // before a tile is overwritten; one warp reads it late
  uninitialised_shared,  // adds shared memory that nobody wrote

  // State, streams and graphs.
  wrong_at_call_11,
  wrong_at_second_call,  // a counter in a device global that is not reset
  keeps_last_k,          // uses the k of the call before
  skips_repeated_call,   // does nothing if the arguments are those of the call before
  global_scratch,        // result through a device global
  default_stream,
  own_stream,  // a stream of its own, not joined
  synchronises,
  hogs_default_stream,      // leaves a kernel that spins on the default stream, which slows whoever is next
  allocates,                // cudaMalloc and cudaFree in the call
  queries_stream,           // cudaStreamQuery: refused under capture
  idle_under_capture,       // enqueues nothing while the stream is being captured
  freezes_b_under_capture,  // a graph works on a copy of B made at capture
  changes_a_under_capture,  // one bit of the first element, when a graph is replayed

  // Special values.
  skips_zeros,           // leaves out terms whose A is 0: NaN * 0 is lost
  clamps_infinity,       // stores the largest number instead
  nan_to_zero,           // stores 0 instead of NaN
  flushes_fp16,          // subnormal fp16 numbers are 0
  flushes_fp16_results,  // in results only
  spoils_row_of_nan,     // one NaN in A makes the next row NaN too

  // What precision allows: no defect.
  bf16x6,  // three planes, six products, the small ones added up before they meet the sum

  // What the policy for special values allows: no defects.
  flushes_subnormals,    // of fp32 and bf16, in inputs and in results
  other_zeros_and_nans,  // zeros of the other sign, and a NaN of its own

  // Answers.
  answers_error,
  launch_fails,          // asks for too much shared memory and says success
  hides_failed_launch,   // the same, and clears the error
  accepts_unsupported,   // serves a k that `requires` excludes
  refuses_but_writes,    // answers unsupported, and zeroes C
  refuses_but_enqueues,  // answers unsupported, and enqueues an empty kernel
  refuses_but_strays,    // answers unsupported, and changes A on the default stream
  refuses_odd_only,      // asks for an even k where `requires` says 16

  // Shapes.
  wrong_when_large,    // m*n >= 2^22
  wrong_when_one_row,  // m == 1
  wrong_when_wide,     // n >= 16 * m, m > 1
};

#ifndef DEFECT
#define DEFECT none
#endif
constexpr Defect kDefect = Defect::DEFECT;
__host__ __device__ constexpr bool is(Defect defect) { return kDefect == defect; }

#endif
