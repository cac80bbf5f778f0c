// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 55 blocks ran by block entries, 0 had an unsupported shape
// stderr: cdp: 0 launches by device code
// plain: not all of its kernels have block entries with sanitizers
// Arithmetic that tells whether it overflows, and copies of odd sizes.
#include "show.h"
#include <string.h>
enum { N = 900, BITS = 18 };
template <typename T> static __host__ __device__ unsigned test(T a, T b, T *sum)
{
    T r[3];
    unsigned bits = __builtin_add_overflow(a, b, &r[0]) ? 1 : 0;
    bits |= __builtin_sub_overflow(a, b, &r[1]) ? 2 : 0;
    bits |= __builtin_mul_overflow(a, b, &r[2]) ? 4 : 0;
    *sum ^= (T)(r[0] + 3 * r[1] + 7 * r[2]);
    return bits;
}
struct result {
    unsigned bits;
    int i;
    unsigned u;
    long long l;
    unsigned long long w;
    short s;
    unsigned char c;
};
static __host__ __device__ result compute(unsigned long long a, unsigned long long b)
{
    result r = {0, 0, 0, 0, 0, 0, 0};
    r.bits = test((int)a, (int)b, &r.i) | test((unsigned)a, (unsigned)b, &r.u) << 3 |
             test((long long)a, (long long)b, &r.l) << 6 | test(a, b, &r.w) << 9 |
             test((short)a, (short)b, &r.s) << 12 |
             test((unsigned char)a, (unsigned char)b, &r.c) << 15;
    return r;
}
__global__ void overflow(const unsigned long long *in, result *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = compute(in[i], in[(i * 5 + 1) % n]);
    }
}
/* Numbers of three, five, six and seven bytes. */
template <int BYTES> __global__ void move(const unsigned char *from, unsigned char *to, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned long long value = 0;
        memcpy(&value, from + BYTES * (n - 1 - i), BYTES);
        value = value * 5 + (i & 1 ? 1 : value >> 3);
        memcpy(to + BYTES * i, &value, BYTES);
    }
}
template <int BYTES> static int try_moving(const unsigned char *from, unsigned char *to)
{
    int wrong = 0;
    memset(to, 0xee, N * BYTES + 1);
    move<BYTES><<<(N + 95) / 96, 96>>>(from, to, N);
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 0; i < N; i++) {
        unsigned long long value = 0;
        memcpy(&value, from + BYTES * (N - 1 - i), BYTES);
        value = value * 5 + (i & 1 ? 1 : value >> 3);
        wrong += memcmp(to + BYTES * i, &value, BYTES) != 0;
    }
    return wrong + (to[N * BYTES] != 0xee);
}
int main()
{
    static unsigned long long in[N];
    static result out[N];
    static unsigned char to[N * 8];
    unsigned seen = 0, not_seen = 0;
    int wrong = 0;
    for (unsigned i = 0; i < N; i++) {
        in[i] = i * 0x9e3779b97f4a7c15ull >> (i * 7 % 61);
        in[i] = i % 3 == 0 ? ~in[i] : i % 7 == 0 ? (1ull << 63) + i : in[i];
    }
    overflow<<<(N + 63) / 64, 64>>>(in, out, N);
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 0; i < N; i++) {
        result r = compute(in[i], in[(i * 5 + 1) % N]);
        wrong += out[i].bits != r.bits || out[i].i != r.i || out[i].u != r.u || out[i].l != r.l ||
                 out[i].w != r.w || out[i].s != r.s || out[i].c != r.c;
        seen |= r.bits;
        not_seen |= ~r.bits;
    }
    printf("%d wrong, %x %x\n", wrong, seen, not_seen & ((1u << BITS) - 1));
    const unsigned char *bytes = (const unsigned char *)in;
    printf("%d wrong\n", try_moving<3>(bytes, to) + try_moving<5>(bytes, to) +
                             try_moving<6>(bytes, to) + try_moving<7>(bytes, to));
}
