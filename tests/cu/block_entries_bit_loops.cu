// cdpcc: -O2
// block stderr: cdp: 7 blocks ran by block entries, 0 had an unsupported shape
// env: CDP_STATS=1 CDP_SEED=0
// stderr: cdp: 0 launches by device code
// Loops that count bits: results are those of the host, also for zero, one, and all bits.
#include "show.h"
typedef unsigned long long word;
enum { N = 256 };

template <typename T> static __host__ __device__ int set_bits(T x)
{
    char n = 0;
    for (; x != 0; n++) {
        x &= x - 1;
    }
    return n;
}
template <typename T> static __host__ __device__ int length(T x)
{
    int n = 3;
    while (x != 0) {
        x >>= 1;
        n++;
    }
    return n;
}
template <typename T> static __host__ __device__ int until_shifted_out(T x)
{
    int n = 0;
    for (; x != 0; x <<= 1) {
        n++;
    }
    return n;
}
/* Another value of the loop is used after it: the last bit that was cleared. */
static __host__ __device__ unsigned last_bit(unsigned x)
{
    unsigned last = 0;
    while (x != 0) {
        last = x;
        x &= x - 1;
    }
    return last;
}
/* The loop stores, so it stays a loop. */
static __host__ __device__ int with_stores(unsigned x, unsigned char *steps)
{
    int n = 0;
    for (; x != 0; n++) {
        x &= x - 1;
        steps[n] = (unsigned char)(x & 255);
    }
    return n + (n > 0 ? steps[n / 2] : 0);
}

static word input(int i)
{
    static const word edges[] = {0, 1, ~0ull, 1ull << 63, 1ull << 31, 0xffffffffu, 0x80000000u, 2};
    word x = (word)i * 0x9e3779b97f4a7c15ull;
    return i < 8 ? edges[i] : i % 3 == 0 ? x & (x >> 17) & (x >> 29) : x;
}

#define EACH(F) F(0, set_bits<word>(x)) F(1, set_bits<unsigned>((unsigned)x)) F(2, length<word>(x)) \
    F(3, length<unsigned short>((unsigned short)x)) F(4, until_shifted_out<unsigned>((unsigned)x))   \
    F(5, (int)last_bit((unsigned)x))
#define KERNEL(I, CODE)                                                 \
    __global__ void kernel##I(const word *in, int *out)                 \
    {                                                                   \
        word x = in[threadIdx.x];                                       \
        if (threadIdx.x % 7 != 3) {                                     \
            out[threadIdx.x] = CODE;                                    \
        }                                                               \
    }
EACH(KERNEL)
__global__ void keeps_stores(const word *in, int *out, unsigned char *steps)
{
    out[threadIdx.x] = with_stores((unsigned)in[threadIdx.x], steps + 32 * threadIdx.x);
}

static int differences(int which, const word *in, const int *out)
{
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        word x = in[i];
        int expected = -1;
        unsigned char steps[32];
#define HOST(I, CODE)                         \
    if (which == I && i % 7 != 3) {           \
        expected = CODE;                      \
    }
        EACH(HOST)
        if (which == 6) {
            expected = with_stores((unsigned)x, steps);
        }
        wrong += out[i] != expected;
    }
    return wrong;
}

int main()
{
    word *in;
    int *out;
    unsigned char *steps;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMalloc(&steps, 32 * N);
    for (int i = 0; i < N; i++) {
        in[i] = input(i);
    }
#define RUN(I, CODE)                                      \
    cudaMemset(out, -1, N * sizeof *out);                 \
    kernel##I<<<1, N>>>(in, out);                         \
    cudaDeviceSynchronize();                              \
    printf("%d: %d wrong\n", I, differences(I, in, out));
    EACH(RUN)
    keeps_stores<<<1, N>>>(in, out, steps);
    cudaDeviceSynchronize();
    printf("6: %d wrong\n", differences(6, in, out));
    return 0;
}
