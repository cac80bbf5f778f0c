// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 20 blocks ran by block entries, 0 had an unsupported shape
// stderr: cdp: 0 launches by device code
// entries: it tests their code
// Numbers of 128 bits, in vectors: results are those of the host.
#include "show.h"
#include <string.h>
typedef unsigned long long word;
typedef unsigned __int128 wide;
typedef __int128 signed_wide;
enum { N = 1000, OUT = 24 };
struct pair {
    word low, high;
};
static __host__ __device__ wide join(const pair &from)
{
    return (wide)from.high << 64 | from.low;
}
static __host__ __device__ void put(pair *to, wide value)
{
    to->low = (word)value;
    to->high = (word)(value >> 64);
}
static __host__ __device__ __forceinline__ void compute(const pair *in, unsigned i, pair *out)
{
    wide a = join(in[i]), b = join(in[(i * 7 + 3) % N]);
    signed_wide x = (signed_wide)a, y = (signed_wide)b;
    unsigned by = (unsigned)b & 127;
    put(out++, a + b);
    put(out++, a - b);
    put(out++, a * b);
    put(out++, (wide)(word)a * (word)b);
    put(out++, (wide)((signed_wide)(long long)a * (long long)b));
    put(out++, a << by);
    put(out++, a >> by);
    put(out++, (wide)(x >> by));
    put(out++, (wide)(x >> 5) ^ a << 77 ^ (wide)(x >> 64) ^ a >> 100);
    put(out++, ~a & b);
    put(out++, a < b ? a : b);
    put(out++, x < y ? a : b);
    put(out++, (wide)(a == b) | (wide)(x <= -y) << 1 | (wide)(a >= b) << 2 | (wide)(x > 7) << 3);
    put(out++, b != 0 ? a / b : 1);
    put(out++, b != 0 ? a % b : 1);
    put(out++, (word)b != 0 && x != 0 ? (wide)(x / (long long)((word)b | 1)) : 2);
    put(out++, a % ((word)b | 1));
    put(out++, (wide)(signed_wide)(short)a - (unsigned)b);
    double d = (double)a, e = (double)x;
    float f = (float)(a >> 3);
    pair bits = {0, 0};
    memcpy(&bits.low, &d, sizeof d);
    memcpy(&bits.high, &e, sizeof e);
    *out++ = bits;
    memcpy(&bits, &f, sizeof f);
    put(out++, bits.low & 0xffffffff);
    put(out++, (wide)((double)(word)a * 1024.) + (wide)((float)(word)b * 1e6f));
    wide sum = b;
    for (unsigned k = 0; k < i % 19; k++) {
        sum += (wide)in[(i + k) % N].low * in[(i * k) % N].low;
        sum = k % 3 == 2 ? sum - (sum >> 61) : sum;
    }
    put(out++, sum);
    wide product = 1;
    for (wide rest = a >> 101; rest != 0; rest >>= 1) {
        product = rest & 1 ? product * b + 1 : product * product;
    }
    put(out++, product);
    word t = (word)a, m = (word)b | 1;
    wide r = (wide)t * t;
    put(out++, (r + (wide)((word)r * 0x9e3779b97f4a7c15ull) * m) >> 64);
}
__global__ void all(const pair *in, pair *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        compute(in, i, out + i * OUT);
    }
}
__global__ void high(const pair *in, pair *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        word a = in[i].low, b = in[n - 1 - i].low;
        out[i].low = __umul64hi(a, b) + __umul64hi(a, n);
        out[i].high = (word)__mul64hi((long long)a, (long long)b);
    }
}
__global__ void shared(const wide *in, wide *out)
{
    __shared__ wide row[96];
    unsigned t = threadIdx.x;
    row[t] = in[t] * 3;
    __syncthreads();
    wide kept = row[95 - t];
    __syncthreads();
    row[t] = kept + t;
    __syncthreads();
    out[t] = row[(t + 1) % 96] - kept;
}
int main()
{
    static pair in[N], out[N * OUT], expected[OUT], products[N];
    static const word special[] = {0, 1, ~0ull, 1ull << 63, 0xffffffffull, 1ull << 32, 127};
    word state = 88172645463325252ull;
    for (unsigned i = 0; i < 2 * N; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        word value = i % 5 == 0 ? special[state % 7] : i % 11 == 0 ? state >> 40 : state;
        (i % 2 ? in[i / 2].high : in[i / 2].low) = value;
    }
    int wrong = 0;
    all<<<(N + 95) / 96, 96>>>(in, out, N);
    high<<<(N + 127) / 128, 128>>>(in, products, N);
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 0; i < N; i++) {
        compute(in, i, expected);
        for (int k = 0; k < OUT; k++) {
            wrong += memcmp(&out[i * OUT + k], &expected[k], sizeof(pair)) != 0;
        }
        word a = in[i].low, b = in[N - 1 - i].low;
        wrong += products[i].low != (word)((wide)a * b >> 64) + (word)((wide)a * N >> 64);
        wrong += products[i].high != (word)((signed_wide)(long long)a * (long long)b >> 64);
    }
    static wide from[96], to[96];
    for (unsigned i = 0; i < 96; i++) {
        from[i] = join(in[i]);
    }
    shared<<<1, 96>>>(from, to);
    MUST(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 96; t++) {
        unsigned next = (t + 1) % 96;
        wrong += to[t] != from[95 - next] * 3 + next - from[95 - t] * 3;
    }
    printf("%d wrong\n", wrong);
}
