#!/usr/bin/env bash
# Formats C, C++ and CUDA sources with clang-format 14 and the checked-in style. Left alone: candidates, which belong to
# their authors and are immutable once promoted, and generated files.
#   scripts/format.sh           rewrites the files
#   scripts/format.sh --check   names the files that differ and exits with 1; exits with 77 if there is no clang-format 14
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find_formatter() {
  local name
  for name in clang-format-14 clang-format; do
    if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
      echo "$name"
      return
    fi
  done
}

formatter=$(find_formatter)
if [ -z "$formatter" ]; then
  echo "skipped: clang-format 14 was not found (other versions format differently)" >&2
  exit 77
fi

sources() {
  find src include kernels examples tests benchmark \
    \( -path kernels/.build -o -path kernels/results -o -path kernels/prototypes \
    -o -path src/compiler/cutlass_kernels/registry \) -prune -o \
    -type f \( -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 2>/dev/null || true
}

case "${1:-}" in
  '') sources | xargs -0 "$formatter" -i ;;
  --check)
    differing=$(sources | xargs -0 "$formatter" --dry-run 2>&1 | grep -oE '^[^ :]+\.(h|c|cpp|cu|cuh):[0-9]+:' |
      cut -d: -f1 | sort -u || true)
    [ -z "$differing" ] && exit 0
    echo "these files are not formatted; run scripts/format.sh:" >&2
    echo "$differing" >&2
    exit 1
    ;;
  *)
    echo "error: unknown argument '$1'" >&2
    echo "hint: scripts/format.sh [--check]" >&2
    exit 2
    ;;
esac
