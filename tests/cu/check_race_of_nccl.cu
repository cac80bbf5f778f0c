// cdpcc: --check=race
// env: CDP_DEVICES=2 CDP_MEMORY_MB=256
// races: they are planted
// stderr: check_race_of_nccl.cu:[0-9]+:[0-9]+, (the read, )?in kernel get, block \(0,0,0\), thread \(0,0,0\)$
// stderr: check_race_of_nccl.cu:[0-9]+:[0-9]+, (the write, )?in reduce$
// stderr: ^cdp: 1 finding(; repeated:)?$
// An operation of NCCL accesses its buffers as its stream does: another stream that does not wait for it is a race,
// and one that waits is none.
#include <cstdio>

#include <nccl.h>

__global__ void get(const int *from, int *to)
{
    to[0] = from[0];
}

static cudaStream_t streams[2], other;
static int *buffers[2], *result;
static ncclComm_t comms[2];

static void reduce()
{
    ncclGroupStart();
    for (int r = 0; r < 2; r++) {
        ncclAllReduce(buffers[r], buffers[r], 100, ncclInt, ncclSum, comms[r], streams[r]);
    }
    ncclGroupEnd();
}

static void read()
{
    cudaSetDevice(0);
    get<<<1, 1, 0, other>>>(buffers[0], result);
    for (int r = 0; r < 2; r++) {
        cudaSetDevice(r);
        cudaDeviceSynchronize();
    }
}

int main()
{
    cudaEvent_t event;
    ncclCommInitAll(comms, 2, nullptr);
    for (int r = 0; r < 2; r++) {
        cudaSetDevice(r);
        cudaStreamCreate(&streams[r]);
        cudaMalloc(&buffers[r], 400);
        cudaMemset(buffers[r], 0, 400);
    }
    cudaSetDevice(0);
    cudaStreamCreate(&other);
    cudaMalloc(&result, sizeof(int));
    cudaEventCreate(&event);

    reduce();
    cudaSetDevice(0);
    cudaEventRecord(event, streams[0]);
    cudaStreamWaitEvent(other, event);
    read();
    reduce();
    read();
    for (int r = 0; r < 2; r++) {
        ncclCommDestroy(comms[r]);
    }
}
