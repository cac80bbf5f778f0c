// cdpcc: --check=init
// optimized: an atomic function that is not inlined has no line of the user
// stderr: cdp: init: atomic access of 4 bytes of memory that nobody wrote
// stderr: check_init_memory_of_the_device.cu:13:16, in kernel sum, block \(0,0,0\), thread \(0,0,0\)
// stderr: memory: 0 bytes into 4 bytes of device memory, allocated at main \(check_init_memory_of_the_device.cu:35:5\)
// stderr: check_init_memory_of_the_device.cu:19:12, in kernel heap
// stderr: cdp: 3 findings
// workers: 1
// Device memory, the device heap, and one byte of several; each is reported once, and the kernel goes on.
#include <cstdio>
__global__ void sum(float *out, const float *in, int n)
{
    if (n > 0) atomicAdd(out, in[threadIdx.x]);
}
__global__ void heap(int *out)
{
    int *p = (int *)malloc(8);
    p[0] = 1;
    *out = p[1] * 2 + p[0];
    free(p);
}
__global__ void part(short *a, int *out)
{
    *out = *(int *)a + 1;
}

int main()
{
    int n = 32, *m;
    float *h = new float[n], *in, *out;
    short *s;
    for (int i = 0; i < n; i++) h[i] = 1;
    cudaMalloc(&in, n * 4);
    cudaMallocManaged(&m, 4);
    cudaMalloc(&out, 4);
    cudaMalloc(&s, 4);
    cudaMemset(s, 0, 2);
    cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice);
    delete[] h;
    sum<<<1, n>>>(out, in, n);
    heap<<<1, 1>>>(m);
    part<<<1, 1>>>(s, m);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
