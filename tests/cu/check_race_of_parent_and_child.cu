// cdpcc: --check=race --cdp=1
// races: they are planted
// stderr: check_race_of_parent_and_child.cu:11:[0-9]+, (the (write|read), )?in kernel child, block \(0,0,0\), thread \(0,0,0\)$
// stderr: check_race_of_parent_and_child.cu:17:[0-9]+, (the (write|read), )?in kernel parent, block \(0,0,0\), thread \(0,0,0\)$
// stderr: ^  launched: child by kernel parent, block \(0,0,0\), thread \(0,0,0\) at check_race_of_parent_and_child.cu:16:
// stderr: ^  help: (wait for the child first|the child may run before this access)
// stderr: check_race_of_parent_and_child.cu:24:[0-9]+, (the (write|read), )?in kernel early
// stderr: check_race_of_parent_and_child.cu:34:[0-9]+, (the (write|read), )?in kernel others, block \(0,0,0\), thread \(40,0,0\)$
__global__ void child(int *cell)
{
    *cell = 1; // no read: of unordered reads, the check remembers those of one grid only
}

__global__ void parent(int *cells)
{
    child<<<1, 1>>>(&cells[0]);
    cells[1] = cells[0];
    cudaDeviceSynchronize();
}

__global__ void early(int *cells)
{
    child<<<1, 1>>>(&cells[2]);
    cells[2] = 7;
    cudaDeviceSynchronize();
}

__global__ void others(int *cells)
{
    if (threadIdx.x == 0) {
        child<<<1, 1>>>(&cells[4]);
        cudaDeviceSynchronize();
    } else if (threadIdx.x == 40) {
        cells[5] = cells[4];
    }
}

int main()
{
    int *cells;
    cudaMalloc(&cells, 8 * sizeof(int));
    cudaMemset(cells, 0, 8 * sizeof(int));
    // Several times: of two accesses at the very same moment, neither may see the other.
    for (int i = 0; i < 8; i++) {
        parent<<<1, 1>>>(cells);
        early<<<1, 1>>>(cells);
        others<<<1, 64>>>(cells);
        cudaDeviceSynchronize();
    }
}
