// cdpcc: --entry=block -O2
// Code between barriers takes several vectors at a time, beside other code of the kernel whose
// calls take one. Which threads have ended is the same for both. A loop after an effect, which not
// all threads reach, runs without masks if all have reached it.
#include <cstdio>

enum { N = 5000, BLOCKS = 7 };

__device__ __noinline__ int called(int x, int y)
{
    return x % 7 == 3 ? y / 3 + (int)threadIdx.x : y;
}

// Threads from `most` on end first.
__global__ void pass(const int *in, int *out, int *sums, int begin, int end, int most)
{
    __shared__ int counts[4];
    int t = threadIdx.x;
    out[N + blockIdx.x * blockDim.x + t] = called(t, blockIdx.x);
    if (t >= most) {
        return;
    }
    for (int i = t; t == 0 && i < 4; i++) {
        counts[i] = 0;
    }
    __syncthreads();
    int even = 0, odd = 0;
    for (int i = begin + t; i < end; i += blockDim.x) {
        even += in[i] % 2 == 0;
        odd += in[i] % 2 != 0;
    }
    atomicAdd(&counts[0], even);
    atomicAdd(&counts[1], odd);
    __syncthreads();
    int place = atomicAdd(&counts[2], even + odd), last = -1;
    for (int i = begin + t; i < end && begin % 2 == 0; i += blockDim.x) {
        last = in[i] + 1;
        if (blockIdx.x == 0) {
            out[i] = last;
        }
    }
    __syncthreads();
    if (t == 0) {
        sums[3 * blockIdx.x] = called(counts[0], counts[0]);
        sums[3 * blockIdx.x + 1] = counts[1];
    }
    atomicAdd(&sums[3 * blockIdx.x + 2], last + (place < 0));
}

static bool holds(int threads, int begin, int end, int most)
{
    int *in, *out, *sums;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, (N + BLOCKS * threads) * sizeof(int));
    cudaMallocManaged(&sums, 3 * BLOCKS * sizeof(int));
    cudaMemset(sums, 0, 3 * BLOCKS * sizeof(int));
    for (int i = 0; i < N; i++) {
        in[i] = i * 7 % 1000 + i % 3;
        out[i] = -5;
    }
    if (threads == 64) { // has an entry of its own
        pass<<<BLOCKS, 64>>>(in, out, sums, begin, end, most);
    } else {
        pass<<<BLOCKS, threads>>>(in, out, sums, begin, end, most);
    }
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    int even = 0, odd = 0, lasts = 0, working = threads < most ? threads : most;
    for (int t = 0; t < working; t++) {
        int last = -1;
        for (int i = begin + t; i < end; i += threads) {
            (in[i] % 2 == 0 ? even : odd)++;
            bool on = begin % 2 == 0;
            last = on ? in[i] + 1 : -1;
            right = right && out[i] == (on ? last : -5);
            out[i] = -5;
        }
        lasts += last;
    }
    for (int i = 0; i < N; i++) {
        right = right && out[i] == -5;
    }
    for (int block = 0; block < BLOCKS; block++) {
        for (int t = 0; t < threads; t++) {
            int expected = t % 7 == 3 ? block / 3 + t : block;
            right = right && out[N + block * threads + t] == expected;
        }
        right = right && sums[3 * block] == (even % 7 == 3 ? even / 3 : even) &&
                sums[3 * block + 1] == odd && sums[3 * block + 2] == lasts;
    }
    cudaFree(in);
    cudaFree(out);
    cudaFree(sums);
    return right;
}

int main()
{
    const int sizes[] = {3, 16, 33, 64, 100, 128, 500, 1024};
    for (int threads : sizes) {
        bool right = true;
        for (int most : {1024, threads, threads - 1, 17, 1}) {
            right = right && holds(threads, 0, N, most) && holds(threads, 10, 10 + threads, most) &&
                    holds(threads, 8, 8, most) && holds(threads, 5, N, most) &&
                    holds(threads, 4, 4 + 2 * threads - 1, most) && holds(threads, 2, 45, most);
        }
        printf("%d threads: %s\n", threads, right ? "right" : "wrong");
    }
    return 0;
}
