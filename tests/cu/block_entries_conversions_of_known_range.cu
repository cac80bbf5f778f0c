// cdpcc: --entry=block -O2
// Conversions of floating point to integers whose range is known from bytes, halfwords and constants, and others that
// look alike but do not fit: those saturate.
#include <cmath>
#include <cstdio>

enum { COUNT = 1024, RESULTS = 12 };

__global__ void fit(unsigned *out, const unsigned char *bytes, const short *shorts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = bytes[i], b = bytes[i + 1], s = shorts[i];
    unsigned *to = out + i * RESULTS;
    unsigned char blend = 0.92 * a + 0.08 * b;
    unsigned char grey = 0.299f * a + 0.587f * b + 0.114f * bytes[i + 2];
    signed char shifted = (a - b) * 0.5f;
    to[0] = blend;
    to[1] = grey;
    to[2] = shifted;
    to[3] = (int)(s * 1.5f);
    to[4] = (unsigned)fmaxf(0.24f * (a - b), 20.0f);
    to[5] = (unsigned)(a * 0.5f - 0.9f);
    to[6] = (int)(fabsf(s - 100.0f) / 3.0f);
    to[7] = (unsigned)(a * 16777216.0); // up to 2^32
    to[8] = (unsigned)((long long)(s * 4096.0f * a) >> 3);
    to[9] = (int)(min(max(s, -50), 50) * 3e6f);
    to[10] = (int)(float)(a > 100 ? a * 2.5 : s / 2.5);
    to[11] = (unsigned)((unsigned long long)(a * 1e15) >> 20);
}

__global__ void do_not_fit(unsigned *out, const unsigned char *bytes, const short *shorts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a = bytes[i], b = bytes[i + 1], s = shorts[i];
    unsigned *to = out + i * RESULTS;
    unsigned char wraps = 1.5f * (a + b);
    to[0] = wraps;
    to[1] = (unsigned)(float)(a - b);
    to[2] = (int)(s * 70000.0f);
    to[3] = (int)(1.0f / (a - b));
    to[4] = (int)(sqrtf(s));
    to[5] = (unsigned)(a * 17000000.0);
    to[6] = (unsigned)(a * 0.5f - 1.0f);
    to[7] = (int)((float)(a - b) / (a - b));
    to[8] = (int)(__int_as_float(a << 23) * 3.0f);
    to[9] = (unsigned)((long long)(s * 4e17) >> 32);
    to[10] = (int)(a * 1e38f * 10);
    to[11] = (int)((unsigned)(a - b) * 1.0);
}

static unsigned char bytes[COUNT + 2];
static short shorts[COUNT];
static unsigned out[COUNT * RESULTS];

static void show(const char *name)
{
    int error = cudaDeviceSynchronize();
    printf("%s: %d", name, error);
    for (int k = 0; k < RESULTS; k++) {
        unsigned hash = 0;
        for (int i = 0; i < COUNT; i++) {
            hash = hash * 31 + out[i * RESULTS + k];
        }
        printf(" %08x", hash);
    }
    printf("\n");
}

int main()
{
    for (int i = 0; i < COUNT + 2; i++) {
        bytes[i] = i % 5 == 0 ? 255 : i % 7 == 0 ? 0 : i * 2654435761u >> 20;
    }
    for (int i = 0; i < COUNT; i++) {
        shorts[i] = i % 9 == 0 ? -32768 : i % 11 == 0 ? 32767 : i * 2654435761u >> 13;
    }
    fit<<<COUNT / 128, 128>>>(out, bytes, shorts);
    show("fit");
    do_not_fit<<<COUNT / 128, 128>>>(out, bytes, shorts);
    show("do not fit");
}
