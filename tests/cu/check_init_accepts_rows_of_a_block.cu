// cdpcc: --check=init
// workers: 1 2
// Each row of a block writes one place. All of them are written.
#include "show.h"

__global__ void rows(int n, const int *start, float *lengths)
{
    for (int row = threadIdx.y + blockIdx.y * blockDim.y; row < n; row += gridDim.y * blockDim.y) {
        lengths[row] = (float)(start[row + 1] - start[row]);
    }
}
__global__ void doubled(const float *in, float *out)
{
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

int main(int count, char **)
{
    int host[65], *start;
    float *lengths, *out;
    for (int i = 0; i < 65; i++) {
        host[i] = i * i;
    }
    MUST(cudaMalloc(&start, sizeof host));
    MUST(cudaMalloc(&lengths, 64 * sizeof *lengths));
    MUST(cudaMalloc(&out, 64 * sizeof *out));
    MUST(cudaMemcpy(start, host, sizeof host, cudaMemcpyHostToDevice));
    const dim3 shapes[] = {dim3(16, 4), dim3(32, 8), dim3(64, 2), dim3(8, 8), dim3(16 * count, 4)};
    for (const dim3 &shape : shapes) {
        MUST(cudaMalloc(&lengths, 64 * sizeof *lengths));
        rows<<<dim3(1, 64 / shape.y), shape>>>(64, start, lengths);
        doubled<<<1, 64>>>(lengths, out);
        MUST(cudaDeviceSynchronize());
    }
    rows<<<dim3(1, 16), dim3(16, 4)>>>(64, start, lengths);
    rows<<<dim3(1, 8), dim3(32, 8)>>>(64, start, lengths);
    MUST(cudaDeviceSynchronize());
}
