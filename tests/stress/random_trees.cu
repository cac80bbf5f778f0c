// Random launch trees: a number determines every grid's shape, launches, streams, barriers and
// waits. So a plain recursion computes the expected result.
//
//   random_trees [trees [first number]]        default 20 1
#include <cstdio>
#include <cstdlib>

#define DEPTH 5

enum Way { NULL_STREAM, NAMED_STREAM, FIRE_AND_FORGET, TAIL, WAIT, WAYS };

__device__ unsigned long long errors;

__host__ __device__ inline unsigned mix(unsigned a, unsigned b)
{
    unsigned x = a * 0x9e3779b9u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 12;
    x *= 0x297a2d39u;
    return x ^ x >> 15;
}

struct Shape {
    unsigned blocks, threads;
};

__host__ __device__ inline Shape shapeOf(unsigned number)
{
    unsigned threads[] = {1, 2, 31, 32, 33, 48, 64, 7};
    return {1 + mix(number, 1) % 3 / 2, threads[mix(number, 2) % 8]};
}

// The child that a thread launches: 0 = none.
__host__ __device__ inline unsigned childOf(unsigned number, int depth, unsigned thread)
{
    bool launches = thread == 0 || mix(number, 100 + thread) % 24 == 0;
    return depth > 0 && launches ? mix(number, 5000 + thread) | 1 : 0;
}

// Threads of the whole tree.
__host__ __device__ unsigned long long weightOf(unsigned number, int depth)
{
    Shape shape = shapeOf(number);
    unsigned long long weight = shape.blocks * shape.threads;
    for (unsigned i = 0; i < shape.blocks * shape.threads; i++) {
        unsigned child = childOf(number, depth, i);
        if (child != 0) {
            weight += weightOf(child, depth - 1);
        }
    }
    return weight;
}

// Counts in cell every thread of the tree that has run.
__global__ void node(unsigned number, int depth, unsigned long long *cell)
{
    __shared__ unsigned mirror[64];
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned blockDraw = mix(number, 900 + blockIdx.x);
    atomicAdd(cell, 1ull);
    if (blockDraw % 3 == 0) {
        mirror[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (mirror[blockDim.x - 1 - threadIdx.x] != blockDim.x - 1 - threadIdx.x) {
            atomicAdd(&errors, 1ull);
        }
    }

    unsigned child = childOf(number, depth, thread);
    if (child != 0) {
        Shape shape = shapeOf(child);
        cudaStream_t stream = 0;
        switch (mix(child, 3) % WAYS) {
        case NAMED_STREAM:
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
            node<<<shape.blocks, shape.threads, 0, stream>>>(child, depth - 1, cell);
            cudaStreamDestroy(stream);
            break;
        case FIRE_AND_FORGET:
            node<<<shape.blocks, shape.threads, 0, cudaStreamFireAndForget>>>(child, depth - 1,
                                                                              cell);
            break;
        case TAIL:
            node<<<shape.blocks, shape.threads, 0, cudaStreamTailLaunch>>>(child, depth - 1, cell);
            break;
        case WAIT: {
            unsigned long long *mine = (unsigned long long *)malloc(sizeof(*mine));
            *mine = 0;
            node<<<shape.blocks, shape.threads>>>(child, depth - 1, mine);
            if (cudaDeviceSynchronize() != cudaSuccess || *mine != weightOf(child, depth - 1)) {
                atomicAdd(&errors, 1ull);
            }
            atomicAdd(cell, *mine);
            free(mine);
            break;
        }
        default:
            node<<<shape.blocks, shape.threads>>>(child, depth - 1, cell);
        }
        if (cudaGetLastError() != cudaSuccess) {
            atomicAdd(&errors, 1ull);
        }
    }

    if (blockDraw % 2 == 0) {
        int count = __syncthreads_count(threadIdx.x % 2 == 0);
        if (count != (int)(blockDim.x + 1) / 2) {
            atomicAdd(&errors, 1ull);
        }
    }
    if (blockDraw % 5 == 0) {
        unsigned lanes = __ballot_sync(0xffffffff, 1);
        if ((lanes >> threadIdx.x % 32 & 1) == 0) {
            atomicAdd(&errors, 1ull);
        }
    }
}

int main(int argc, char **argv)
{
    int trees = argc > 1 ? atoi(argv[1]) : 20;
    unsigned first = argc > 2 ? atoi(argv[2]) : 1;
    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, DEPTH + 1);
    unsigned long long *cells = nullptr, total = 0, wrong = 0;
    if (cudaMallocManaged(&cells, trees * sizeof(*cells)) != cudaSuccess) {
        printf("random_trees: no memory\n");
        return 1;
    }
    for (int i = 0; i < trees; i++) {
        Shape shape = shapeOf(first + i);
        cells[i] = 0;
        node<<<shape.blocks, shape.threads>>>(first + i, DEPTH, &cells[i]);
    }
    cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&wrong, errors, sizeof(wrong));
    for (int i = 0; i < trees; i++) {
        if (cells[i] != weightOf(first + i, DEPTH)) {
            printf("tree %u: %llu threads instead of %llu\n", first + i, cells[i],
                   weightOf(first + i, DEPTH));
            wrong++;
        }
        total += cells[i];
    }
    cudaFree(cells);
    if (error != cudaSuccess || wrong != 0) {
        printf("random_trees: FAILED: %llu errors, %s\n", wrong, cudaGetErrorString(error));
        return 1;
    }
    printf("random_trees: %d trees, %llu threads\n", trees, total);
    return 0;
}
