#!/bin/bash
# Relaxed loads of whole words at the lanes' own addresses are parts of vectors' loads; all other
# atomic loads stay atomic, lane by lane.
. "$(dirname "$0")/support.bash"

cat >loads.cu <<'CU'
#define LOAD(at, order) __nv_atomic_load_n(at, __ATOMIC_##order)
__global__ void words(const int *at, const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = LOAD(&in[at[i]], RELAXED);
}
__device__ int changed;
__global__ void changing(const int *at, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int drawn = atomicAdd(&changed, 1), *place = &changed + at[i];
    out[i] = LOAD(place, RELAXED) > drawn;
}
__global__ void rows(const long long *in, long long *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = LOAD(&in[i], RELAXED);
}
__global__ void halves(const int *at, const short *in, short *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = LOAD(&in[at[i]], RELAXED);
}
__global__ void ordered(const int *at, const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = LOAD(&in[at[i]], ACQUIRE);
}
__global__ void one_place(const int *at, const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = LOAD(in, RELAXED);
}
CU
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block loads.cu -o loads.ll || fail compile
body() { sed -n "/^define.*cdp\.line\..*$1/,/^}/p" loads.ll; }
atomic() { body "$1" | grep -q 'load atomic'; }
plain() { [ -n "$(body "$1")" ] && ! atomic "$1"; }
check "words are gathered" plain words
check "by one instruction" grep -q masked.gather <<<"$(body words)"
check "also of what changes" plain changing
check "rows of words are vectors" plain rows
check "narrower ones stay atomic" atomic halves
check "ordered ones, too" atomic ordered
check "and what all lanes read" atomic one_place
finish
