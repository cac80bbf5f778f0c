// cdpcc: --check=memory
// stderr: cdp: memory: host code reads device memory
// stderr: check_memory_host_reads_device_memory.cu:18:.*, in main
// stderr: 20 bytes into 1024 bytes of device memory, allocated at main \(check_memory_host_reads_device_memory.cu:15:5\)
// The program continues. Reads of managed and of pinned memory are silent.
#include <cstdio>
__global__ void fill(int *a, int *m, int *p)
{
    a[5] = m[5] = p[5] = 3;
}

int main()
{
    int *a, *m, *p;
    cudaMalloc(&a, 1024); cudaMallocManaged(&m, 1024); cudaMallocHost(&p, 1024);
    fill<<<1, 1>>>(a, m, p);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", a[5], m[5], p[5]);
}
