// cdpcc: --check=race
// races: they are planted
// stderr: check_race_of_the_host.cu:13:[0-9]+, (the write, )?in kernel fill, block \(0,0,0\), thread \(0,0,0\)$
// stderr: check_race_of_the_host.cu:24:[0-9]+, (the (read|write), )?in main$
// stderr: ^cdp: race: .*(a copy writes 128 bytes that the host reads|the host reads 4 bytes that a copy or fill writes), and nothing orders the two$
// stderr: check_race_of_the_host.cu:29:[0-9]+, (the write, )?in main$
// stderr: check_race_of_the_host.cu:30:[0-9]+, (the read, )?in main$
// stderr: ^  help: let the host (wait before this access: cudaDeviceSynchronize\(\)|access the memory before the launch)
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
    managed[0] = 0;
    fill<<<1, 32>>>(managed);
    sum += managed[0];
    cudaDeviceSynchronize();
    sum += managed[0];
    fill<<<1, 32>>>(device);
    pinned[0] = 0;
    cudaMemcpyAsync(pinned, device, 32 * sizeof(int), cudaMemcpyDeviceToHost, 0);
    sum += pinned[0];
    cudaDeviceSynchronize();
    return sum > 100;
}
