#!/bin/bash
# Shared variables: every place where they may be declared and used.
. "$(dirname "$0")/support.bash"

cat >shared.h <<'CU'
#include <cstdio>
#define EQUAL(a, b) do { if ((a) != (b)) printf("line %d: %d, not %d\n", __LINE__, (int)(a), (int)(b)); } while (0)
__device__ int *of_other_unit(int i);
__device__ int *exported(int i);
inline __device__ int *in_both_units() { __shared__ int cells[8]; return cells; }
extern __shared__ float dynamic[];
CU
cat >one.cu <<'CU'
#include "shared.h"
extern __shared__ char bytes[];
__shared__ int file_scope[33];
static __shared__ double real;
struct alignas(64) Aligned { int x; };
__shared__ Aligned aligned;
template <class T> __device__ T *of_template() { __shared__ T cells[64]; return cells; }
__device__ int *exported(int i) { __shared__ int cells[16]; cells[i & 15] = i; return cells; }
static __noinline__ __device__ int *local() { __shared__ int cells[8]; return cells; }
static __device__ int first(int i) { __shared__ int q[4]; q[i & 3] = i; return q[i & 3] + 1; }
static __device__ int second(int i) { __shared__ int q[4]; q[i & 3] = i; return q[i & 3] + 2; }
__device__ int (*const table[2])(int) = {first, second};
__global__ void all(int *out, bool which) {
    __shared__ int a[10];
    __shared__ char c;
    __shared__ short s[3];
    int t = threadIdx.x;
    file_scope[t] = t;
    if (t == 0) {
        real = 2.5, aligned.x = 6, c = 'c', s[2] = 3, a[9] = 99, dynamic[0] = 1.5f;
        local()[3] = 33, in_both_units()[2] = 22;
        of_template<int>()[1] = 11, of_template<float>()[1] = 1.25f;
    }
    // Constants that hold addresses: an initializer, a select, a difference.
    int *kept[3] = {&file_scope[2], &a[9], &file_scope[0]};
    exported(t);
    __syncthreads();
    if (t != 1) return;
    EQUAL(file_scope[3], 3);
    EQUAL(real, 2.5);
    EQUAL(aligned.x, 6);
    EQUAL((size_t)&aligned % 64, 0);
    EQUAL(c, 'c');
    EQUAL(s[2], 3);
    EQUAL(*kept[t], 99);
    EQUAL(*kept[which], 99);
    EQUAL(bytes[3], 0x3f);
    EQUAL(local()[3], 33);
    EQUAL(in_both_units()[2], 22);
    EQUAL(of_template<int>()[1], 11);
    EQUAL(of_template<float>()[1], 1.25f);
    EQUAL(table[which](5), 7);
    EQUAL(table[!which](5), 6);
    EQUAL(exported(1)[2], 2);
    EQUAL(of_other_unit(3)[3], 3);
    EQUAL(exported(1)[2], 2);
    EQUAL(file_scope[3], 3);
    volatile int *chosen = which ? &a[9] : &file_scope[5];
    EQUAL(*chosen, 99);
    EQUAL((char *)&file_scope[4] - (char *)&file_scope[0], 16);
    *out = 1;
}
template <class T> __global__ void of_template_only(T *out) {
    extern __shared__ T in_template[];
    in_template[threadIdx.x] = T(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = in_template[7 - threadIdx.x];
}
__global__ void few(int *out) {
    __shared__ int cells[5];
    cells[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *out = cells[1];
}
int main() {
    int *out;
    cudaMallocManaged(&out, 8 * sizeof *out);
    of_template_only<<<1, 8, 32>>>(out);
    EQUAL(cudaDeviceSynchronize(), 0);
    EQUAL(out[2], 5);
    all<<<2, 8, 64>>>(out, true);
    EQUAL(cudaDeviceSynchronize(), 0);
    EQUAL(*out, 1);
    few<<<3, 5>>>(out);
    EQUAL(cudaDeviceSynchronize(), 0);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, few);
    EQUAL(attributes.sharedSizeBytes, 20); // nothing of the other kernel's
    puts("done");
}
CU
cat >two.cu <<'CU'
#include "shared.h"
__shared__ int padding[100];
__device__ int *of_other_unit(int i) {
    __shared__ int cells[16];
    cells[i] = i;
    padding[i] = 7;
    EQUAL(exported(5)[5], 5);
    dynamic[1] = 3;
    return cells;
}
CU
for flags in -O3 -O0 -G "-O2 -fPIC" -fsanitize=address; do
    name=shared_memory_with_${flags// /_}
    # shellcheck disable=SC2086
    if "$CDPCC" $flags one.cu two.cu -o shared 2>err.txt && ./shared >out.txt 2>>err.txt &&
        [ "$(cat out.txt)" = done ]; then
        ok "$name"
    else
        fail "$name" "$(head -n 5 out.txt err.txt 2>/dev/null)"
    fi
done

cat >initial.cu <<'CU'
__shared__ int cell;
__device__ int *pointer = &cell;
__global__ void kernel() { *pointer = 1; }
CU
if "$CDPCC" -c initial.cu 2>err.txt; then
    fail address_in_an_initial_value "accepted"
elif grep -q "initial.*pointer\|pointer.*initial\|dynamic initialization" err.txt; then
    ok address_in_an_initial_value
else
    fail address_in_an_initial_value "$(cat err.txt)"
fi
finish
