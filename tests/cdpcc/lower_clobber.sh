#!/bin/bash
# The result of a load from a uniform address is uniform if no thread of the block stores to it in
# the same region. Branches on it may then lead to barriers in block entries.
. "$(dirname "$0")/support.bash"

cat >clobber.cu <<'CU'
#define KERNEL __global__ void __launch_bounds__(128)
/* A branch on the value, which comes behind a store by some threads, leads to one barrier or another. */
#define REGION(load, store)                                                                        \
    __shared__ int s[128];                                                                         \
    int t = threadIdx.x;                                                                           \
    s[t] = 0;                                                                                      \
    __syncthreads();                                                                               \
    if (out[t] == 1) {                                                                             \
        store;                                                                                     \
    }                                                                                              \
    if (load != 0) {                                                                               \
        s[t] += 1;                                                                                 \
        __syncthreads();                                                                           \
        out[t] = s[127 - t];                                                                       \
    } else {                                                                                       \
        s[t] += 2;                                                                                 \
        __syncthreads();                                                                           \
        out[t] = s[126 - t];                                                                       \
    }
KERNEL of_same_type(const int *in, int *out) { REGION(in[9], out[t] = 2) }
KERNEL restricted(const int *__restrict__ in, int *__restrict__ out) { REGION(in[9], out[t] = 2) }
KERNEL of_other_type(const float *in, int *out) { REGION(in[9], out[t] = 2) }
KERNEL shared_beside_global(int *out) { REGION(s[9], out[t] = 2) }
KERNEL same_shared_variable(int *out) { REGION(s[9], s[t] = 2) }
KERNEL other_shared_variable(int *out)
{
    __shared__ int other[128];
    other[threadIdx.x] = 1;
    REGION(s[9] + s[8], other[t + 1] = 2)
    out[t] += other[t];
}
KERNEL other_element(int *in, int *out) { REGION(in[9], in[10] = 2; atomicAdd(&in[8], 1)) }
KERNEL same_element(int *in, int *out) { REGION(in[9], in[9] = 2) }
__device__ int a[128], b[128];
KERNEL other_variable(int *out) { REGION(a[9], b[t] = 2) }
KERNEL same_variable(int *out) { REGION(a[9], a[t] = 2) }
__device__ __noinline__ void opaque(int *p) { *p = *p * 3 % 7; }
KERNEL beside_a_call(const int *in, int *out) { REGION(in[9], opaque(&out[t])) }
/* All come to it before they store. */
KERNEL at_the_start(int *in, int *out, int n)
{
    for (int i = 0; i < n; i++) {
        if (in[i] > in[0]) {
            __syncthreads();
        }
        out[threadIdx.x] += in[i];
        __syncthreads();
    }
}
CU
"$CDPCC" -O2 -c --explain clobber.cu -o clobber.o >explained.txt 2>&1 || fail compile
runs_by() { # runs_by KERNEL block|thread
    grep -E "kernel _Z[0-9]+$1[^a-z_].*: $2 entr" explained.txt
}
for kernel in restricted shared_beside_global other_shared_variable other_element \
    other_variable at_the_start; do
    check "$kernel: one value for the block" runs_by $kernel block
done
for kernel in of_same_type of_other_type same_shared_variable same_element same_variable beside_a_call; do
    check "$kernel: maybe several values" runs_by $kernel thread
done
finish
