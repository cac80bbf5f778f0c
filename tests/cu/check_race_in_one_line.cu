// cdpcc: --check=race
// races: they are planted
// stderr: check_race_in_one_line.cu:19:[0-9]+, in kernel neighbours, block
// stderr: ^  help: let each thread read into a local variable, put a __syncthreads\(\) after it, and write then; or, if several threads update one element, use an atomic operation, such as atomicAdd\(\)$
// stderr: check_race_in_one_line.cu:27:[0-9]+, in kernel lanes, block
// stderr: ^  help: let each thread read into a local variable, put a __syncwarp\(\) after it, and write then;
// stderr: check_race_in_one_line.cu:34:[0-9]+, in kernel blocks, block
// stderr: ^  help: blocks of a grid run in any order: write into another array than the one that is read,
// stderr: check_race_in_one_line.cu:41:[0-9]+, in kernel counter, block
// stderr: ^  help: use an atomic operation, such as atomicAdd\(\), or let each thread write a place of its own$
// stderr: check_race_in_one_line.cu:4[78]:[0-9]+, in kernel two_lines, block
// stderr: ^  help: put a __syncthreads\(\) between the two, or, if only threads of one warp share the memory, a __syncwarp\(\)
// What is read and written in one line, by threads that do not wait: the help depends on the places.
__global__ void neighbours()
{
    __shared__ int s[65];
    s[threadIdx.x] = s[64] = 0;
    __syncthreads();
    s[threadIdx.x] += s[threadIdx.x + 1];
}

__global__ void lanes()
{
    __shared__ int s[33];
    s[threadIdx.x] = s[32] = 0;
    __syncwarp();
    s[threadIdx.x] += s[threadIdx.x + 1];
}

__global__ void blocks(int *cells)
{
    unsigned next = (blockIdx.x + 1) % gridDim.x;
    int *mine = &cells[blockIdx.x];
    *mine = cells[next] + 1;
}

__global__ void counter()
{
    __shared__ int count;
    __syncthreads();
    count = count + 1;
}

__global__ void two_lines()
{
    __shared__ int s[65];
    int next = s[threadIdx.x ^ 1];
    s[threadIdx.x] = next;
}

int main()
{
    int *cells;
    cudaMalloc(&cells, 64 * sizeof(int));
    cudaMemset(cells, 0, 64 * sizeof(int));
    neighbours<<<1, 64>>>();
    lanes<<<1, 32>>>();
    blocks<<<8, 1>>>(cells);
    counter<<<1, 64>>>();
    two_lines<<<1, 64>>>();
    cudaDeviceSynchronize();
}
