// Vectors of padded rows may start anywhere in a warp, and may lie in two warps.
#include <cstdio>

__global__ void warps(const int *in, int *out) {
    unsigned warp, lane;
    asm("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int at = blockIdx.x * blockDim.x * blockDim.y + t;
    out[at] = in[warp] * 3 + (warp < 3 ? in[t] : 7) + in[lane];
}

// The same with the block's own numbers.
__global__ void quotients(const int *in, int *out) {
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int at = blockIdx.x * blockDim.x * blockDim.y + t;
    out[at] = in[t / 32] * 3 + (t / 32 < 3 ? in[t] : 7) + in[t % 32];
}

static const dim3 blocks[] = {dim3(20, 20), dim3(10, 30), dim3(33, 9), dim3(24, 16)};

int main() {
    int *in, *out, bad = 0;
    cudaMallocManaged(&in, 1024 * sizeof *in);
    cudaMallocManaged(&out, 2048 * sizeof *out);
    for (int i = 0; i < 1024; i++) {
        in[i] = 7 * i + i / 3;
    }
    for (dim3 block : blocks) {
        for (auto kernel : {warps, quotients}) {
            kernel<<<2, block>>>(in, out);
            cudaDeviceSynchronize();
            int threads = block.x * block.y * block.z;
            for (int i = 0; i < 2 * threads; i++) {
                int t = i % threads, warp = t / 32;
                bad += out[i] != in[warp] * 3 + (warp < 3 ? in[t] : 7) + in[t % 32];
            }
        }
    }
    warps<<<1, dim3(20, 20)>>>(in, out);
    quotients<<<1, dim3(20, 20)>>>(in, out + 1024);
    cudaDeviceSynchronize();
    for (int i = 0; i < 400; i++) {
        bad += out[i] != out[1024 + i];
    }
    printf("%d wrong\n", bad);
}
