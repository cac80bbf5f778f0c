#!/bin/bash
# Block entries that a separate process compiles: which ones, and that they and the symbols they use
# are linked correctly, also for units with kernels of the same names.
. "$(dirname "$0")/support.bash"

cat >kernels.h <<'CU'
#include <cstdio>
// Enough of them to make other processes worth it.
template <int K> __global__ void sums(const int *in, int *out, int n) {
    __shared__ int part[128];
    int thread = threadIdx.x;
    int sum = 0;
    for (int i = thread; i < n; i += blockDim.x) {
        sum += in[i] * K + in[(i + K) % n];
    }
    part[thread] = sum;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (thread < half) {
            part[thread] += part[thread + half];
        }
        __syncthreads();
    }
    out[thread] = part[0] + thread % K;
}
template <int K> int wrong_sums(int *in, int *out, int n, int threads) {
    sums<K><<<1, threads>>>(in, out, n);
    cudaDeviceSynchronize();
    int sum = 0, wrong = 0;
    for (int i = 0; i < n; i++) {
        sum += in[i] * K + in[(i + K) % n];
    }
    for (int i = 0; i < 128; i++) {
        wrong += out[i] != sum + i % K;
    }
    return wrong;
}
static int wrong_in_all(int *in, int *out, int n) {
    volatile int unknown = 128;
    return wrong_sums<1>(in, out, n, 128) + wrong_sums<2>(in, out, n, 128) +
           wrong_sums<3>(in, out, n, 128) + wrong_sums<4>(in, out, n, unknown) +
           wrong_sums<5>(in, out, n, unknown) + wrong_sums<6>(in, out, n, unknown);
}
CU
cat >one.cu <<'CU'
#include "kernels.h"
static __device__ int hidden = 7;
__constant__ int table[4] = {1, 20, 300, 4000};
__device__ int visible = 5;
static __global__ void uses_static(int *out) { out[threadIdx.x] = hidden + threadIdx.x; }
static __global__ void uses_symbols(int *out) {
    out[threadIdx.x] = table[threadIdx.x % 4] + visible;
}
__device__ __noinline__ int square(int n) { return n * n + (int)cudaGetLastError(); }
static __global__ void calls(int *out) { out[threadIdx.x] = square(threadIdx.x); }
// Vectorized functions: a short one, and one that uses what stays.
__device__ __noinline__ int cube(int n) { return n * n * n; }
__device__ __noinline__ int more(int n) { return cube(n) + hidden; }
static __global__ void vectorized(int *out) { out[threadIdx.x] = cube(threadIdx.x) + more(threadIdx.x); }
__global__ void says(int *out) {
    if (threadIdx.x == 3) {
        printf("thread %d of %s\n", threadIdx.x, "the first unit");
    }
    out[threadIdx.x] = 2;
}
static __global__ void same_name(int *out) { out[threadIdx.x] = 100; }
int second(int *in, int *out, int n);
int main() {
    int *in, *out, n = 1000, wrong = 0;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, 128 * sizeof *out);
    for (int i = 0; i < n; i++) {
        in[i] = i * 7919 % 1000;
    }
    wrong += wrong_in_all(in, out, n) + second(in, out, n);
    uses_static<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    wrong += out[9] != 16;
    uses_symbols<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    wrong += out[7] != 4005;
    calls<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    wrong += out[9] != 81;
    vectorized<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    wrong += out[9] != 2 * 729 + 7;
    same_name<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    wrong += out[127] != 100;
    says<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%d wrong\n", wrong);
    return wrong;
}
CU
cat >two.cu <<'CU'
#include "kernels.h"
static __global__ void same_name(int *out) { out[threadIdx.x] = 200; }
int second(int *in, int *out, int n) {
    same_name<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    return (out[127] != 200) + wrong_in_all(in, out, n);
}
CU

# The number of block entries of an object that are symbols with a unit's name.
count_separate() {
    nm "$1" | grep -cE ' T cdp\.(one_row|rows|any|fixed[12])\..*\.[0-9a-f]{16}$'
}
compiles() {
    "$CDPCC" -O3 --entry=block "$@" || fail "compiling" "$*"
}

compiles -c one.cu -o one.o
compiles -c two.cu -o two.o
for unit in one two; do
    count=$(count_separate $unit.o)
    [ "$count" -gt 1 ] && ok "separate_in_$unit" || fail "separate_in_$unit" "$count entries"
done
if nm one.o | grep -E 'cdp\.[a-z0-9]+\..*(uses_static|calls)' | grep -q ' T '; then
    fail stay_with_what_they_use "$(nm one.o | grep -E 'uses_static|calls')"
else
    ok stay_with_what_they_use
fi
if nm one.o | grep -qE ' T cdp\.fixed1\..*vectorized' && nm one.o | grep -qE ' T cdp\.vector\..*cube'; then
    ok vectorized_calls_across_objects
else
    fail vectorized_calls_across_objects "$(nm one.o | grep -E 'vectorized|cube|more')"
fi

# runs NAME OBJECT...
runs() {
    local name=$1 got
    shift
    compiles "$@" -o program
    got=$(./program 2>&1)
    [ "$got" = $'thread 3 of the first unit\n0 wrong' ] && ok "$name" || fail "$name" "$got"
}
runs together one.o two.o
runs together_reversed two.o one.o
CDP_ENTRY=thread runs as_threads one.o two.o
got=$(CDP_STATS=1 ./program 2>&1 | grep -E 'block entries')
[[ $got == "cdp: 19 blocks ran by block entries, 0 "* ]] && ok all_ran || fail all_ran "$got"

compiles -c two.cu -o two.o
cp two.o before.o
compiles -c two.cu -o two.o
cmp -s two.o before.o && ok same_object_again || fail same_object_again "objects differ"

compiles --threads 1 -c one.cu -o alone.o
[ "$(count_separate alone.o)" = 0 ] && ok one_process || fail one_process "$(count_separate alone.o)"
runs one_process_runs alone.o two.o
compiles -g -c one.cu -o lines.o
[ "$(count_separate lines.o)" = 0 ] && ok with_lines || fail with_lines "$(count_separate lines.o)"
nothing_left tidy
finish
