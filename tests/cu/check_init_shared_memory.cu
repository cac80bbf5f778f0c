// cdpcc: --check=init
// optimized: an atomic function that is not inlined has no line of the user
// workers: 1
// stderr: cdp: init: atomic access of 4 bytes of shared memory that no thread of the block wrote
// stderr: check_init_shared_memory.cu:15:9, in kernel count, block \(0,0,0\), thread \(0,0,0\)
// stderr: memory: shared variable 'sum'
// stderr: check_init_shared_memory.cu:27:18, in kernel pass, block \(0,0,0\), thread \(3,0,0\)
// stderr: check_init_shared_memory.cu:39:18, in kernel twice, block \(1,0,0\), thread \(0,0,0\)
// stderr: help: let a thread write it first, and put a __syncthreads\(\) after the write
// stderr: cdp: 3 findings
__global__ void count(const int *a, int *out, int n)
{
    __shared__ int sum;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        atomicAdd(&sum, a[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = sum;
}
// A value that is only passed on, of dynamic shared memory.
__global__ void pass(int *out, int n)
{
    extern __shared__ int s[];
    if (threadIdx.x < n) s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x < 4) {
        out[0] = s[threadIdx.x];
    }
}
// What an earlier block wrote in the same place does not count.
__global__ void twice(int *out)
{
    __shared__ int s;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        s = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = s + 1;
    }
}

int main()
{
    int *a, *out;
    cudaMallocManaged(&a, 32 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 32; i++) a[i] = i;
    count<<<1, 32>>>(a, out, 32);
    cudaDeviceSynchronize();
    cudaMalloc(&out, sizeof(int));
    pass<<<1, 32, 64>>>(out, 3);
    cudaDeviceSynchronize();
    twice<<<2, 32>>>(out);
    cudaDeviceSynchronize();
}
