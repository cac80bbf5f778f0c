// A test of a select's other operand counts only for lanes that select it. The operand may be a
// number that no thread computes, like a shift by too many bits. If blocks always have one size,
// the compiler knows it.
#include <cstdio>

enum { N = 8192, W = 64 };

__global__ void shifted(const unsigned *in, unsigned *out, int w, int flag) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned q = (unsigned)i / (unsigned)w;
    unsigned at = flag > 5 ? (unsigned)i : q << blockDim.x;
    out[i] = in[at] + q;
}

__global__ void beside(const unsigned *in, unsigned *out, int w, int flag) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned q = (unsigned)i % (unsigned)w;
    unsigned at = flag > 5 ? (unsigned)i : q + (1u << blockDim.x);
    out[i] = in[at] + q;
}

__global__ void guarded(const unsigned *in, unsigned *out, int w, int flag, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned q = (unsigned)i % (unsigned)w;
        unsigned at = flag > 5 ? (unsigned)i : q + (1u << blockDim.x);
        out[i] = in[at] + q;
    }
}

// No thread reaches the code for which the versioned loop tests its lanes at the start.
__global__ void never(const unsigned *in, unsigned *out, int w, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0, q = (unsigned)i / (unsigned)w;
    for (int k = 0; k < n; k++) {
        sum += in[k];
        if (blockDim.x < 32) {
            sum += in[(q << blockDim.x) + k];
        }
    }
    out[i] = sum;
}

// Each iteration selects.
__global__ void chosen(const unsigned *in, unsigned *out, int w, const int *flags, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int k = 0; k < turns; k++) {
        unsigned q = (unsigned)(i + k) / (unsigned)w;
        unsigned at = flags[k] > 5 ? (unsigned)(i + k) : q << blockDim.x;
        sum = sum * 31 + in[at];
    }
    out[i] = sum;
}

int main() {
    unsigned *in, *out;
    int *flags, bad = 0;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    cudaMallocManaged(&flags, 8 * sizeof *flags);
    for (unsigned i = 0; i < N; i++) {
        in[i] = 7 * i + 1;
        flags[i % 8] = 9;
    }
    shifted<<<2, 256>>>(in, out, W, 9);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 512; i++) {
        bad += out[i] != in[i] + i / W;
    }
    beside<<<2, 256>>>(in, out, W, 9);
    guarded<<<2, 256>>>(in, out + N / 2, W, 9, 500);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 512; i++) {
        bad += out[i] != in[i] + i % W;
        bad += i < 500 && out[N / 2 + i] != out[i];
    }
    chosen<<<2, 256>>>(in, out, W, flags, 8);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 512; i++) {
        unsigned sum = 0;
        for (unsigned k = 0; k < 8; k++) {
            sum = sum * 31 + in[i + k];
        }
        bad += out[i] != sum;
    }
    never<<<2, 256>>>(in, out, W, 10);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 512; i++) {
        bad += out[i] != 7 * 45 + 10;
    }
    printf("%d wrong\n", bad);
}
