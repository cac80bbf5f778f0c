// Records the order of execution: threads, blocks, children, streams, events, tails, the host's
// streams and callbacks.
#include <cstdio>
#include <cstdlib>

#define ROOM (1 << 16)

__device__ unsigned logged;
__device__ unsigned entries[ROOM];
__device__ volatile int rounds;

__device__ void note(unsigned what)
{
    unsigned at = atomicAdd(&logged, 1u);
    if (at < ROOM) {
        entries[at] = what;
    }
}

__device__ unsigned here(unsigned number)
{
    return number << 12 | blockIdx.x << 8 | threadIdx.x;
}

__global__ void leaf(unsigned number)
{
    note(here(number));
    __syncthreads();
    note(here(number + 1));
}

__global__ void node(unsigned number, int depth)
{
    note(here(number));
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (threadIdx.x % 3 == 0) {
        leaf<<<2, 3, 0, one>>>(number * 8 + 1);
        cudaEventRecord(event, one);
        leaf<<<1, 2, 0, two>>>(number * 8 + 2);
        cudaStreamWaitEvent(two, event, 0);
        leaf<<<3, 1, 0, two>>>(number * 8 + 3);
        leaf<<<1, 2, 0, cudaStreamTailLaunch>>>(number * 8 + 4);
        leaf<<<2, 2, 0, cudaStreamFireAndForget>>>(number * 8 + 5);
    }
    if (depth > 0 && threadIdx.x == 0) {
        node<<<2, 4>>>(number * 8 + 6, depth - 1);
        cudaDeviceSynchronize();
        note(here(number + 2));
    }
    __syncthreads();
    note(here(number + 3));
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        rounds = rounds + 1;
    }
    while (rounds == 0) {
    }
    unsigned lanes = __ballot_sync(0xffffffff, threadIdx.x & 1);
    note(here(number + 4 + (lanes != 0)));
    long long start = clock64();
    while (clock64() - start < 2000) {
    }
    __nanosleep(1000);
    note(here(number + 7));
}

static unsigned calls;
static void CUDART_CB call(void *data)
{
    calls = calls * 31 + (unsigned)(size_t)data;
}

int main()
{
    cudaStream_t streams[3];
    for (int i = 0; i < 3; i++) {
        cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    }
    for (int round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 3; i++) {
            node<<<2, 5, 0, streams[i]>>>(i + 1, 2);
            cudaLaunchHostFunc(streams[i], call, (void *)(size_t)(i + 1 + round * 7));
        }
        unsigned polls = 0;
        while (cudaStreamQuery(streams[round]) == cudaErrorNotReady) {
            polls++;
        }
        printf("polls %u\n", polls);
        unsigned so_far = 0;
        cudaMemcpyFromSymbolAsync(&so_far, logged, sizeof(so_far), 0, cudaMemcpyDefault,
                                  streams[round]);
        cudaStreamSynchronize(streams[round]);
        printf("%u entries\n", so_far);
    }
    cudaError_t error = cudaDeviceSynchronize();
    unsigned count = 0;
    static unsigned all[ROOM];
    cudaMemcpyFromSymbol(&count, logged, sizeof(count));
    cudaMemcpyFromSymbol(all, entries, sizeof(all));
    printf("%s, %u entries, calls %x\n", cudaGetErrorString(error), count, calls);
    for (unsigned i = 0; i < count && i < ROOM; i++) {
        printf("%x\n", all[i]);
    }
    return 0;
}
