// cdpcc: -O0
// env: CDP_DEVICES=4 CDP_MEMORY_MB=256
// One thread for each rank: ncclCommInitRank waits for all of them, operations do not block the host, splits, kernels
// before and after operations of the same stream.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <nccl.h>

constexpr int ranks = 4, n = 1000, steps = 20;
static std::atomic<int> wrong, gone_on;

static void check(ncclResult_t result, const char *what)
{
    if (result != ncclSuccess) {
        printf("%s: %s\n", what, ncclGetErrorString(result));
        exit(1);
    }
}
#define CHECK(call) check(call, #call)

__global__ void add(int *p, int count, int x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        p[i] += x;
    }
}

static void expect(const int *device, int wanted, const char *what)
{
    std::vector<int> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int x : host) {
        if (x != wanted) {
            printf("%s: %d, not %d\n", what, x, wanted);
            wrong++;
            return;
        }
    }
}

// Each step adds the rank, and then all ranks add up: x -> ranks * x + 0 + 1 + 2 + 3.
static void in_order(int rank, ncclComm_t comm, cudaStream_t stream, int *p)
{
    int wanted = 1;
    cudaMemset(p, 0, n * sizeof(int));
    add<<<4, 256, 0, stream>>>(p, n, 1);
    for (int i = 0; i < steps / 2; i++) {
        add<<<4, 256, 0, stream>>>(p, n, rank);
        CHECK(ncclAllReduce(p, p, n, ncclInt, ncclSum, comm, stream));
        wanted = ranks * wanted + 6;
    }
    add<<<4, 256, 0, stream>>>(p, n, -wanted);
    cudaStreamSynchronize(stream);
    expect(p, 0, "in order");
}

// Rank 0 calls first, and goes on: the others only call when it has returned.
static void does_not_block(int rank, ncclComm_t comm, cudaStream_t stream, int *p)
{
    cudaMemset(p, 0, n * sizeof(int));
    while (rank != 0 && gone_on == 0) {
        std::this_thread::yield();
    }
    add<<<4, 256, 0, stream>>>(p, n, rank + 1);
    CHECK(ncclAllReduce(p, p, n, ncclInt, ncclSum, comm, stream));
    if (rank == 0) {
        gone_on = cudaStreamQuery(stream) == cudaErrorNotReady ? 1 : 2;
    }
    cudaStreamSynchronize(stream);
    expect(p, 10, "does not block");
}

// Even and odd ranks, in the reverse order.
static void splits(int rank, ncclComm_t comm, cudaStream_t stream, int *p)
{
    ncclComm_t half, none;
    int count, place;
    CHECK(ncclCommSplit(comm, rank % 2, -rank, &half, nullptr));
    CHECK(ncclCommCount(half, &count));
    CHECK(ncclCommUserRank(half, &place));
    if (count != 2 || place != 1 - rank / 2) {
        printf("split: rank %d is %d of %d\n", rank, place, count);
        wrong++;
    }
    cudaMemset(p, 0, n * sizeof(int));
    add<<<4, 256, 0, stream>>>(p, n, rank);
    CHECK(ncclBroadcast(p, p, n, ncclInt, 0, half, stream));
    cudaStreamSynchronize(stream);
    expect(p, rank % 2 + 2, "split");
    CHECK(ncclCommSplit(comm, rank == 0 ? 5 : NCCL_SPLIT_NOCOLOR, 0, &none, nullptr));
    if ((none == NCCL_COMM_NULL) != (rank != 0)) {
        printf("split: a communicator without a color\n");
        wrong++;
    }
    if (rank == 0) {
        CHECK(ncclCommDestroy(none));
    }
    CHECK(ncclCommDestroy(half));
}

static void *scale_on_device(double value)
{
    double *p;
    cudaMalloc(&p, sizeof value);
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    return p;
}

// The factor is read from the device's memory when the operation runs.
static void scaled(int rank, ncclComm_t comm, cudaStream_t stream)
{
    double *p, value = rank, result;
    ncclRedOp_t op;
    CHECK(ncclMemAlloc((void **)&p, sizeof *p));
    cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
    void *scale = scale_on_device(rank + 0.5), *registered;
    CHECK(ncclCommRegister(comm, p, sizeof *p, &registered));
    CHECK(ncclRedOpCreatePreMulSum(&op, scale, ncclDouble, ncclScalarDevice, comm));
    CHECK(ncclAllReduce(p, p, 1, ncclDouble, op, comm, stream));
    cudaStreamSynchronize(stream);
    cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost);
    if (result != 1 * 1.5 + 2 * 2.5 + 3 * 3.5) {
        printf("scaled: %g\n", result);
        wrong++;
    }
    CHECK(ncclRedOpDestroy(op, comm));
    CHECK(ncclCommDeregister(comm, registered));
    CHECK(ncclMemFree(p));
    cudaFree(scale);
}

static void run(int rank, ncclUniqueId id)
{
    ncclComm_t comm;
    cudaStream_t stream;
    int *p;
    cudaSetDevice(rank);
    CHECK(ncclCommInitRank(&comm, ranks, id, rank));
    cudaStreamCreate(&stream);
    cudaMalloc(&p, n * sizeof(int));
    in_order(rank, comm, stream, p);
    does_not_block(rank, comm, stream, p);
    splits(rank, comm, stream, p);
    in_order(rank, comm, nullptr, p); // the NULL stream of the communicator's device
    scaled(rank, comm, stream);
    CHECK(ncclCommFinalize(comm));
    CHECK(ncclCommDestroy(comm));
    cudaFree(p);
}

static void wait_for(const ncclComm_t *comms)
{
    for (int r = 0; r < ranks; r++) {
        ncclResult_t state = ncclInProgress;
        while (state == ncclInProgress) {
            CHECK(ncclCommGetAsyncError(comms[r], &state));
        }
        CHECK(state);
    }
}

// One thread, and communicators that do not block.
static void without_threads()
{
    ncclUniqueId id;
    ncclComm_t comms[ranks], whole[ranks];
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    CHECK(ncclGetUniqueId(&id));
    for (int r = 0; r < ranks; r++) {
        cudaSetDevice(r);
        ncclResult_t result = ncclCommInitRankConfig(&comms[r], ranks, id, r, &config);
        if (result != ncclSuccess && result != ncclInProgress) {
            CHECK(result);
        }
    }
    wait_for(comms);
    CHECK(ncclGroupStart());
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclCommSplit(comms[r], 0, r, &whole[r], nullptr));
    }
    if (ncclGroupEnd() != ncclInProgress) {
        printf("a group of a communicator that does not block ended at once\n");
    }
    wait_for(comms);
    for (int r = 0; r < ranks; r++) {
        CHECK(ncclCommDestroy(whole[r]));
        CHECK(ncclCommAbort(comms[r]));
    }
}

int main()
{
    ncclUniqueId id;
    CHECK(ncclGetUniqueId(&id));
    std::vector<std::thread> threads;
    for (int r = 0; r < ranks; r++) {
        threads.emplace_back(run, r, id);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    if (gone_on != 1) {
        printf("the operation of one rank was complete\n");
    }
    without_threads();
    printf("wrong: %d\n", (int)wrong);
}
