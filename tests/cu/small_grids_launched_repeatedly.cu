// workers: 1 2 5 8
// The runtime times small grids that the host launches, and runs some of them on one worker: every
// block runs once, on any worker, also while other blocks wait for it.
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#if defined(__has_feature) && __has_feature(thread_sanitizer)
constexpr int LAUNCHES = 20; // ThreadSanitizer makes each poll slow
#else
constexpr int LAUNCHES = 120;
#endif
constexpr int MOST = 100;

__global__ void count(int *counts)
{
    if (threadIdx.x == 0) {
        counts[blockIdx.x]++;
    }
}

// The last block goes first, and the others wait for it.
__global__ void await(int *turn, int launch, int *counts)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == gridDim.x - 1) {
            atomicExch(turn, launch);
        }
        while (atomicAdd(turn, 0) < launch) {
        }
        counts[blockIdx.x]++;
    }
}

// Takes longer from launch to launch, but only in some blocks.
__global__ void grow(int turns, int *counts)
{
    float value = threadIdx.x;
    int own = blockIdx.x % 5 == 4 ? turns : 1;
    for (int i = 0; i < own; i++) {
        value = value * 0.999f + 0.5f;
    }
    if (threadIdx.x == 0) {
        counts[blockIdx.x] += value > -1;
    }
}

__global__ void child(int *counts)
{
    atomicAdd(&counts[threadIdx.x], 1);
}

__global__ void launch(int *counts)
{
    if (threadIdx.x == 0 && blockIdx.x % 3 == 0) {
        child<<<1, 32>>>(counts);
    }
}

static bool areAll(const int *counts, int blocks, int want)
{
    for (int i = 0; i < blocks; i++) {
        if (counts[i] != want) {
            printf("%d of %d: %d instead of %d\n", i, blocks, counts[i], want);
            return false;
        }
    }
    return true;
}

// launch(stream, i, blocks, counts) must add one to each of the counts.
template <class Launch> static bool repeat(int blocks, int counted, int times, Launch launch)
{
    int *counts;
    cudaStream_t stream;
    cudaMallocManaged(&counts, MOST * sizeof(int));
    memset(counts, 0, MOST * sizeof(int));
    cudaStreamCreate(&stream);
    for (int i = 0; i < LAUNCHES; i++) {
        launch(stream, i, blocks, counts);
        if (i % 3 != 0) {
            cudaStreamSynchronize(stream);
        }
    }
    bool ok = cudaStreamSynchronize(stream) == cudaSuccess && areAll(counts, counted, times);
    cudaStreamDestroy(stream);
    cudaFree(counts);
    return ok;
}

static bool all(int blocks)
{
    int *turn;
    cudaMallocManaged(&turn, sizeof(int));
    *turn = 0;
    bool ok = repeat(blocks, blocks, LAUNCHES, [](cudaStream_t stream, int, int n, int *counts) {
        count<<<n, 64, 0, stream>>>(counts);
    });
    ok &= repeat(blocks, blocks, LAUNCHES, [=](cudaStream_t stream, int i, int n, int *counts) {
        await<<<n, 32, 0, stream>>>(turn, i + 1, counts);
    });
    ok &= repeat(blocks, blocks, LAUNCHES, [](cudaStream_t stream, int i, int n, int *counts) {
        grow<<<n, 64, 0, stream>>>(1 + i * i / 4, counts);
    });
    ok &= repeat(blocks, 32, LAUNCHES * ((blocks + 2) / 3),
                 [](cudaStream_t stream, int, int n, int *counts) {
                     launch<<<n, 32, 0, stream>>>(counts);
                 });
    cudaFree(turn);
    return ok;
}

int main()
{
    for (int blocks : {5, 16, 64, MOST}) {
        printf("%d blocks: %s\n", blocks, all(blocks) ? "ok" : "wrong");
    }
    bool ok[3] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) {
        threads.emplace_back([&ok, i] { ok[i] = all(24 + 8 * (i % 2)); });
    }
    for (auto &thread : threads) {
        thread.join();
    }
    printf("by three threads: %s\n", ok[0] && ok[1] && ok[2] ? "ok" : "wrong");
}
