// cdpcc: -O0
// env: CDP_DEVICES=2
// stderr: ^cdp: ncclInvalidArgument: ncclCommCount: the communicator is not ready
// stderr: ^cdp: ncclInvalidArgument: ncclAllReduce: the communicator is not ready
// stderr: ^cdp: ncclInvalidArgument: ncclCommInitRankConfig: blocking is 5, and not 0 or 1$
// stderr: ^cdp: ncclInvalidArgument: ncclCommInitRankScalable: 0 ids for 2 ranks: there must be at least one, and no more than ranks$
// Communicators with blocking = 0: calls that NVIDIA's library does later give ncclInProgress, and then
// ncclCommGetAsyncError tells of the result.
#include <cstdio>

#include <nccl.h>

constexpr int ranks = 2, n = 100;
static cudaStream_t streams[ranks];
static int *data[ranks];

static const char *name(int result)
{
    const char *names[] = {"success", "cuda error", "system error", "internal error", "invalid argument",
                           "invalid usage", "remote error", "in progress"};
    return names[result];
}

static const char *state(ncclComm_t comm)
{
    ncclResult_t error = ncclSystemError;
    ncclCommGetAsyncError(comm, &error);
    return name(error);
}

static void wait_for(const ncclComm_t *comms)
{
    for (int r = 0; r < ranks; r++) {
        ncclResult_t error = ncclInProgress;
        while (error == ncclInProgress) {
            ncclCommGetAsyncError(comms[r], &error);
        }
        printf("rank %d: %s\n", r, name(error));
    }
}

static void all_reduce(const ncclComm_t *comms, const char *what)
{
    for (int r = 0; r < ranks; r++) {
        printf("%s: %s\n", what, name(ncclAllReduce(data[r], data[r], n, ncclInt, ncclSum, comms[r], streams[r])));
    }
    wait_for(comms);
    for (int r = 0; r < ranks; r++) {
        int last;
        cudaStreamSynchronize(streams[r]);
        cudaMemcpy(&last, data[r] + n - 1, sizeof last, cudaMemcpyDefault);
        printf("%s: %d\n", what, last);
    }
}

static void splits(const ncclComm_t *comms)
{
    ncclComm_t children[ranks];
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    for (int r = 0; r < ranks; r++) {
        // The call succeeds, and its communicator is in progress until all ranks have called.
        printf("split: %s", name(ncclCommSplit(comms[r], 0, r, &children[r], nullptr)));
        printf(", then %s\n", state(comms[r]));
    }
    wait_for(comms);
    all_reduce(children, "child");
    for (ncclComm_t comm : children) {
        ncclCommDestroy(comm);
    }
    config.blocking = 1;
    ncclGroupStart();
    for (int r = 0; r < ranks; r++) {
        ncclCommSplit(comms[r], 0, r, &children[r], &config);
    }
    printf("group of splits: %s\n", name(ncclGroupEnd()));
    wait_for(comms);
    all_reduce(children, "child that blocks");
    for (ncclComm_t comm : children) {
        ncclCommDestroy(comm);
    }
}

static void early(ncclConfig_t *config)
{
    ncclUniqueId id;
    ncclComm_t comms[ranks];
    int count = 0;
    ncclGetUniqueId(&id);
    cudaSetDevice(0);
    ncclCommInitRankConfig(&comms[0], ranks, id, 0, config);
    printf("count: %s\n", name(ncclCommCount(comms[0], &count)));
    printf("reduce: %s\n", name(ncclAllReduce(data[0], data[0], n, ncclInt, ncclSum, comms[0], streams[0])));
    printf("kept: %s\n", state(comms[0]));
    cudaSetDevice(1);
    printf("by several ids: %s\n", name(ncclCommInitRankScalable(&comms[1], ranks, 1, 0, &id, config)));
    printf("by several ids: %s\n", name(ncclCommInitRankScalable(&comms[1], ranks, 1, 1, &id, config)));
    wait_for(comms);
    for (ncclComm_t comm : comms) {
        ncclCommAbort(comm);
    }
    config->blocking = 5;
    printf("blocking 5: %s\n", name(ncclCommInitRankConfig(&comms[0], ranks, id, 0, config)));
    printf("no communicator: %d\n", comms[0] == nullptr);
    printf("finalize NULL: %s\n", name(ncclCommFinalize(nullptr)));
}

int main()
{
    ncclUniqueId id;
    ncclComm_t comms[ranks];
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclGetUniqueId(&id);
    for (int r = 0; r < ranks; r++) {
        const int one[n] = {};
        cudaSetDevice(r);
        cudaStreamCreate(&streams[r]);
        cudaMalloc(&data[r], n * sizeof(int));
        cudaMemcpy(data[r], one, sizeof one, cudaMemcpyDefault);
        int last = r + 1;
        cudaMemcpy(data[r] + n - 1, &last, sizeof last, cudaMemcpyDefault);
        printf("init: %s\n", name(ncclCommInitRankConfig(&comms[r], ranks, id, r, &config)));
    }
    wait_for(comms);
    all_reduce(comms, "one call");
    ncclGroupStart();
    for (int r = 0; r < ranks; r++) {
        printf("in a group: %s\n", name(ncclAllReduce(data[r], data[r], n, ncclInt, ncclSum, comms[r], streams[r])));
    }
    printf("group: %s\n", name(ncclGroupEnd()));
    wait_for(comms);
    splits(comms);
    for (ncclComm_t comm : comms) {
        printf("finalize: %s\n", name(ncclCommFinalize(comm)));
    }
    wait_for(comms);
    for (ncclComm_t comm : comms) {
        printf("destroy: %s\n", name(ncclCommDestroy(comm)));
    }
    early(&config);
}
