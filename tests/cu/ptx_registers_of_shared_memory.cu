// Special registers of shared memory: the reserved part has an H100's offsets; the sizes with and
// without it differ by the part. %current_graph_exec is 0 outside of a graph.
#include "show.h"

__global__ void read(unsigned *out)
{
    __shared__ int cells[100];
    cells[threadIdx.x] = 1;
    asm volatile("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(out[0]));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_end;" : "=r"(out[1]));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_cap;" : "=r"(out[2]));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_0;" : "=r"(out[3]));
    asm volatile("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(out[4]));
    unsigned total, all, dynamic;
    asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(total));
    asm volatile("mov.u32 %0, %%aggr_smem_size;" : "=r"(all));
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic));
    out[5] = all - total;
    out[6] = dynamic;
    out[7] = total; // of 464 bytes
    unsigned long long graph;
    asm volatile("mov.u64 %0, %%current_graph_exec;" : "=l"(graph));
    out[8] = graph == (unsigned long long)cudaGetCurrentGraphExec();
    out[9] = graph == 0;
}

int main()
{
    unsigned *out;
    MUST(cudaMallocManaged(&out, 10 * sizeof *out));
    read<<<1, 1, 64>>>(out);
    SHOW(cudaDeviceSynchronize());
    for (int i = 0; i < 10; i++) {
        printf("%u%c", out[i], i == 9 ? '\n' : ' ');
    }
}
