// workers: 1 2 8
// libcu++ (Debian's libcu++-dev): barriers, pipelines with one and with several roles, semaphores,
// latches and atomics.
#include <cstdio>

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

namespace cg = cooperative_groups;

enum { THREADS = 128, STAGES = 6 };

/* Barriers have constructors; init() does their work. */
#pragma nv_diag_suppress static_var_with_dynamic_init

/* Rows move from a thread to the next one. */
__global__ void barriers(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int cells[THREADS];
    if (threadIdx.x == 0) {
        init(&barrier, THREADS);
    }
    __syncthreads();
    int value = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        cells[threadIdx.x] = value;
        auto token = barrier.arrive();
        value = 3 * i;
        barrier.wait(std::move(token));
        value += cells[(threadIdx.x + 1) % THREADS];
        barrier.arrive_and_wait();
    }
    if (threadIdx.x >= THREADS / 2) {
        barrier.arrive_and_drop();
    } else {
        barrier.arrive_and_wait();
    }
    out[threadIdx.x] = value;
}

/* Copies of a whole group, which a barrier completes. */
__global__ void copies(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ alignas(16) int cells[4 * THREADS];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) {
        init(&barrier, block.size());
    }
    block.sync();
    int sum = 0;
    for (int i = 0; i < STAGES; i++) {
        cuda::memcpy_async(block, cells, in + i * 4 * THREADS,
                           cuda::aligned_size_t<16>(sizeof cells), barrier);
        barrier.arrive_and_wait();
        sum += cells[4 * threadIdx.x] + cells[4 * THREADS - 1 - threadIdx.x];
        barrier.arrive_and_wait();
    }
    out[threadIdx.x] = sum;
}

/* All threads produce and consume. libcu++ does not make a producer wait here until the others have
 * released the stage, so the block does (--check=race finds the race without it). */
__global__ void unified(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int cells[2][THREADS];
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int produced = 0, consumed = 0; consumed < STAGES; consumed++) {
        for (; produced < STAGES && produced < consumed + 2; produced++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, cells[produced % 2], in + produced * THREADS,
                               sizeof cells[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += cells[consumed % 2][THREADS - 1 - threadIdx.x];
        block.sync();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

/* A warp produces, the others consume. */
__global__ void partitioned(const int *in, int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int cells[2][THREADS];
    auto block = cg::this_thread_block();
    const bool produces = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(
        block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int i = 0; i < STAGES; i++) {
        if (produces) {
            pipe.producer_acquire();
            for (int j = threadIdx.x; j < THREADS; j += 32) {
                cuda::memcpy_async(&cells[i % 2][j], &in[i * THREADS + j], sizeof(int), pipe);
            }
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += cells[i % 2][THREADS - 1 - threadIdx.x];
            pipe.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}

/* Blocks take turns by a semaphore, and wait for all by a latch in global memory. */
struct Shared {
    cuda::binary_semaphore<cuda::thread_scope_device> turn{1};
    cuda::latch<cuda::thread_scope_device> all{4};
    cuda::atomic<int, cuda::thread_scope_device> most{0};
    int plain = 0;
};

__global__ void blocks(Shared *shared, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> counter(out[1]);
    counter.fetch_add(1, cuda::memory_order_relaxed);
    shared->most.fetch_max((int)(blockIdx.x * 10 + threadIdx.x));
    if (threadIdx.x == 0) {
        shared->turn.acquire();
        shared->plain += blockIdx.x + 1;
        shared->turn.release();
        shared->all.arrive_and_wait();
        if (blockIdx.x == 2) {
            out[0] = shared->plain;
        }
    }
}

static int *in, *out;

static void show(const char *name)
{
    cudaError_t error = cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int i = 0; i < THREADS; i++) {
        hash = hash * 31 + out[i];
    }
    printf("%s: %s %08x\n", name, cudaGetErrorName(error), hash);
}

int main()
{
    cudaMallocManaged(&in, STAGES * 4 * THREADS * sizeof *in);
    cudaMallocManaged(&out, THREADS * sizeof *out);
    for (int i = 0; i < STAGES * 4 * THREADS; i++) {
        in[i] = i * 7 % 1009;
    }
    barriers<<<1, THREADS>>>(out);
    show("barriers");
    copies<<<1, THREADS>>>(in, out);
    show("copies");
    unified<<<1, THREADS>>>(in, out);
    show("unified");
    partitioned<<<1, THREADS>>>(in, out);
    show("partitioned");
    Shared *shared;
    cudaMallocManaged(&shared, sizeof *shared);
    new (shared) Shared;
    out[0] = out[1] = 0;
    blocks<<<4, 32>>>(shared, out);
    printf("blocks: %s", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" %d %d %d\n", out[0], out[1], shared->most.load());
    return 0;
}
