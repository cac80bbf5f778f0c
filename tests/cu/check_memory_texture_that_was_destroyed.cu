// cdpcc: --check=memory
// stderr: cdp: memory: access through a texture object that does not exist, or was destroyed \(cudaErrorIllegalAddress\)
// stderr: check_memory_texture_that_was_destroyed.cu:8:24, in kernel k, block \(0,0,0\), thread \(0,0,0\)$
// The line is the program's, not that of the header, also in block entries.
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
    cudaDestroyTextureObject(texture);
    k<<<1, 32>>>(texture, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
