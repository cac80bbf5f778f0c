// cdpcc: --entry=block -march=native -O2
// entries: it tests their code
// Shared counters indexed by bytes and half words, plain, shifted, as sums of two and with their
// signs: several are moved to a register at once.
#include "show.h"

enum { LINE = 256, GRID = 3, MOST = 5000, BINS = 512 };

struct Plain {
    template <typename T> __host__ __device__ static unsigned bin(T value)
    {
        return value;
    }
};
struct Shifted {
    template <typename T> __host__ __device__ static unsigned bin(T value)
    {
        return value >> 3;
    }
};
struct Signed {
    template <typename T> __host__ __device__ static unsigned bin(T value)
    {
        return (signed char)value + 256;
    }
};

template <typename T, typename How>
__global__ void __launch_bounds__(LINE) count(int n, const T *in, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = mine[threadIdx.x + LINE] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[How::bin(in[i])], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
    atomicAdd(&bins[threadIdx.x + LINE], mine[threadIdx.x + LINE]);
}

// The added value is narrow, too; the previous value is used.
__global__ void __launch_bounds__(LINE) weigh(int n, const unsigned char *in, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    __shared__ unsigned before;
    mine[threadIdx.x] = mine[threadIdx.x + LINE] = before = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[in[i] + in[n - 1 - i]], (unsigned)in[i]);
        atomicMax(&before, atomicAdd(&mine[in[i]], 0u) & 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
    atomicAdd(&bins[threadIdx.x + LINE], mine[threadIdx.x + LINE]);
}

static int compare(unsigned *bins, unsigned *wanted)
{
    int wrong = 0;
    cudaDeviceSynchronize();
    for (int i = 0; i < BINS; i++) {
        wrong += bins[i] != wanted[i];
        bins[i] = wanted[i] = 0;
    }
    return wrong;
}

template <typename T, typename How> static void show(const char *name, T *in, unsigned *bins)
{
    static unsigned wanted[BINS];
    int wrong = 0;
    for (int n = 0; n <= MOST; n += 1 + n / 3) {
        for (int i = 0; i < n; i++) {
            in[i] = (T)((i * 37 + i / 7) % (sizeof(T) == 1 ? 256 : BINS));
            in[i] = i % 5 == 0 ? in[i / 2] : in[i];
            wanted[How::bin(in[i])]++;
        }
        count<T, How><<<GRID, LINE>>>(n, in, bins);
        wrong += compare(bins, wanted);
    }
    printf("%s: %d wrong\n", name, wrong);
}

static void show_weights(unsigned char *in, unsigned *bins)
{
    static unsigned wanted[BINS];
    int wrong = 0;
    for (int n = 0; n <= MOST; n += 1 + n / 3) {
        for (int i = 0; i < n; i++) {
            in[i] = (unsigned char)(i * 91 + i / 11);
        }
        for (int i = 0; i < n; i++) {
            wanted[in[i] + in[n - 1 - i]] += in[i];
        }
        weigh<<<GRID, LINE>>>(n, in, bins);
        wrong += compare(bins, wanted);
    }
    printf("weights: %d wrong\n", wrong);
}

int main()
{
    void *in;
    unsigned *bins;
    MUST(cudaMallocManaged(&in, MOST * sizeof(short)));
    MUST(cudaMallocManaged(&bins, BINS * sizeof *bins));
    cudaMemset(bins, 0, BINS * sizeof *bins);
    show<unsigned char, Plain>("bytes", (unsigned char *)in, bins);
    show<unsigned char, Shifted>("shifted bytes", (unsigned char *)in, bins);
    show<unsigned char, Signed>("signed bytes", (unsigned char *)in, bins);
    show<unsigned short, Plain>("halves", (unsigned short *)in, bins);
    show<unsigned short, Shifted>("shifted halves", (unsigned short *)in, bins);
    show_weights((unsigned char *)in, bins);
    return 0;
}
