#!/bin/sh
# The conversion in docs/compiler-next/kernel-lab.md, done as it is written there, in a workspace of its own.
#   conversion.sh compile|validate FOLDER     pyc is found in PATH
# compile: the three files of the page make a candidate that compiles. validate: and that is right on this machine's GPU,
# whose arch takes the place of the page's.
# Exit codes: 0 yes, 1 no, 77 there is no nvcc, or for validate no GPU of an arch that PyC promotes for.
set -u
mode=$1 folder=$2
checkout=$(cd "$(dirname "$0")/../.." && pwd)
name=ada_async_import
page=$checkout/docs/compiler-next/kernel-lab.md

rm -rf "$folder" && mkdir -p "$folder/kernels/registry" "$folder/kernels/prototypes" "$folder/src/compiler/cutlass_kernels/registry"
cp -r "$checkout/kernels/lab" "$checkout/kernels/harness" "$checkout/kernels/templates" "$folder/kernels/"
cp -r "$checkout/include" "$folder/"
printf '{\n  "schema": "pyc.registry/1",\n  "records": []\n}\n' >"$folder/kernels/registry/kernels.json"
cd "$folder" || exit 1

# The code block behind the comment that names the file.
block() { awk -v mark="<!-- file: $1 -->" '$0 == mark { found = 1; next } found && /^```/ { if (inside) exit; inside = 1; next } inside' "$page"; }

pyc hpc import-legacy --legacy-name ada_gemm_k64_warp32_async --name $name --dtype fp32 --arch sm89 || exit 1
for file in kernel.cu harness.cu kernel.json; do
  block "$file" >"kernels/prototypes/$name/$file"
  [ -s "kernels/prototypes/$name/$file" ] || { echo "the page has no block for $file"; exit 1; }
done
rm "kernels/prototypes/$name/gemm_program.cuh"
pyc hpc validate --name $name --dry-run || exit 1

nvcc=$(command -v nvcc || ls "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" 2>/dev/null) || { echo "skipped: no nvcc"; exit 77; }
if [ "$mode" = compile ]; then
  "$nvcc" -std=c++17 -O3 -gencode=arch=compute_89,code=sm_89 -Xptxas -v -I include -c "kernels/prototypes/$name/kernel.cu" -o kernel.o
  exit $?
fi
arch=$(pyc lab task-hardware --json | sed -n 's/.*"arch": "\(.*\)".*/\1/p')
case "$arch" in
  sm89 | sm90) ;;
  *) echo "skipped: no GPU of sm89 or sm90"; exit 77 ;;
esac
sed -i "s/\"arch\": \"sm89\"/\"arch\": \"$arch\"/" "kernels/prototypes/$name/kernel.json"
pyc hpc validate --name $name
