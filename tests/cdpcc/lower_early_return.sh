#!/bin/bash
# A thread entry tells the runtime that the threads after it return at once, where a test of the
# thread's index before any effect decides that, and nowhere else.
. "$(dirname "$0")/support.bash"

cat >returns.cu <<'CU'
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void beyond(int *x, int n) { int i = INDEX; if (i >= n) return; x[i] = i; }
__global__ void within(int *x, unsigned n) { unsigned i = threadIdx.x; if (i < n) x[i] = i; }
__global__ void bound_in_memory(int *x, const int *n) {
    int i = INDEX;
    if (i <= n[blockIdx.x]) x[i] = i;
}
__global__ void low_ones(int *x, int n) { int i = INDEX; if (i < n) return; x[i] = i; }
__global__ void equal(int *x, int n) { int i = INDEX; if (i != n) return; x[i] = i; }
__global__ void of_y(int *x, int n) { int i = threadIdx.y; if (i < n) x[i] = i; }
__global__ void bound_of_thread(int *x, const int *n) {
    int i = INDEX;
    if (i < n[threadIdx.x]) x[i] = i;
}
__global__ void shifted(int *x, int n, int from) { int i = INDEX + from; if (i < n) x[i] = i; }
__global__ void effect_first(int *x, int n) {
    int i = INDEX;
    atomicAdd(&x[n], 1);
    if (i < n) x[i] = i;
}
__global__ void effect_after(int *x, int n) {
    int i = INDEX;
    if (i < n) x[i] = i;
    atomicAdd(&x[n], 1);
}
__global__ void reads_flag(int *x, volatile int *n) { int i = INDEX; if (i < *n) x[i] = i; }
CU
"$CDPCC" -O2 --entry=thread -S -emit-llvm --cuda-device-only returns.cu -o returns.ll || fail compile
tells() { sed -n "/^define .*cdp\.thread\._Z${#1}$1/,/^}/p" returns.ll | grep -q 'store i32 3, ptr'; }
tells_not() { grep -q "^define .*cdp\.thread\._Z${#1}$1" returns.ll && ! tells "$1"; }
for kernel in beyond within bound_in_memory; do
    check "$kernel tells" tells $kernel
done
for kernel in low_ones equal of_y bound_of_thread shifted effect_first effect_after reads_flag; do
    check "$kernel does not" tells_not $kernel
done
finish
