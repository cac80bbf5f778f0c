// cdpcc: --check=race
// races: they are planted
// stderr: ^cdp: race: thread \((0,1|4,1),0\) of block \(0,0,0\) writes 4 bytes that thread \((0,1|4,1),0\) of block \(0,0,0\) writes, and nothing orders the two$
// stderr: ^cdp: 1 finding$
// Rows of 10 threads that write rows of 16 words: the addresses of the vectors follow each other, but
// the numbers of their threads do not.
__global__ void rows(int *a)
{
    int x = threadIdx.x, y = threadIdx.y;
    a[16 * y + x] = 100 * x + 3 * y;
    if (x == 0 && y == 1) a[16 + 4] = 7;
}

__global__ void own(int *a)
{
    int x = threadIdx.x, y = threadIdx.y;
    a[16 * y + x] = 100 * x + 3 * y;
    if (y == 3) a[16 * y + x] += 1; /* its own word */
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 64 * sizeof *a);
    rows<<<1, dim3(10, 4)>>>(a);
    cudaDeviceSynchronize();
    own<<<1, dim3(10, 4)>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
