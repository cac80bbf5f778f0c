#!/usr/bin/env bash
# Overruns of stack arrays end in an error and a report for every kind of compilation, and the
# report names the array and the line.
# rules: S42
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"

cat >"$work/overrun.cu" <<'CU'
#include <cstdlib>
__device__ int sink;
__device__ void fill(volatile int *array, int count)
{
    for (int i = 0; i < count; i++) {
        array[i] = i;
    }
}
__device__ __noinline__ int inner(int count)
{
    int own[4], *volatile p = own;
    fill(p, count);
    return own[count & 3];
}
__global__ void kernel(int count, int in_function)
{
    int few[6], *volatile p = few;
    if (in_function) {
        sink = inner(count);
    } else {
        fill(p, count);
        sink = few[count & 3];
    }
}
int main(int, char **argv)
{
    kernel<<<1, 1>>>(atoi(argv[1]), atoi(argv[2]));
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
CU

found() { CDP_TEST_WORKERS=2 "$top/tests/run_cu.sh" '^s42_overruns' -- "$@"; }
overrun() { # overrun COUNT IN_FUNCTION REGEX...
    "$work/overrun" "$1" "$2" 2>"$work/err" || { echo "no error"; cat "$work/err"; return 1; }
    says "$work/err" 'the stack was overwritten' 'in kernel kernel, block \(0,0,0\), thread \(0,0,0\)' "${@:3}"
}
named() { # named WORD...
    "$CDPCC" "$@" "$work/overrun.cu" -o "$work/overrun" || return 1
    overrun 12 0 "'few' \(24 bytes\)" 'at kernel \(overrun.cu:1[6-9]' && overrun 100000 0 "upper end" 'overrun.cu:6' || return 1
    case " $* " in
    *' -lineinfo '*) overrun 40 1 'compile with -g' ;;
    *) overrun 40 1 "'own' \(16 bytes\)" 'at inner \(overrun.cu:1[01]' ;;
    esac
}
for build in -O0 -G -g '-O1 -lineinfo' --check=space --entry=thread; do
    # shellcheck disable=SC2086
    check "overruns are found with $build" found $build
done
for build in -G '-O2 -g' '-O3 -lineinfo' --check=space; do
    # shellcheck disable=SC2086
    check "reports of overruns name arrays with $build" named $build
done
finish
