// cp.async of inline PTX is a read and a write for --check.
// cdpcc: --check=memory
// stderr: cdp: memory: read of 16 bytes beyond the end of an allocation
// optimized: without inlining the report has no line
// plain: sanitizers report it in their own way
#include <cstdio>
__global__ void k(int *in, int *out) {
    __shared__ __align__(16) int to[32 * 4];
    unsigned t = (unsigned)__cvta_generic_to_shared(&to[threadIdx.x * 4]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(t), "l"(in + threadIdx.x * 4) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = to[threadIdx.x * 4];
}
int main() { int *d; cudaMalloc(&d, 32 * 4 * 4 - 16); int *o; cudaMalloc(&o, 128); k<<<1, 32>>>(d, o); printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize())); }
