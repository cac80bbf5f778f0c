#!/usr/bin/env bash
# Measures everything in docs/performance.md, and writes build/bench/table.md: kernels without device
# launches compared with OpenMP, the costs of launches, trees compared with C, and what block entries
# cost the compiler. Every result is checked. Takes about four minutes on two idle cores.
#
# flat: the kernels without device launches.
#
#   run.sh [flat|launches|trees|compiler|nccl|checks]...   default: all but checks; "": build only
#
# checks is the cost of checked builds, and takes as long as the others together.
#
# Environment: CDPCC, CLANG; CDP_WORKERS (and OpenMP's threads: the same number; default: the
# processors); BENCH_ROUNDS (7); BENCH_MARCH (native), the processor to compile for; BENCH_BUILD
# (build/bench).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CDPCC=${CDPCC:-$here/../build/bin/cdpcc}
CLANG=${CLANG:-clang-22}
BENCH_BUILD=${BENCH_BUILD:-$here/../build/bench}
rounds=${BENCH_ROUNDS:-7}
workers=${CDP_WORKERS:-$(nproc)}
machine=${BENCH_MARCH:-native}
command -v "$CDPCC" >/dev/null || { echo "run.sh: no cdpcc at $CDPCC (set CDPCC)" >&2; exit 2; }
[ "$rounds" -ge 7 ] || echo "run.sh: fewer than 7 rounds are a first look only" >&2
mkdir -p "$BENCH_BUILD"
cd "$BENCH_BUILD"
export CDPCC BENCH_BUILD CDP_WORKERS=$workers
# OpenMP's threads spin while they work and for 5 ms after that, then release the processors.
export OMP_NUM_THREADS=$workers OMP_PROC_BIND=true KMP_BLOCKTIME=5

omp_libraries=$(llvm-config-22 --libdir)
compile() {
    "$CLANG" -std=gnu11 -O2 -Wall -Wextra "$@"
}
reference() {
    compile -O3 -march="$machine" -fopenmp -fno-math-errno "$@" -L"$omp_libraries" \
        -Wl,-rpath,"$omp_libraries" -lm
}
kernels() {
    "$CDPCC" -O3 -march="$machine" --entry=block "$@" -lm
}
build() {
    compile "$here/common/alternate.c" -o alternate
    compile -c "$here/common/serve.c" -o serve.o
    compile -c "$here/flat/workloads.c" -o flat.o
    compile -c "$here/trees/workloads.c" -o trees.o
    reference "$here/flat/openmp.c" flat.o serve.o -o flat_openmp
    reference "$here/trees/reference.c" trees.o serve.o -o trees_c
    kernels "$here/flat/cuda.cu" flat.o serve.o -o flat_cuda &
    local flat=$!
    kernels "$here"/trees/{quicksort,bfs,quadtree,leaves}.cu trees.o serve.o -o trees_cuda
    kernels "$here/launches.cu" -o launches
    "$CDPCC" -O2 "$here/nccl.cu" -lnccl -o nccl
    wait "$flat"
}

flat() {
    echo "## Kernels without device launches, $workers workers"
    echo
    echo "OpenMP's time, and times over it: with block entries, and by thread entries only."
    echo
    ./alternate -n "$rounds" "OpenMP=./flat_openmp" "cdpcc=./flat_cuda" \
        "thread entries=BENCH_REPEATS=1 CDP_ENTRY=thread ./flat_cuda"
    echo
}
launches() {
    echo "## Launches: the host's with $workers workers, the others with one"
    echo
    ./launches host
    echo
    CDP_WORKERS=1 ./launches device
    echo
    CDP_WORKERS=1 CDP_ENTRY=thread ./launches threads
    echo
}
trees() {
    for count in 1 2; do
        echo "## Trees, $count of workers and threads"
        echo
        OMP_NUM_THREADS=$count CDP_WORKERS=$count ./alternate -n "$rounds" "C=./trees_c" \
            "cdpcc=./trees_cuda" "thread entries=CDP_ENTRY=thread ./trees_cuda"
        echo
    done
}
compiler() {
    echo "## What block entries cost the compiler"
    echo
    "$here/size.sh" "$here/flat/cuda.cu" "$here"/../examples/*.cu
    echo
}
nccl() {
    echo "## NCCL's all-reduce, beside a copy between two devices, $workers workers"
    echo
    ./nccl "$rounds"
    echo
}

# The times over those of unchecked code, with -O2. The last line is their geometric mean.
checks() {
    local kind programs=()
    for kind in unchecked memory init race all count; do
        local flag=(--check="$kind")
        case $kind in
        unchecked) flag=() ;;
        all) flag=(--check) ;;
        count) flag=(--count) ;;
        esac
        "$CDPCC" -O2 -w "${flag[@]}" "$here/flat/cuda.cu" flat.o serve.o -lm -o "flat_$kind"
        "$CDPCC" -O2 -w "${flag[@]}" "$here"/trees/{quicksort,bfs,quadtree,leaves}.cu trees.o \
            serve.o -lm -o "trees_$kind"
    done
    echo "## Checked builds, $workers workers"
    echo
    for kind in flat trees; do
        programs=("unchecked=./${kind}_unchecked")
        local check
        for check in memory init race all count; do
            programs+=("$check=BENCH_REPEATS=1 ./${kind}_$check")
        done
        ./alternate -n "$rounds" "${programs[@]}" 2>/dev/null
        echo
    done | tee checks.md
    awk -F'|' 'NF > 5 { for (i = 4; i < NF - 1; i++) if ($i + 0 > 0) { sum[i] += log($i); n[i]++ } }
        END { printf "geometric means:"
              for (i = 4; n[i] > 0; i++) printf " %.1f", exp(sum[i] / n[i])
              print "" }' checks.md
    echo
}

[ $# -gt 0 ] || set -- flat launches trees compiler nccl
build
{
    echo "# cdpcc's measurements"
    echo
    echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors;" \
        "$("$CDPCC" --version | head -n 1); medians of $rounds rounds."
    echo
    for part; do
        $part
    done
} | tee table.md
