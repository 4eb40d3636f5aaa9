#!/usr/bin/env bash
# docs/adversaries.md and the kernels name each other: every defect and every cheat that is built stands there, and every
# kernel that stands there is built. Exit code 0: so it is; 1: some are missing, and are named.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
page=$here/../../docs/adversaries.md

rows() { grep -v -e '^#' -e '^ *$' "$@"; }

# The names of what is built: a defect or cheat by its macro, others by the name of their row.
built() {
  rows "$here/kernels.txt" | grep -o 'DEFECT=[a-z0-9_]*' | cut -d= -f2
  rows "$here/kernels.txt" | awk '$2 == "atomics" { print $1 }'
  rows "$here/speed/kernels.txt" | awk '$1 != "honest" && $1 != "template" { print $1 }'
}

# The words in backquotes of the tables' last column.
named() { grep '^|' "$page" | awk -F'|' '{ print $4 }' | grep -o '`[a-z0-9_]*`' | tr -d '`'; }

missing=$(comm -23 <(built | sort -u) <(named | sort -u) | sed 's/$/: built, but not in docs\/adversaries.md/')
unknown=$(comm -13 <(built | sort -u) <(named | sort -u) | sed 's/$/: in docs\/adversaries.md, but not built/')
[ -z "$missing$unknown" ] || { printf '%s\n' "$missing" "$unknown" | grep . && exit 1; }
