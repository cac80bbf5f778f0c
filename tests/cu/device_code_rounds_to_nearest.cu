// The host's rounding mode, traps and flushing of denormals affect the host only: device code has
// the modes of its own instructions, wherever it runs.
// workers: 1 2
#include <cfenv>
#include <cfloat>
#include <cstdio>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

constexpr int N = 1000;

__global__ void divide(const float *in, float *out, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) out[i] = in[i] / by + in[i] * 0.1f;
}

// The numbers of this kernel's threads are divided as products, which must round as usual.
__global__ void places(const unsigned *in, unsigned *out, unsigned by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) out[i] = in[i] / by + in[i] % by;
}

__global__ void small(float *out, float by) { out[threadIdx.x] = FLT_MIN / by / (threadIdx.x + 1); }

static float *numbers, *results, *smalls;
static unsigned *integers, *quotients;

static int wrong() {
    int bad = 0;
    divide<<<4, 256>>>(numbers, results, 3);
    places<<<4, 256>>>(integers, quotients, 7);
    small<<<1, 32>>>(smalls, 2);
    cudaDeviceSynchronize();
    int mode = fegetround();
    fesetround(FE_TONEAREST);
    for (int i = 0; i < N; i++) {
        volatile float quotient = numbers[i] / 3, tenth = numbers[i] * 0.1f;
        bad += results[i] != quotient + tenth && results[i] != __builtin_fmaf(numbers[i], 0.1f, quotient);
        bad += quotients[i] != integers[i] / 7 + integers[i] % 7;
    }
    for (int i = 0; i < 32; i++) {
        unsigned bits;
        __builtin_memcpy(&bits, smalls + i, sizeof bits);
        bad += bits == 0;
    }
    fesetround(mode);
    return bad;
}

int main() {
    fesetround(FE_UPWARD); // before the first call starts workers
    cudaMallocManaged(&numbers, N * sizeof *numbers);
    cudaMallocManaged(&results, N * sizeof *results);
    cudaMallocManaged(&smalls, 32 * sizeof *smalls);
    cudaMallocManaged(&integers, N * sizeof *integers);
    cudaMallocManaged(&quotients, N * sizeof *quotients);
    for (int i = 0; i < N; i++) {
        numbers[i] = i + 0.25f;
        integers[i] = 0xffffffff - 37 * i;
    }
    printf("upward: %d wrong\n", wrong());
    printf("kept: %d\n", fegetround() == FE_UPWARD);
    fesetround(FE_DOWNWARD);
    printf("downward: %d wrong\n", wrong());
    fesetround(FE_TOWARDZERO);
    printf("toward zero: %d wrong\n", wrong());
    printf("kept: %d\n", fegetround() == FE_TOWARDZERO);
    fesetround(FE_TONEAREST);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040); // denormals are zero
#endif
    printf("flushing: %d wrong\n", wrong());
}
