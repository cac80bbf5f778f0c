// cdpcc: -O0
// env: CDP_DEVICES=4
// stderr: ^cdp: ncclRemoteError: ncclCommSplit waits for rank 2, whose communicator was destroyed$
// stderr: ^cdp: ncclInvalidArgument: ncclAllReduce: the communicator is not ready
// stderr: ^cdp: ncclInvalidArgument: ncclSend: the send buffer .* is not 4194304 bytes of device memory$
// Ranks that ncclCommShrink excludes are not in progress. A split does not wait for a rank that has left.
// Collectives that consist of sends and receives tell of an early call, and of an error within a group.
#include <cstdio>

#include <nccl.h>

constexpr int ranks = 3;

static int state(ncclComm_t comm)
{
    ncclResult_t error = ncclSystemError;
    ncclCommGetAsyncError(comm, &error);
    return error;
}

static void excluded()
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    ncclUniqueId id;
    ncclComm_t all[ranks], part[2];
    int without = 2;
    config.blocking = 0;
    ncclGetUniqueId(&id);
    ncclGroupStart();
    for (int i = 0; i < ranks; i++) {
        cudaSetDevice(i);
        ncclCommInitRankConfig(&all[i], ranks, id, i, &config);
    }
    ncclGroupEnd();
    for (int i = 0; i < ranks; i++) {
        while (state(all[i]) == ncclInProgress) {
        }
    }
    cudaSetDevice(0);
    ncclCommShrink(all[0], &without, 1, &part[0], nullptr, 0);
    printf("one has called: %d %d %d\n", state(all[0]), state(all[1]), state(all[2]));
    cudaSetDevice(1);
    ncclCommShrink(all[1], &without, 1, &part[1], nullptr, 0);
    while (state(part[0]) == ncclInProgress || state(part[1]) == ncclInProgress) {
    }
    printf("both have called: %d %d %d\n", state(all[0]), state(all[1]), state(all[2]));
    for (int i = 0; i < ranks; i++) {
        if (i < 2) {
            ncclCommDestroy(part[i]);
        }
        ncclCommDestroy(all[i]);
    }
}

static void early()
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    ncclUniqueId id;
    ncclComm_t comm;
    config.blocking = 0;
    ncclGetUniqueId(&id);
    cudaSetDevice(0);
    ncclCommInitRankConfig(&comm, ranks, id, 0, &config);
    int reduced = ncclAllReduce(nullptr, nullptr, 1, ncclInt, ncclSum, comm, 0), reduced_state = state(comm);
    ncclCommAbort(comm);
    ncclGetUniqueId(&id);
    ncclCommInitRankConfig(&comm, ranks, id, 0, &config);
    int exchanged = ncclAlltoAll(nullptr, nullptr, 1, ncclInt, comm, 0);
    printf("early: %d %d, %d %d\n", reduced, reduced_state, exchanged, state(comm));
    ncclCommAbort(comm);
}

static void left()
{
    int devices[ranks] = {0, 1, 2};
    ncclComm_t all[ranks], part[ranks];
    ncclCommInitAll(all, ranks, devices);
    ncclCommDestroy(all[2]);
    ncclGroupStart();
    int first = ncclCommSplit(all[0], 0, 0, &part[0], nullptr);
    int second = ncclCommSplit(all[1], 0, 1, &part[1], nullptr);
    int end = ncclGroupEnd();
    printf("a rank has left: %d %d %d\n", first, second, end);
}

static void in_a_group()
{
    int devices[2] = {0, 1};
    ncclComm_t all[2];
    float *p;
    cudaSetDevice(0);
    cudaMalloc(&p, 1024);
    ncclCommInitAll(all, 2, devices);
    ncclGroupStart();
    int call = ncclAlltoAll(p, p, 1 << 20, ncclFloat, all[0], 0);
    int end = ncclGroupEnd();
    printf("in a group: %d %d\n", call, end);
}

int main()
{
    excluded();
    early();
    left();
    in_a_group();
    return 0;
}
