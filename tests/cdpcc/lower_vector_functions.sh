#!/bin/bash
# Functions that stay calls become one vector function for each combination of uniform, affine and varying
# parameters. Kernels and their versions share them. Checked programs have none.
. "$(dirname "$0")/support.bash"

cat >functions.cu <<'CU'
__device__ __noinline__ float steps(float x, int n)
{
    for (int i = 0; i < n; i++) x = x * x - 1;
    return x;
}
__device__ __noinline__ float power(float x, int n)
{
    return n == 0 ? 1 : power(x, n - 1) * x + n;
}
__device__ __noinline__ float near(const float *a, int i) { return a[i] + a[i + 1]; }
__global__ void first(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = steps(out[i], n);
}
__global__ void second(float *out, const int *n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = steps(out[i], m) + steps(out[i], n[i]) + power(out[i], m);
}
__global__ void third(float *out, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = near(in, i);
}
CU
compile() { # compile OPTION...: to functions.ll
    "$CDPCC" -O2 -march=x86-64-v4 -S -emit-llvm "$@" functions.cu -o functions.ll >compile.txt 2>&1 ||
        fail "compiles with $*" "$(cat compile.txt)"
}
versions() { grep -c "^define.*@cdp\.vector\._Z[0-9]*$1" functions.ll; }
has() { [ "$(versions "$1")" -eq "$2" ]; }
body() { sed -n "/^define.*@cdp\.$1/,/^}/p" functions.ll; }

compile
check "a version for a scalar n, one for a vector n" has steps 2
check "two kernels share the version for a scalar n" test \
    "$(body 'one_row\._Z\(5first\|6second\)' | grep -oE 'call.*@cdp\.vector\._Z5steps[^(]*\(' | grep -o '@cdp.*' | sort | uniq -d | wc -l)" -ge 1
check "no kernel calls it as scalar code" test "$(body 'one_row\._Z5first' | grep -c 'call.*float @_Z')" -eq 0
check "a recursive function calls its own version" grep -q 'call.* @cdp\.vector\._Z5power' <<<"$(body 'vector\._Z5power')"
check "an affine index is a scalar, and the loads are contiguous" grep -q 'llvm\.masked\.load' <<<"$(body 'vector\._Z4near')"
# A long function is part of the kernel if no kernel has two calls of it, as here from a second kernel.
long() { # long CALLS
    cat <<CU
template <int N> __device__ float sum(const float *x, int step, float s)
{
    if constexpr (N == 0) return s; else return sum<N - 1>(x, step, s + x[N * step] * N);
}
__global__ void first(const float *x, float *y, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < $1; k++) s += k == 0 ? sum<60>(x + i, step, s) : sum<60>(y + i, step, s);
    y[i] = s;
}
__global__ void second(const float *x, float *y, int step) { y[threadIdx.x] = sum<60>(x + threadIdx.x, step, 0); }
CU
}
cp functions.cu some.cu
long 1 | sed 's/: sum<60>(y + i, step, s)/: 0/' >functions.cu
compile
check "a long function that each kernel calls once is inlined" has '' 0
long 2 >functions.cu
compile
check "one that a kernel calls twice is not" test "$(grep -c '^define.*@cdp\.vector\._Z3sum' functions.ll)" -ge 1
cat >functions.cu <<'CU'
template <int N> __device__ float sum(const float *x, int step, float s)
{
    if constexpr (N == 0) return s; else return sum<N - 1>(x, step, s + x[N * step] * N);
}
__device__ __noinline__ float twice(const float *x, int step) { return sum<60>(x, step, 0) + sum<60>(x, 7, 0); }
__global__ void third(const float *x, float *y, int step) { y[threadIdx.x] = twice(x + threadIdx.x, step); }
CU
compile
check "nor is one that another vector function calls twice" test "$(grep -c '^define.*@cdp\.vector\._Z3sum' functions.ll)" -ge 1
mv some.cu functions.cu
compile --check=memory
check "checked programs have none" has '' 0
finish
