#!/bin/bash
# Relaxed loads of whole words at the lanes' own addresses become vector loads. All other atomic
# loads stay atomic, lane by lane.
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
body() { sed -n "/^define.*cdp\.one_row\..*$1/,/^}/p" loads.ll; }
atomic() { body "$1" | grep -q 'load atomic'; }
plain() { [ -n "$(body "$1")" ] && ! atomic "$1"; }
check "words are loaded by gathers" plain words
check "by one instruction" grep -q masked.gather <<<"$(body words)"
check "also if the memory changes" plain changing
check "contiguous words are vectors" plain rows
check "narrower ones stay atomic" atomic halves
check "ordered ones, too" atomic ordered
check "and the loads of all lanes" atomic one_place


# Loads with a cache hint are like plain loads if no loop polls by them.
cat >cached.cu <<'CU'
#define KERNEL __global__ void __launch_bounds__(256)
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
KERNEL elements(const float *x, float *y) { y[I] = __ldcg(&x[I]) + __ldca(&x[I + 1]); }
KERNEL structures(const float4 *x, float4 *y) {
    float4 v = __ldcs(&x[I]);
    y[I] = make_float4(v.w, v.z, v.y, v.x);
}
KERNEL pairs(const int2 *x, int *y) {
    int2 v = __ldlu(&x[I]);
    y[I] = v.x + v.y;
}
KERNEL sums_of_pairs(const float2 *x, float *y) {
    float2 v = __ldcg(&x[I]);
    y[I] = v.x + v.y;
}
KERNEL stored_pairs(const float *x, float2 *y) { __stcg(&y[I], make_float2(x[I], 1)); }
KERNEL stored_structures(const float *x, float4 *y) { __stwt(&y[I], make_float4(x[I], 1, 2, 3)); }
KERNEL assembly(const int *x, int *y) {
    int v;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(&x[I]));
    y[I] = v;
}
KERNEL sparse(const int *row, const int *column, const float *x, float *y) {
    float sum = 0;
    for (int e = __ldcg(&row[I]); e < __ldcg(&row[I + 1]); e++) {
        sum += __ldcg(&x[__ldcg(&column[e])]);
    }
    y[I] = sum;
}
KERNEL leaves_early(const int *x, int *y, int n) {
    int at = I;
    while (at < n && __ldcg(&x[at]) != 0) {
        at += 7;
    }
    y[I] = at;
}
KERNEL polls(const int *x, int *y) {
    while (__ldcg(&x[I]) == 0) {
    }
    y[I] = 1;
}
KERNEL polls_in_turn(const int *x, int *y, int n) {
    int at = 0;
    while (__ldcg(&x[at]) == 0) {
        at = (at + 1) % n;
    }
    y[I] = at;
}
KERNEL polls_for_a_while(const int *x, int *y) {
    for (int i = 0; i < 1000000; i++) {
        if (__ldcg(x) != 0) {
            y[I] = 1;
            break;
        }
    }
}
CU
"$CDPCC" -O2 -S -emit-llvm -march=x86-64-v4 --entry=block --explain cached.cu -o cached.ll 2>explained.txt ||
    fail cached compile
body() { sed -n "/^define.*cdp\.fixed1\..*$1/,/^}/p" cached.ll; }
is_rows() { plain "$1" && ! body "$1" | grep -qE 'masked\.(gather|scatter)'; }
for kernel in elements structures pairs sums_of_pairs stored_pairs stored_structures assembly; do
    check "$kernel with a cache hint: contiguous" is_rows $kernel
done
for kernel in sparse leaves_early; do
    check "$kernel: does not poll" plain $kernel
done
for kernel in polls polls_in_turn polls_for_a_while; do
    check "$kernel: by thread entries" grep -qE "kernel _Z[0-9]+$kernel[^_].*: a loop in it waits" explained.txt
done
finish
