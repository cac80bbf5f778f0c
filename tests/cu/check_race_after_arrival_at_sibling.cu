// cdpcc: --check=race
// workers: 1 2 8
// races: they are planted
// stderr: race: .*4 bytes that thread .* and nothing orders the two
// stderr: memory: shared variable .cell.
// What follows an arrival at the mbarrier of another block is not ordered by it. Two accesses at the
// very same moment may miss each other, so the kernel runs several times.
#include <cstdint>
#include <cstdio>

__global__ void __cluster_dims__(2) kernel(unsigned *out)
{
    __shared__ uint64_t barrier;
    __shared__ unsigned cell;
    uint32_t rank, at = (uint32_t)__cvta_generic_to_shared(&barrier);
    uint64_t first;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mapa.u64 %0, %1, 0;" : "=l"(first) : "l"(&cell));
    asm("mapa.shared::cluster.u32 %0, %0, 0;" : "+r"(at));
    if (rank == 0) {
        asm volatile("mbarrier.init.b64 [%0], 1;" ::"l"(&barrier) : "memory");
    }
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    if (rank == 1) {
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at)
                     : "memory");
        *(unsigned *)first = 7;
    } else {
        uint32_t is_complete = 0;
        while (is_complete == 0) {
            asm volatile("{.reg .pred p; mbarrier.try_wait.parity.b64 p, [%1], 0;\n"
                         "selp.u32 %0, 1, 0, p;}"
                         : "=r"(is_complete)
                         : "l"(&barrier)
                         : "memory");
        }
        *out = cell;
    }
    asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

int main()
{
    unsigned *out;
    cudaMallocManaged(&out, sizeof *out);
    for (int i = 0; i < 8; i++) {
        kernel<<<2, 1>>>(out);
    }
    printf("%s%s\n", cudaGetErrorName(cudaDeviceSynchronize()), "");
}
