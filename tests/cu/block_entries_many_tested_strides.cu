// cdpcc: --entry=block -march=native
// entries: it tests their code
// Many loads of every third element, each from a run-time start of its own. Indices of 16 bits wrap
// around within a chunk, at other threads for each load.
#include <cstdio>

enum { NUMBERS = 65536, THREADS = 4096 };

__global__ void sums(const unsigned *x, unsigned *out, unsigned k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#define ADD(j) sum = sum * 31 + x[(unsigned short)(i + k * (j)) * 3u + (j) % 3];
#define ADD8(j) ADD(j) ADD(j + 1) ADD(j + 2) ADD(j + 3) ADD(j + 4) ADD(j + 5) ADD(j + 6) ADD(j + 7)
    ADD8(1) ADD8(9) ADD8(17) ADD8(25) ADD8(33) ADD8(41)
    out[i] = sum;
}

static unsigned expected(const unsigned *x, unsigned i, unsigned k)
{
    unsigned sum = 0;
    for (unsigned j = 1; j <= 48; j++) {
        sum = sum * 31 + x[(i + k * j) % NUMBERS * 3 + j % 3];
    }
    return sum;
}

int main()
{
    unsigned *x, *out;
    cudaMallocManaged(&x, NUMBERS * 3 * sizeof *x);
    cudaMallocManaged(&out, THREADS * sizeof *out);
    for (unsigned i = 0; i < NUMBERS * 3; i++) {
        x[i] = i * 2654435761u;
    }
    for (unsigned threads : {256, 96, 1000}) {
        int wrong = 0;
        for (unsigned k : {0u, 1u, 1365u, 65535u, 64001u}) {
            if (threads == 256) {
                sums<<<THREADS / 256, 256>>>(x, out, k);
            } else {
                sums<<<4, threads>>>(x, out, k);
            }
            cudaDeviceSynchronize();
            for (unsigned i = 0; i < (threads == 256 ? THREADS : 4 * threads); i++) {
                wrong += out[i] != expected(x, i, k);
            }
        }
        std::printf("%u threads: %d wrong\n", threads, wrong);
    }
}
