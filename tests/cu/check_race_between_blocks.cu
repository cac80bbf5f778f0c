// cdpcc: --check=race
// races: they are planted
// stderr: ^cdp: race: thread \(0,0,0\) of block \([0-9],0,0\) (reads|writes) 4 bytes that thread \(0,0,0\) of block \([0-9],0,0\) writes, and nothing orders the two$
// stderr: check_race_between_blocks.cu:11:[0-9]+, (the write, )?in kernel count, block \([0-9],0,0\), thread \(0,0,0\)$
// stderr: ^  memory: 0 bytes into 4 bytes of device memory, allocated at main \(.*check_race_between_blocks.cu:33
// stderr: ^  help: use an atomic operation, such as atomicAdd\(\)
// stderr: ^  help: blocks of a grid run in any order: .* a __threadfence\(\) and an atomic flag$
// stderr: check_race_between_blocks.cu:25:[0-9]+, (the write, )?in kernel sum, block \([0-9],0,0\), thread \(0,0,0\)$
__global__ void count(int *counter)
{
    *counter = *counter + 1;
}

// An atomic operation without a fence before it publishes nothing.
__global__ void sum(int *parts, unsigned *done, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x;
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        for (unsigned i = 0; i < gridDim.x; i++) {
            *out += parts[i];
        }
    }
}

int main()
{
    int *counter, *parts;
    cudaMalloc(&counter, sizeof(int));
    cudaMallocManaged(&parts, 16 * sizeof(int));
    cudaMemset(counter, 0, sizeof(int));
    count<<<4, 1>>>(counter);
    sum<<<4, 32>>>(parts, (unsigned *)&parts[8], &parts[9]);
    cudaDeviceSynchronize();
}
