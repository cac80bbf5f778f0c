// cdpcc: --check=race
// races: they are planted
// stderr: ^cdp: race: thread \([0-9]+,0,0\) of block \(0,0,0\) (reads|writes) 4 bytes that thread \([0-9]+,0,0\) of block \(0,0,0\) (reads|writes), and nothing orders the two$
// stderr: check_race_within_a_block.cu:13:[0-9]+, (the (read|write), )?in kernel reverse
// stderr: check_race_within_a_block.cu:14:[0-9]+, (the (read|write), )?in kernel reverse
// stderr: ^  memory: shared variable 'reversed'
// stderr: ^  help: put a __syncthreads\(\) between the two$
// stderr: check_race_within_a_block.cu:21:[0-9]+, (the (read|write), )?in kernel pairs
// stderr: ^  help: put a __syncwarp\(\) between the two
__global__ void reverse(int *cells)
{
    __shared__ int reversed[64];
    reversed[threadIdx.x] = cells[threadIdx.x];
    cells[threadIdx.x] = reversed[63 - threadIdx.x];
}

__global__ void pairs(int *cells)
{
    __shared__ int values[32];
    values[threadIdx.x] = threadIdx.x;
    cells[threadIdx.x] = values[threadIdx.x ^ 1];
}

int main()
{
    int *cells;
    cudaMalloc(&cells, 64 * sizeof(int));
    cudaMemset(cells, 0, 64 * sizeof(int));
    reverse<<<1, 64>>>(cells);
    pairs<<<1, 32>>>(cells);
    cudaDeviceSynchronize();
}
