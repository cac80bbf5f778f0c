// cdpcc: --entry=block -O2
// Functions store to shared variables that they get as pointers, references and members. So the flag
// that decides a branch with a barrier is known to be another variable.
#include <stdio.h>

enum { BLOCK = 96 };

struct Store {
    float (&tile)[BLOCK];
    __device__ Store(float (&all)[BLOCK]) : tile(all) {}
    __device__ void put(int at, float value)
    {
        tile[at] = value;
    }
};
__device__ void put(float *tile, int at, float value)
{
    tile[at] = value;
}
__device__ float sum_of(const float *tile)
{
    float sum = 0;
    for (int i = 0; i < BLOCK; i++) {
        sum += tile[i];
    }
    return sum;
}
/* Halves the numbers until their sum is small. */
__global__ void halve(float *x, int *rounds)
{
    __shared__ float tile[BLOCK], copy[BLOCK];
    __shared__ bool more;
    Store store(copy);
    int t = threadIdx.x, done = 0;
    float own = x[blockIdx.x * BLOCK + t];
    do {
        put(tile, t, own);
        __syncthreads();
        if (t == 0) {
            more = sum_of(tile) > 1;
        }
        __syncthreads();
        store.put(t, own / 2);
        put(tile, t, own / 2);
        if (!more) {
            break;
        }
        __syncthreads();
        own = copy[t];
        done++;
    } while (true);
    __syncthreads();
    x[blockIdx.x * BLOCK + t] = copy[BLOCK - 1 - t] * 2;
    rounds[blockIdx.x * BLOCK + t] = done;
}
__managed__ float x[4 * BLOCK];
__managed__ int rounds[4 * BLOCK];
int main(void)
{
    for (int i = 0; i < 4 * BLOCK; i++) {
        x[i] = i / BLOCK * 8 + 1;
    }
    halve<<<4, BLOCK>>>(x, rounds);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int b = 0; b < 4; b++) {
        int wrong = 0;
        for (int i = b * BLOCK; i < (b + 1) * BLOCK; i++) {
            wrong += rounds[i] != rounds[b * BLOCK] || x[i] * BLOCK > 1 || x[i] * BLOCK <= 0.5f;
        }
        printf("block %d: %d rounds, %d wrong\n", b, rounds[b * BLOCK], wrong);
    }
}
