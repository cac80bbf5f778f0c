// Thousands of instructions in one basic block, with sums whose carry is tested, in a loop.
#include <cstdio>

typedef unsigned __int128 wide;

template <int N> __host__ __device__ wide mix(wide s, wide x, unsigned long long y)
{
#pragma unroll
    for (int i = 1; i <= N; i++) s = (s + x * (unsigned)i) ^ (s >> (i % 50 + 1)) - y;
    return s;
}

__host__ __device__ unsigned long long fold(const unsigned long long *in, int i, int rounds)
{
    wide x = (wide)in[i] << 64 | in[i + 1], s = 1;
    for (int r = 0; r < rounds; r++) s = mix<120>(s, x + r, in[r]);
    return (unsigned long long)(s ^ s >> 64);
}

__global__ void all(const unsigned long long *in, unsigned long long *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = fold(in, i, rounds);
}

int main()
{
    enum { COUNT = 256 };
    unsigned long long *in, *out;
    int wrong = 0;
    cudaMallocManaged(&in, (COUNT + 1) * sizeof *in);
    cudaMallocManaged(&out, COUNT * sizeof *out);
    for (int i = 0; i <= COUNT; i++) in[i] = 0x9e3779b97f4a7c15ull * (i + 1);
    all<<<2, COUNT / 2>>>(in, out, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < COUNT; i++) wrong += out[i] != fold(in, i, 3);
    printf("%d wrong, %s\n", wrong, cudaGetErrorString(cudaGetLastError()));
}
