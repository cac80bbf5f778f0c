// Loops in inline PTX that wait: for an mbarrier, with copies that arrive, and for a flag of another
// thread.
// workers: 1 2 8
#include <cstdio>
#include <cstdint>
__global__ void k(int *out) {
    __shared__ uint64_t bar; __shared__ int data[64];
    uint32_t b = (uint32_t)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(64));
    __syncthreads();
    data[threadIdx.x] = threadIdx.x;
    if (threadIdx.x % 2) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(b) : "memory");
    else asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(b) : "memory");
    asm volatile("{\n"
        ".reg .pred                P1;\n"
        "LAB_WAIT: \n"
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
        "@P1                       bra.uni DONE;\n"
        "bra.uni                   LAB_WAIT;\n"
        "DONE:\n"
        "}\n" ::"r"(b), "r"(0) : "memory");
    out[threadIdx.x] = data[63 - threadIdx.x];
}
__device__ int flag;
__global__ void spin(int *out) {
    if (threadIdx.x == 0) {
        int v;
        asm volatile("{ .reg .pred p; AGAIN: ld.acquire.gpu.global.s32 %0, [%1]; setp.eq.s32 p, %0, 0; @p bra AGAIN; }" : "=r"(v) : "l"(&flag) : "memory");
        *out = v;
    } else asm volatile("st.release.gpu.global.s32 [%0], 7;" ::"l"(&flag) : "memory");
}
int main() { int *d; cudaMallocManaged(&d, 256); k<<<1, 64>>>(d); cudaDeviceSynchronize(); int ok = 0; for (int i = 0; i < 64; i++) ok += d[i] == 63 - i; printf("%d\n", ok);
 spin<<<1, 2>>>(d); printf("%s %d\n", cudaGetErrorName(cudaDeviceSynchronize()), d[0]); }
