#!/bin/bash
# Local arrays in block entries. Stores of some lanes by a uniform index keep what the other lanes have
# there: without AVX-512 that takes less time than a masked store. Elements of two bytes have no masked
# store at all.
. "$(dirname "$0")/support.bash"

cat >local.cu <<'CU'
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
template <class T> __device__ void chosen(const int *in, int *out, int n)
{
    T a[20];
    for (int i = 0; i < n; i++) {
        a[i] = in[i * 256 + I];
    }
    for (int i = 0; i < n; i++) {
        if (in[i * 256 + I] > 7) {
            a[i] += i;
        }
    }
    int sum = 0;
    for (int i = n - 1; i >= 0; i--) {
        sum = sum * 3 + a[i];
    }
    out[I] = sum;
}
__global__ void __launch_bounds__(256) words(const int *in, int *out, int n) { chosen<int>(in, out, n); }
__global__ void __launch_bounds__(256) halves(const int *in, int *out, int n) { chosen<short>(in, out, n); }
struct Twelve {
    float f[12];
};
/* Assignments copy the structure. The loop is unrolled, so that no copy remains in memory. */
__global__ void __launch_bounds__(256) copies(const Twelve *in, Twelve *out)
{
    Twelve t = in[I];
    for (int k = 0; k < 12; k++) {
        t.f[k] = t.f[k] * 2 + k;
    }
    out[I] = t;
}
CU
body() { sed -n "/^define.*cdp\.fixed1\..*$1/,/^}/p" "$2"; }
has() { body "$1" "$2" | grep -qE "$3"; }
lacks() { [ -n "$(body "$1" "$2")" ] && ! has "$1" "$2" "$3"; }
for cpu in x86-64 x86-64-v3 x86-64-v4; do
    "$CDPCC" -O2 -S -emit-llvm -march=$cpu --entry=block local.cu -o $cpu.ll || fail "compile for $cpu"
    for kernel in words halves; do
        check "$cpu $kernel: no lane-by-lane accesses" lacks $kernel $cpu.ll 'masked\.(gather|scatter)'
    done
    check "$cpu copies: no memory for a copy" lacks copies $cpu.ll 'masked\.(gather|scatter)|alloca.*x (i8|float)'
done
for cpu in x86-64 x86-64-v3; do
    for kernel in words halves; do
        check "$cpu $kernel: no masked store" lacks $kernel $cpu.ll 'masked\.store'
    done
done
check "x86-64-v4: a masked store" has words x86-64-v4.ll 'masked\.store'
finish
