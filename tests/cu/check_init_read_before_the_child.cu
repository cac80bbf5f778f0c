// cdpcc: --check=init
// workers: 1
// stderr: check_init_read_before_the_child.cu:17:[0-9]+, in kernel early, block
// stderr: help: write the memory first, .*; or did this read come before the child that writes it\? Then wait for the child: by cudaDeviceSynchronize\(\) \(CDP1\), or read in a tail launch \(CDP2\)$
// stderr: check_init_read_before_the_child.cu:24:[0-9]+, in kernel never, block
// stderr: help: write the memory first, for example by cudaMemset or cudaMemcpy$
// stderr: ^cdp: 2 findings$
// A launched child has not run yet; and memory that no child writes.
__global__ void fill(int *cells)
{
    cells[threadIdx.x] = 1;
}

__global__ void early(int *cells, int *out)
{
    fill<<<1, 4>>>(cells);
    if (cells[3] == 1) *out = 1;
}

__global__ void never(int *cells, int *out)
{
    fill<<<1, 3>>>(cells + 1);
    cudaDeviceSynchronize();
    if (cells[0] == 1) *out = 1;
}

int main()
{
    int *cells, *out;
    cudaMalloc(&out, sizeof(int));
    cudaMalloc(&cells, 4 * sizeof(int));
    early<<<1, 1>>>(cells, out);
    cudaDeviceSynchronize();
    cudaFree(cells);
    cudaMalloc(&cells, 4 * sizeof(int));
    never<<<1, 1>>>(cells, out);
    cudaDeviceSynchronize();
    cudaFree(cells);
    cudaFree(out);
}
