// workers: 1 2 8
// Asynchronous copies and barriers in shared memory: the functions, and the older classes.
#include <cstdio>

#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

using namespace nvcuda::experimental;

enum { THREADS = 64, STAGES = 10 };

/* Each stage is copied while the one before is summed. */
__global__ void by_functions(const int *in, int *out)
{
    __shared__ int4 buffer[2][THREADS];
    int sum = 0;
    __pipeline_memcpy_async(&buffer[0][threadIdx.x], &((const int4 *)in)[threadIdx.x], 16);
    __pipeline_commit();
    for (int stage = 0; stage < STAGES; stage++) {
        if (stage + 1 < STAGES) {
            const int4 *next = (const int4 *)in + (stage + 1) * THREADS;
            __pipeline_memcpy_async(&buffer[(stage + 1) % 2][threadIdx.x], &next[threadIdx.x], 16,
                                    threadIdx.x % 17);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        int4 v = buffer[stage % 2][THREADS - 1 - threadIdx.x];
        sum += v.x + v.y + v.z + v.w;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

/* The halves of the block hand a buffer to each other: one fills it, the other one reads it. */
__global__ void by_barriers(const int *in, int *out)
{
    __shared__ awbarrier filled, empty;
    __shared__ int buffer[THREADS / 2];
    pipeline pipe;
    int sum = 0;
    if (threadIdx.x == 0) {
        init(&filled, THREADS);
        init(&empty, THREADS);
    }
    __syncthreads();
    const int half = THREADS / 2, me = threadIdx.x % half;
    for (int i = 0; i < STAGES; i++) {
        if (threadIdx.x < half) {
            empty.arrive_and_wait();
            memcpy_async(buffer[me], in[i * half + me], pipe);
            pipe.arrive_on(filled);
            filled.arrive();
        } else {
            awbarrier::arrival_token token = empty.arrive();
            (void)token;
            filled.arrive_and_wait();
            sum += buffer[half - 1 - me];
        }
    }
    out[threadIdx.x] = sum;
}

/* Half of the threads leave the barrier; the others meet without them. */
__global__ void leaving(int *out)
{
    __shared__ __mbarrier_t barrier;
    __shared__ int cells[THREADS];
    if (threadIdx.x == 0) {
        __mbarrier_init(&barrier, THREADS);
    }
    __syncthreads();
    cells[threadIdx.x] = threadIdx.x;
    if (threadIdx.x % 2) {
        __mbarrier_arrive_and_drop(&barrier);
        out[threadIdx.x] = 0;
        return;
    }
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        __mbarrier_token_t token = __mbarrier_arrive(&barrier);
        while (!__mbarrier_try_wait(&barrier, token, 1000)) {
        }
        sum += cells[(threadIdx.x + 1 + i) % THREADS];
    }
    out[threadIdx.x] = sum;
    __mbarrier_token_t last = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, last)) {
    }
    if (threadIdx.x == 0) {
        __mbarrier_inval(&barrier);
    }
}

static unsigned hash(const int *out)
{
    unsigned result = 0;
    for (int i = 0; i < THREADS; i++) {
        result = result * 31 + out[i];
    }
    return result;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, STAGES * THREADS * sizeof(int4));
    cudaMallocManaged(&out, THREADS * sizeof *out);
    for (int i = 0; i < STAGES * THREADS * 4; i++) {
        in[i] = i * i % 1009;
    }
    by_functions<<<1, THREADS>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    unsigned expected = 0;
    for (int t = 0; t < THREADS; t++) {
        int sum = 0, at = THREADS - 1 - t;
        for (int stage = 0; stage < STAGES; stage++) {
            for (int b = 0; b < 16; b++) {
                bool is_read = stage == 0 || b + at % 17 < 16;
                const unsigned char *bytes = (unsigned char *)(in + (stage * THREADS + at) * 4);
                sum += is_read ? (int)((unsigned)bytes[b] << b % 4 * 8) : 0;
            }
        }
        expected = expected * 31 + sum;
    }
    printf("%s\n", hash(out) == expected ? "same" : "different");
    by_barriers<<<1, THREADS>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int wrong = 0;
    for (int t = THREADS / 2; t < THREADS; t++) {
        int sum = 0;
        for (int i = 0; i < STAGES; i++) {
            sum += in[i * THREADS / 2 + THREADS - 1 - t];
        }
        wrong += out[t] != sum;
    }
    printf("%d wrong\n", wrong);
    leaving<<<1, THREADS>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int t = 0; t < THREADS; t++) {
        int sum = (t + 1) % THREADS + (t + 2) % THREADS + (t + 3) % THREADS;
        wrong += out[t] != (t % 2 ? 0 : sum);
    }
    printf("%d wrong\n", wrong);
    return 0;
}
