#!/usr/bin/env bash
# Code that C++ leaves undefined has the same value at every -O, with and without AVX-512 and AVX2,
# in block and thread entries: tests/cu's s58_* and the like, compiled in each way. aarch64.sh runs
# them too.
# rules: S58
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
tests='^(s58_|what_cpp_leaves_open|s42_division_by_zero)'

each() {
    CDP_TEST_WORKERS=2 CDP_TEST_THREADS=1 bash "$top/tests/run_cu.sh" "$tests" -- "$@"
}

for level in -O0 ${CDP_TEST_ALL:+-O1 -O2} -O3; do
    check "$level" each "$level"
done
if [ "$(uname -m)" = x86_64 ]; then
    for processor in x86-64 x86-64-v3 x86-64-v4; do
        grep -q avx512vl /proc/cpuinfo || [ $processor != x86-64-v4 ] || continue
        check "-march=$processor" each "-march=$processor"
    done
fi
finish
