#!/usr/bin/env bash
# Prints two markdown tables: what launches, threads and barriers cost, and how kernels
# compare with OpenMP.  Medians of 7 rounds; the two sides of a comparison alternate.
#
# Environment: CDPCC, CDP_WORKERS (and OpenMP's threads: the same number).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CDPCC=${CDPCC:-$here/../build/bin/cdpcc}
CLANG=${CLANG:-clang-22}
command -v "$CDPCC" >/dev/null || { echo "run.sh: no cdpcc at $CDPCC (set CDPCC)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

threads=${CDP_WORKERS:-$(nproc)}
export CDP_WORKERS=$threads OMP_NUM_THREADS=$threads OMP_PROC_BIND=true KMP_BLOCKTIME=0

echo "$(uname -m), $threads workers, $("$CDPCC" --version | head -n 1)"
echo
"$CDPCC" -O3 "$here/launches.cu" -o "$work/launches"
echo "One worker:"
echo
CDP_WORKERS=1 "$work/launches"
echo
"$CLANG" -O3 -march=native -fopenmp -fno-math-errno -c "$here/openmp.c" -o "$work/openmp.o"
"$CDPCC" -O3 "$here/flat.cu" "$work/openmp.o" -o "$work/flat" \
    -L"$(llvm-config-22 --libdir)" -lomp -Xlinker -rpath="$(llvm-config-22 --libdir)"
echo "$threads workers, $threads OpenMP threads:"
echo
"$work/flat"
