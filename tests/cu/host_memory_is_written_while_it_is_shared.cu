// Pages move when an allocation is shared and when it is freed. Kernels of another host thread write
// other allocations in the same pages meanwhile, and no store is lost.
// workers: 2 8
// races: ThreadSanitizer takes a new mapping of pages for a write
#include <cstdio>
#include <pthread.h>

enum { COUNT = 64, ROUNDS = 300 };

static volatile bool ends;
static int *counters[COUNT];

struct pointers {
    int *of[COUNT];
};

__global__ void count(pointers p)
{
    for (int i = 0; i < 1000; i++) {
        ++*(volatile int *)p.of[threadIdx.x];
    }
}

static void *write_them(void *)
{
    long launches = 0;
    pointers p;
    for (int i = 0; i < COUNT; i++) {
        p.of[i] = counters[i];
    }
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    while (!ends) {
        count<<<1, COUNT, 0, stream>>>(p);
        cudaStreamSynchronize(stream);
        launches++;
    }
    return (void *)launches;
}

int main()
{
    int *between[COUNT];
    for (int i = 0; i < COUNT; i++) {
        cudaMalloc(&counters[i], sizeof(int));
        cudaMemset(counters[i], 0, sizeof(int));
        cudaMalloc(&between[i], 2000);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, write_them, NULL);
    int failed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        cudaIpcMemHandle_t handle;
        int k = i % COUNT;
        failed += cudaIpcGetMemHandle(&handle, between[k]) != cudaSuccess;
        if (i % 3 == 0) {
            cudaFree(between[k]);
            failed += cudaMalloc(&between[k], 2000) != cudaSuccess;
        }
    }
    ends = true;
    void *launches;
    pthread_join(thread, &launches);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        int value;
        cudaMemcpy(&value, counters[i], sizeof value, cudaMemcpyDeviceToHost);
        wrong += value != (int)((long)launches * 1000);
    }
    printf("failed: %d, wrong: %d\n", failed, wrong);
}
