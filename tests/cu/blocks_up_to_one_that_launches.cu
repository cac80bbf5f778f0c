// One call of a block entry runs several blocks, up to the first that launches or prints. All blocks run once, and
// each launch, failure and line of output belongs to its block.
// stderr: failing.*block \(77,0,0\), thread \(3,0,0\)
#include <cstdio>
#include <cstring>

enum { BLOCKS = 3000, THREADS = 32, CHILD = 200 };

__device__ int visits[BLOCKS], children[BLOCKS], large[BLOCKS];

__global__ void child(int block, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&children[block], 1);
    }
}

// Has too many threads with work to be serialized.
__global__ void large_child(int block)
{
    if (threadIdx.x == CHILD - 1) {
        large[block] += visits[block];
    }
}

// Most blocks have only a small child, which their launching thread runs; some have a grid.
__global__ void parents(int every, int columns)
{
    int block = blockIdx.x + columns * blockIdx.y;
    if (threadIdx.x % 16 == 5) {
        child<<<2, 4>>>(block, 6);
    }
    if (threadIdx.x == 7) {
        visits[block]++;
    }
    if (threadIdx.x == 7 && block % every == every - 1) {
        large_child<<<1, CHILD>>>(block);
        child<<<2, 4>>>(block, 6);
    }
}

// Other streams than the NULL stream.
__global__ void forgetting(int every)
{
    if (threadIdx.x == 9) {
        visits[blockIdx.x]++;
    }
    if (threadIdx.x == 9 && blockIdx.x % every == 1) {
        large_child<<<1, CHILD, 0, cudaStreamFireAndForget>>>(blockIdx.x);
    }
}

// One launch fails, and its error is not read.
__global__ void failing(int at)
{
    if (threadIdx.x == 0) {
        visits[blockIdx.x]++;
    }
    if (blockIdx.x == at && threadIdx.x == 3) {
        child<<<1, 2000>>>(0, 0);
    }
}

__global__ void printing(int at)
{
    if (threadIdx.x == 0) {
        visits[blockIdx.x]++;
    }
    if (threadIdx.x == 2 && blockIdx.x == at) {
        printf("block %d\n", blockIdx.x);
    }
}

static void clear()
{
    static int zero[BLOCKS];
    cudaMemcpyToSymbol(visits, zero, sizeof zero);
    cudaMemcpyToSymbol(children, zero, sizeof zero);
    cudaMemcpyToSymbol(large, zero, sizeof zero);
}

static void expect(const char *what, int every, int rest, int child_threads, int visits_each)
{
    static int is[3][BLOCKS];
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(is[0], visits, sizeof is[0]);
    cudaMemcpyFromSymbol(is[1], children, sizeof is[1]);
    cudaMemcpyFromSymbol(is[2], large, sizeof is[2]);
    int wrong = 0;
    for (int b = 0; b < BLOCKS; b++) {
        bool launches = every != 0 && b % every == rest;
        wrong += is[0][b] != visits_each || is[2][b] != launches * visits_each ||
                 is[1][b] != 2 * child_threads + launches * child_threads;
    }
    printf("%s: %s, %d blocks are wrong\n", what, cudaGetErrorName(error), wrong);
    clear();
}

int main()
{
    for (int turn = 0; turn < 20; turn++) {
        for (int every = 1; every < 2000; every *= 5) {
            dim3 grid(turn % 2 == 0 ? BLOCKS : BLOCKS / 60, turn % 2 == 0 ? 1 : 60);
            parents<<<grid, THREADS>>>(every, grid.x);
            expect("parents", every, every - 1, 6, 1);
        }
    }
    for (int every = 2; every < 1000; every *= 4) {
        forgetting<<<BLOCKS, THREADS>>>(every);
        expect("forgetting", every, 1, 0, 1);
    }
    printing<<<BLOCKS, THREADS>>>(1234);
    expect("printing", 0, 0, 0, 1);
    failing<<<BLOCKS, THREADS>>>(77);
    expect("failing", 0, 0, 0, 1);
    return 0;
}
