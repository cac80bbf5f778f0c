// Volatile numbers of 16 bits, as programs keep them in shared memory.
#include <cstdio>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T, class Raw> __global__ void sum(const T *in, float *out)
{
    __shared__ volatile T s[64];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        T mine = s[threadIdx.x];
        T other(s[threadIdx.x ^ d]);
        __syncthreads();
        s[threadIdx.x] = mine + other;
        __syncthreads();
    }
    volatile Raw bits = s[threadIdx.x];
    volatile T last;
    last = bits;
    Raw plain = last;
    T end;
    end = plain;
    out[threadIdx.x] = end;
}

template <class T, class Raw> void run()
{
    T *in;
    float *out;
    cudaMallocManaged(&in, 64 * sizeof *in);
    cudaMallocManaged(&out, 64 * sizeof *out);
    for (int i = 0; i < 64; i++) {
        in[i] = (T)(float)(i % 4);
    }
    sum<T, Raw><<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%g %g\n", out[0], out[63]);
}

int main()
{
    run<__half, __half_raw>();
    run<__nv_bfloat16, __nv_bfloat16_raw>();
    return 0;
}
