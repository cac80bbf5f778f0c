// cdpcc: --check=race
// workers: 1 2
// races: they are planted
// stderr: race: thread \([0-9]+,3,0\) of block \(0,0,0\) writes 4 bytes that .* read
// stderr: check_race_rows_of_a_block.cu:14:[0-9]+, .*in kernel one_place_a_row
// stderr: cdp: 1 finding
// All threads of a row read one place. A thread of the last row writes the place of its own row.
#include "show.h"

__global__ void one_place_a_row(int *places, int *out, int writer)
{
    int value = places[threadIdx.y];
    if (threadIdx.x == 5 && threadIdx.y == writer) {
        places[writer] = 7;
    }
    out[threadIdx.y * blockDim.x + threadIdx.x] = value;
}

int main()
{
    int *places, *out;
    MUST(cudaMalloc(&places, 64));
    MUST(cudaMalloc(&out, 1024));
    MUST(cudaMemset(places, 0, 64));
    one_place_a_row<<<1, dim3(16, 4)>>>(places, out, 3);
    MUST(cudaDeviceSynchronize());
    cudaFree(places);
    cudaFree(out);
}
