// The seven lines of the gate, one function each; docs/promotion.md says what each of them guards against. Lines 1 to 4
// ask whether the evidence may be listened to at all, lines 5 to 7 what its samples say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hpc/gate.h"
#include "hpc/gate_timing.h"

namespace pyc::hpc {

GateLine judge_validation(const GateInput &input);
GateLine judge_benchmark(const GateInput &input);
GateLine judge_sources(const GateInput &input);
GateLine judge_incumbent(const GateInput &input);
GateLine judge_speed(const GateInput &input, const GateTiming &timing);
GateLine judge_regression(const GateInput &input, const GateTiming &timing);
GateLine judge_noise(const GateInput &input, const GateTiming &timing);

// Whether the estimate clears the bar of line 5 and the interval does not.
bool is_ambiguous(const RatioInterval &ratio);

// How many --repeats would decide a line 5 that is ambiguous; no value if it is not, or if bench does not take as many.
std::optional<std::int64_t> repeats_to_decide(const GateTiming &timing);

// Why a document says nothing about this candidate: another name, selector, arch or digest, made on another GPU arch or
// on none, or only planned. Empty if it does say something.
std::string unfit_reason(const evidence::Header &header, const workspace::Candidate &candidate);

// A check that says that it passed, and whose own figures agree.
bool holds(const evidence::Check &check);

// Passed if there is no reason against it.
GateLine gate_line(int number, std::string title, std::string figure, std::string reason);

std::string gpu_name(const evidence::Header &header);
std::string run_again(const evidence::Header &header, const workspace::Candidate &candidate);  // "; run `pyc hpc ...`"

}  // namespace pyc::hpc
