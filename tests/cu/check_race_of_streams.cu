// cdpcc: --check=race
// races: they are planted
// stderr: check_race_of_streams.cu:11:[0-9]+, (the write, )?in kernel add, block \(0,0,0\), thread \(0,0,0\)$
// stderr: ^  launched: add by kernel parent, block \(0,0,0\), thread \(0,0,0\) at check_race_of_streams.cu:2[45]:
// stderr: check_race_of_streams.cu:16:[0-9]+, (the write, )?in kernel addOnHost, block \(0,0,0\), thread \(0,0,0\)$
// stderr: ^  launched: addOnHost by the host at check_race_of_streams.cu:3[89]:
// stderr: ^  help: launch both into one stream, let one stream wait for an event of the other, or wait between the two launches$
// Two children in two streams, and two kernels in two streams of the host.
__global__ void add(int *cell, int by)
{
    *cell += by;
}

__global__ void addOnHost(int *cell, int by)
{
    *cell += by;
}

__global__ void parent(int *cell)
{
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    add<<<1, 1, 0, one>>>(cell, 1);
    add<<<1, 1, 0, two>>>(cell, 2);
}

int main()
{
    int *cells;
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaMalloc(&cells, 2 * sizeof(int));
    cudaMemset(cells, 0, 2 * sizeof(int));
    parent<<<1, 1>>>(&cells[0]);
    cudaDeviceSynchronize();
    addOnHost<<<1, 1, 0, one>>>(&cells[1], 1);
    addOnHost<<<1, 1, 0, two>>>(&cells[1], 2);
    cudaDeviceSynchronize();
}
