// cdpcc: --check=race
// races: they are planted
// The optimizer makes wide loads and a fill of such loops. Any thread may be the first to meet the host.
// stderr: check_race_of_host_loops.cu:[0-9]+:[0-9]+, (the write, )?in kernel fill, block \(0,0,0\), thread \([0-9]+,0,0\)$
// stderr: check_race_of_host_loops.cu:26:[0-9]+, (the read, )?in main$
// stderr: check_race_of_host_loops.cu:29:[0-9]+, (the read, )?in main$
// stderr: check_race_of_host_loops.cu:31:[0-9]+, (the write, )?in main$
#include <cstdio>

__global__ void fill(int *cells)
{
    cells[threadIdx.x] = 1;
}

int main()
{
    int *managed, *pinned, *device, sum = 0;
    cudaMallocManaged(&managed, 32 * sizeof(int));
    cudaMallocHost(&pinned, 32 * sizeof(int));
    cudaMalloc(&device, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) {
        pinned[i] = i;
    }
    fill<<<1, 32>>>(managed);
    for (int i = 0; i < 32; i++) {
        sum += managed[i];
    }
    cudaDeviceSynchronize();
    cudaMemcpyAsync(device, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, 0);
    for (int i = 0; i < 32; i++) {
        pinned[i] = 0;
    }
    cudaDeviceSynchronize();
    return sum > 100;
}
