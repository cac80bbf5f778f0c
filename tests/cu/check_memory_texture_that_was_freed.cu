// cdpcc: --check=memory
// stderr: cdp: memory: access through a texture object of memory that was freed, which is 0 bytes into 128 bytes of device memory, .*freed at main .* \(cudaErrorIllegalAddress\)
// stderr: check_memory_texture_that_was_freed.cu:7:24, in kernel k, block \(0,0,0\), thread \(0,0,0\)$
#include <cstdio>
__global__ void k(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

int main()
{
    float *cells, *out;
    cudaMalloc(&cells, 128);
    cudaMalloc(&out, 128);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = cells;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 128;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    k<<<1, 32>>>(texture, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(cells);
    k<<<1, 32>>>(texture, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
