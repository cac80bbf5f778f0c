// races: polls by volatile loads and stores
// The threads of all blocks pass over their items again and again until all are done, as in the graph
// colouring of ECL-GC. An item is done after one that may be of any other block. So each block must
// get all of its threads soon, though the blocks that have started poll for long.
#include <cstdio>

enum { ITEMS = 20000, BLOCKS = 16, THREADS = 512, STEP = 7919, DEPTH = 2003 };

__global__ void run(volatile int *done)
{
    int thread = threadIdx.x + blockIdx.x * blockDim.x, threads = gridDim.x * blockDim.x;
    bool again;
    do {
        again = false;
        for (int i = thread; i < ITEMS; i += threads) {
            if (done[i] == 0) {
                if (i < DEPTH || done[(i - DEPTH) * STEP % (i - DEPTH + 1)] != 0) {
                    done[i] = 1;
                } else {
                    again = true;
                }
            }
        }
    } while (again);
}

int main()
{
    int *done, count = 0;
    cudaMallocManaged(&done, ITEMS * sizeof(int));
    cudaMemset(done, 0, ITEMS * sizeof(int));
    run<<<BLOCKS, THREADS>>>(done);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < ITEMS; i++) {
        count += done[i];
    }
    printf("%s: %d items\n", cudaGetErrorName(error), count);
}
