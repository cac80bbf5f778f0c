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
struct Halves {
    unsigned short h[8];
};
/* The loops are unrolled one after the other, and addresses are selected, until all is values. */
__global__ void __launch_bounds__(256) selected(const Halves *in, int *out, int last)
{
    int sums[4];
    for (int i = 0; i < 4; i++) {
        unsigned short zero = 0;
        Halves b = in[i * 256 + I];
        if (i == last) {
            for (int k = 0; k < 8; k++) {
                const unsigned short &chosen = I + k < 200 ? b.h[k] : zero;
                b.h[k] = chosen;
            }
        }
        sums[i] = 0;
        for (int k = 0; k < 8; k++) {
            sums[i] = sums[i] * 3 + b.h[k];
        }
    }
    out[I] = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];
}
/* The array stays in memory, but the elements 0 and 9 are in it also for inactive lanes. */
__global__ void __launch_bounds__(256) ends(const int *in, int *out)
{
    int a[10];
    for (int k = 0; k < 10; k++) {
        a[k] = in[k * 256 + I];
    }
    a[in[I] & 7] = 1;
    if (in[I + 1] > 7) {
        a[0] += a[9];
    }
    out[I] = a[0] + a[9] + a[in[I + 2] & 7];
}
/* Indices from data, and the address of one of several variables: all are values. */
__global__ void __launch_bounds__(256) counts(const int *in, int *out)
{
    int a[4] = {};
    unsigned char order[4] = {0, 1, 2, 3};
    for (int k = 0; k < 10; k++) {
        a[in[k * 256 + I] & 3] += order[in[k * 256 + I] >> 2 & 3]++;
    }
    int &one = in[I] > 7 ? a[0] : in[I] > 3 ? a[2] : a[3];
    one = 5;
    out[I] = a[0] + 3 * a[1] + 5 * a[2] + 7 * a[3];
}
/* Copies of structures that stay in memory. */
struct Eight {
    float f[8];
};
__device__ __noinline__ void turn(Eight *e, int by)
{
    for (int k = 0; k < 8; k++) {
        e->f[k] = e->f[k & 3] * 2 + by;
    }
}
__global__ void __launch_bounds__(256) moves(const float *in, float *out)
{
    Eight a = {{in[I]}}, b;
    turn(&a, 1);
    b = a;
    turn(&a, 2);
    turn(&b, 3);
    out[I] = a.f[1] + b.f[2];
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
    check "$cpu selected: no memory" lacks selected $cpu.ll 'masked\.(gather|scatter)|alloca.*x i[0-9]+\]'
    check "$cpu counts: no memory" lacks counts $cpu.ll 'masked\.(gather|scatter)|alloca.*x i[0-9]+\]'
    check "$cpu moves: one copy for a vector" has moves $cpu.ll 'mem(cpy|move)\.p0\.p0\.i64.* i64 (128|256|512),'
done
for cpu in x86-64 x86-64-v3; do
    for kernel in words halves; do
        check "$cpu $kernel: no masked store" lacks $kernel $cpu.ll 'masked\.store'
    done
done
check "x86-64-v4 ends: no masks for elements that are in the array" lacks ends x86-64-v4.ll 'masked\.(load|store)'
check "x86-64-v4: a masked store" has words x86-64-v4.ll 'masked\.store'
finish
