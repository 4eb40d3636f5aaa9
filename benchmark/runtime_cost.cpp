// What a call of the runtime costs, against the bars that it must keep.
//
//     pyc_runtime_cost
//
// Prints one line a figure. Exit status: 0 every bar is kept, 1 one is missed.
#include "runtime_cost.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

thread_local uint64_t allocation_count = 0;

void *allocate(size_t bytes, size_t alignment) {
  ++allocation_count;
  void *const memory = alignment <= alignof(std::max_align_t)
                           ? std::malloc(bytes | 1)
                           : std::aligned_alloc(alignment, (bytes + alignment) & ~(alignment - 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void print(const cost::Figure &figure) {
  char bar[32] = "";
  if (figure.has_bar()) std::snprintf(bar, sizeof bar, "%s %.0f", figure.at_least ? ">=" : "<=", figure.bar);
  const char *const verdict = !figure.has_bar() ? "" : figure.is_missed() ? "MISSED" : "kept";
  std::printf("%-58s %10.1f %-6s %-8s %-7s %s\n", figure.name.c_str(), figure.value, figure.unit, bar, verdict,
              figure.note.c_str());
}

}  // namespace

// Counted replacements; the library's objects are part of this program and use them too.
void *operator new(size_t bytes) { return allocate(bytes, 1); }
void *operator new(size_t bytes, std::align_val_t alignment) { return allocate(bytes, size_t(alignment)); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }

uint64_t cost::allocations() { return allocation_count; }

int main() {
  std::printf("%-58s %10s %-6s %-8s %-7s\n", "figure", "value", "unit", "bar", "verdict");
  std::vector<cost::Figure> figures = cost::host_figures();
  std::string why_not;
  for (cost::Figure &figure : cost::device_figures(&why_not)) figures.push_back(figure);
  bool missed = false;
  for (const cost::Figure &figure : figures) {
    print(figure);
    missed = missed || figure.is_missed();
  }
  if (!why_not.empty()) std::printf("device figures: not run (%s)\n", why_not.c_str());
  return missed ? 1 : 0;
}
