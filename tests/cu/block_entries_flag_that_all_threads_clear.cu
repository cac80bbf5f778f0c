// cdpcc: --entry=block
// races: all threads store the same value to the flag, and no barrier is between that and their loads
// A loop with barriers ends when a flag in shared memory is set. All threads clear the flag before the loop without
// a barrier, so each thread reads what it has stored itself.
#include <cstdio>

enum { SIZE = 96 };

// The first element that is larger than the sample, for each row.
__global__ void first_above(int *out, const int *rows, int count, int columns, int sample)
{
    __shared__ bool found;
    __shared__ int at, seen[SIZE];
    for (int row = blockIdx.x; row < count; row += gridDim.x) {
        if (threadIdx.x == 0) {
            at = columns;
        }
        __syncthreads();
        found = false;
        int first = 0;
        for (; first < columns && !found; first += SIZE) {
            int column = first + threadIdx.x, value = column < columns ? rows[row * columns + column] : 0;
            seen[threadIdx.x] = value;
            __syncthreads();
            int other = seen[SIZE - 1 - threadIdx.x];
            if (other > sample) {
                atomicMin(&at, first + SIZE - 1 - (int)threadIdx.x);
                found = true;
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            out[row] = found ? at : -first;
        }
        __syncthreads();
    }
}

int main()
{
    enum { ROWS = 40, COLUMNS = 500 };
    static int rows[ROWS * COLUMNS], out[ROWS];
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        rows[i] = i * 2654435761u >> 16;
    }
    for (int sample : {0, 60000, 65400, 65530, 70000}) {
        first_above<<<7, SIZE>>>(out, rows, ROWS, COLUMNS, sample);
        printf("%d, above %d:", cudaDeviceSynchronize(), sample);
        for (int row = 0; row < ROWS; row++) {
            printf(" %d", out[row]);
        }
        printf("\n");
    }
}
