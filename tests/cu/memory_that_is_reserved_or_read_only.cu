// As on an H100: a pool whose reserved bytes are not zero is refused, and so are copies into host memory
// that is registered as read-only. Kernels and copies may read it.
#include <cstdio>

#include "show.h"

__global__ void read(const int *from, int *to)
{
    *to = *from;
}

int main()
{
    cudaMemPoolProps props = {};
    cudaMemPool_t pool;
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    SHOW(cudaMemPoolCreate(&pool, &props));
    MUST(cudaMemPoolDestroy(pool));
    props.reserved[53] = 1;
    SHOW(cudaMemPoolCreate(&pool, &props));
    static int host[1024] = {1, 2};
    int *device, *seen, value = 0;
    MUST(cudaMalloc(&device, sizeof host));
    MUST(cudaHostRegister(host, sizeof host, cudaHostRegisterReadOnly));
    MUST(cudaHostGetDevicePointer(&seen, host, 0));
    read<<<1, 1>>>(seen + 1, device);
    SHOW(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
    printf("%d\n", value);
    SHOW(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(host, device, 4, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyAsync(host + 1, device, 4, cudaMemcpyDeviceToHost, 0));
    SHOW(cudaDeviceSynchronize());
    printf("%d %d\n", host[0], host[1]);
    MUST(cudaHostUnregister(host));
    SHOW(cudaMemcpy(host, device + 1, 4, cudaMemcpyDeviceToHost));
    printf("%d\n", host[0]);
    return 0;
}
