#!/usr/bin/env bash
# Findings of threads that have used most of their stack: a report must not overflow the stack while
# it holds the lock of all findings. Then the program would hang.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/support/checks.bash
. "$top/tests/support/checks.bash"
kinds=memory,init,race,sync

# A long name with many template arguments: the demangler needs much stack for it.
cat >"$work/deep.cu" <<'CU'
#include <cstdlib>
template <class A, class B> struct pair_of_types_with_a_long_name {};
using two = pair_of_types_with_a_long_name<pair_of_types_with_a_long_name<int, float>, double>;
using four = pair_of_types_with_a_long_name<two, pair_of_types_with_a_long_name<two *, two &>>;
__device__ __noinline__ int down(int n, int mistake, int *p)
{
    volatile char frame[1000];
    frame[n % 1000] = (char)n;
    if (n != 0) return down(n - 1, mistake, p) + frame[n % 1000];
    if (mistake == 0 && threadIdx.x == 0) __syncthreads();
    if (mistake == 1) return (int)__ballot_sync(2u << threadIdx.x, 1);
    if (mistake == 2) return *p = threadIdx.x;
    if (mistake == 3) return p[100];
    return p[1];
}
template <class T> __global__ void kernel(int depth, int mistake, int *p)
{
    p[2 + threadIdx.x] = down(depth, mistake, p);
}
int main(int, char **argv)
{
    int *p;
    cudaMalloc(&p, 40);
    kernel<four><<<1, 2>>>(atoi(argv[2]), atoi(argv[1]), p);
    cudaDeviceSynchronize();
    cudaDeviceReset();
    return 0;
}
CU
# The program ends, with its mistake or with a stack overflow.
deep() { # deep MISTAKE WORD
    local depth
    for depth in $(seq "${3:-490}" 4 "${4:-550}"); do
        CDP_CHECK_LOG=$work/text limit 10 "$work/deep" "$1" "$depth" >"$work/out" 2>&1 &&
            grep -Eq "^cdp: $2: |stack overflow" "$work/text" ||
            { echo "depth $depth:"; cat "$work/out" "$work/text"; return 1; }
    done
}
compile deep || fail "the program compiles"
check "a barrier" deep 0 sync
check "a mask" deep 1 sync
check "a race" deep 2 race
check "an overrun" deep 3 memory
check "a read of memory that nobody wrote" deep 4 init
small() { CDP_STACK_KB=16 deep 1 sync 60 160; }
check "a stack that CDP_STACK_KB makes small" small
finish
