# shellcheck shell=bash
# Shared by the scripts: messages, the packages that are missing, and what this machine has. Sourced, not run.
# Every function writes its messages to stderr.

say() { printf '%s\n' "$*" >&2; }
step() { printf '\n== %s\n' "$*" >&2; }

# die CODE MESSAGE HINT: the same form as the tool's own errors.
die() {
  printf 'error: %s\n\nhint: %s\n' "$2" "$3" >&2
  exit "$1"
}

# Flags that both commands take; `take_common_flag FLAG USAGE` answers whether it was one of them.
package_mode=install
take_common_flag() {
  case "$1" in
    -h | --help)
      printf '%s\n' "$2"
      exit
      ;;
    --no-install) package_mode=check ;;     # name what is missing and the command, install nothing, exit with 3
    --skip-packages) package_mode=skip ;;   # do not look: what is needed came from somewhere else
    *) return 1 ;;
  esac
}

# What the two commands need, by the names that Debian 12 and Ubuntu 24.04 share.
# shellcheck disable=SC2034
build_packages=(cmake ninja-build g++ git libfmt-dev libcli11-dev nlohmann-json3-dev libexpected-dev libssl-dev
  libopenblas0-pthread)
# shellcheck disable=SC2034
test_packages=(libgtest-dev librapidcheck-dev pkg-config python3 python3-venv)

# missing_packages NAME...: those that dpkg does not know as installed, one a line.
missing_packages() {
  local name
  for name in "$@"; do
    dpkg-query -W -f='${Status}\n' "$name" 2>/dev/null | grep -q '^install ok installed$' || printf '%s\n' "$name"
  done
}

# install_packages NAME...: installs what is missing, after saying what. Exits with 3 where that is not permitted.
install_packages() {
  if [ "$package_mode" = skip ]; then
    say "Not looked at, as asked."
    return
  fi
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "This is no Debian or Ubuntu: nothing is installed. Needed there are: $*"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then
    say "All packages are installed; nothing to do."
    return
  fi
  local command="apt-get install -y --no-install-recommends ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || command="sudo $command"
  [ "$package_mode" = install ] || die 3 "packages are missing: ${missing[*]}" "$command"
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || die 3 "packages are missing and may not be installed by this user: ${missing[*]}" "$command"
    as_root=(sudo -n)
  fi
  say "Installing: ${missing[*]}"
  say "    $command"
  "${as_root[@]}" apt-get update -qq </dev/null >&2 || die 3 "apt-get update failed" "look at its message above, then: $command"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" \
    </dev/null >&2 || die 3 "the packages could not be installed" "$command"
}

# find_nvcc: the path of nvcc as the tool looks for it, or nothing.
find_nvcc() {
  local home=${CUDA_HOME:-${CUDA_PATH:-}}
  if [ -n "$home" ] && [ -x "$home/bin/nvcc" ]; then
    echo "$home/bin/nvcc"
  elif command -v nvcc; then
    :
  elif [ -x /usr/local/cuda/bin/nvcc ]; then
    echo /usr/local/cuda/bin/nvcc
  fi
}

# use_toolkit_of NVCC: CMake finds the toolkit of an nvcc that is not on PATH.
use_toolkit_of() {
  if [ -n "$1" ] && ! command -v nvcc >/dev/null; then
    CUDAToolkit_ROOT=$(dirname "$(dirname "$1")")
    export CUDAToolkit_ROOT
  fi
}

# gpu_arch: sm90 or sm89 for the first GPU that PyC promotes for, or nothing.
gpu_arch() {
  local capability
  command -v nvidia-smi >/dev/null || return 0
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -d ' ') || return 0
  case "$capability" in
    9.0) echo sm90 ;;
    8.9) echo sm89 ;;
  esac
}

# copy_tree FROM TO: the sources of a checkout (tracked and new files) without build outputs and evidence.
copy_tree() {
  mkdir -p "$2"
  if [ "$(git -C "$1" rev-parse --show-toplevel 2>/dev/null)" = "$1" ]; then
    (cd "$1" && git ls-files -z -co --exclude-standard | while IFS= read -r -d '' file; do
      if [ -e "$file" ]; then printf '%s\0' "$file"; fi
    done | tar --null -T - -cf -) | tar -xf - -C "$2"
  else
    tar -C "$1" --exclude='./build*' --exclude=./dist --exclude=./.venv --exclude=./.git \
      --exclude=./kernels/results --exclude=./kernels/.build -cf - . | tar -xf - -C "$2"
  fi
}
