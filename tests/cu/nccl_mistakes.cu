// cdpcc: -O0
// env: CDP_DEVICES=2 CDP_MEMORY_MB=256
// stderr: ^cdp: ncclInvalidUsage: ncclCommInitAll: device 0 is listed twice$
// stderr: ^cdp: ncclInvalidArgument: ncclCommInitAll: there is no device 2: CDP_DEVICES=3 makes so many$
// stderr: ^cdp: ncclInvalidArgument: ncclCommInitRank: the id was not made by ncclGetUniqueId$
// stderr: ^cdp: ncclInvalidArgument: ncclReduce: the root 2 is not one of the ranks 0 to 1$
// stderr: ^cdp: ncclUnhandledCudaError: ncclAllReduce: cudaErrorStreamCaptureImplicit:
// stderr: ^cdp: ncclInvalidArgument: ncclAllReduce: the send buffer .* is not 4096 bytes of device memory$
// stderr: ^cdp: ncclInvalidArgument: ncclAllReduce: ncclAllReduce of rank 1 has 512 elements, and ncclAllReduce of rank 0 has 1024$
// stderr: ^cdp: ncclInvalidArgument: ncclBroadcast: ncclBroadcast has the root 1 at rank 1 and 0 at rank 0$
// stderr: ^cdp: ncclRemoteError: ncclAllReduce of rank 0 waits for rank 1, whose communicator was aborted$
// Mistakes with NCCL: an error and a sentence, and no stream that waits for ever.
#include <cstdio>
#include <cstring>

#include <nccl.h>

static ncclComm_t comms[2];
static cudaStream_t streams[2];
static int *buffers[2];

static const char *name(ncclResult_t result)
{
    const char *names[] = {"success", "cuda error", "system error", "internal error", "invalid argument",
                           "invalid usage", "remote error", "in progress"};
    return (unsigned)result < 8 ? names[result] : "?";
}

static void make()
{
    printf("init: %s\n", name(ncclCommInitAll(comms, 2, nullptr)));
}

// Both streams end although an operation was wrong, and the communicators know why.
static void finish(const char *what)
{
    ncclResult_t errors[2];
    for (int r = 0; r < 2; r++) {
        cudaSetDevice(r);
        printf("%s: stream %d: %s\n", what, r, cudaGetErrorName(cudaStreamSynchronize(streams[r])));
    }
    for (int r = 0; r < 2; r++) {
        if (ncclCommGetAsyncError(comms[r], &errors[r]) == ncclSuccess) {
            printf("%s: rank %d: %s\n", what, r, name(errors[r]));
        }
        printf("%s: next call: %s\n", what, name(ncclAllReduce(buffers[r], buffers[r], 1, ncclInt, ncclSum, comms[r], streams[r])));
        ncclCommAbort(comms[r]);
    }
}

// A created reduction belongs to one communicator, although others have as many.
static void reductions()
{
    ncclRedOp_t ops[2], unknown;
    int two = 2, *b = buffers[0];
    for (int r = 0; r < 2; r++) {
        printf("created: %s\n",
               name(ncclRedOpCreatePreMulSum(&ops[r], &two, ncclInt, ncclScalarHostImmediate, comms[r])));
    }
    printf("of the other: %s\n", name(ncclAllReduce(b, b, 8, ncclInt, ops[1], comms[0], streams[0])));
    printf("of the other: %s\n", name(ncclRedOpDestroy(ops[1], comms[0])));
    printf("destroyed: %s\n", name(ncclRedOpDestroy(ops[0], comms[0])));
    printf("again: %s\n", name(ncclRedOpDestroy(ops[0], comms[0])));
    printf("unknown type: %s\n",
           name(ncclRedOpCreatePreMulSum(&unknown, &two, (ncclDataType_t)99, ncclScalarHostImmediate, comms[0])));
}

static void exchanges()
{
    int *b = buffers[0], self = 0, far = 2;
    ncclComm_t made;
    ncclWindow_t window;
    printf("all to all: %s\n", name(ncclAlltoAll(b, nullptr, 8, ncclInt, comms[0], streams[0])));
    printf("all to all: %s\n", name(ncclAlltoAll(b, b, 8, (ncclDataType_t)99, comms[0], streams[0])));
    printf("gather: %s\n", name(ncclGather(b, b, 8, ncclInt, 2, comms[0], streams[0])));
    printf("scatter: %s\n", name(ncclScatter(nullptr, b, 8, ncclInt, 0, comms[0], streams[0])));
    printf("shrink: %s\n", name(ncclCommShrink(comms[0], &self, 1, &made, nullptr, NCCL_SHRINK_DEFAULT)));
    printf("shrink: %s\n", name(ncclCommShrink(comms[0], &far, 1, &made, nullptr, NCCL_SHRINK_DEFAULT)));
    printf("shrink: %s\n", name(ncclCommShrink(comms[0], &self, 0, &made, nullptr, NCCL_SHRINK_DEFAULT)));
    printf("window: %s\n", name(ncclCommWindowRegister(comms[0], b, 64, nullptr, NCCL_WIN_DEFAULT)));
    printf("window: %s\n", name(ncclCommWindowRegister(comms[0], b, 64, &window, NCCL_WIN_COLL_SYMMETRIC)));
    printf("window: %d, %s\n", window != nullptr, name(ncclCommWindowDeregister(comms[0], window)));
}

// Each color but -1 is one.
static void negative_colors()
{
    ncclComm_t parts[2];
    int counts[2] = {0, 0};
    ncclGroupStart();
    for (int r = 0; r < 2; r++) {
        ncclCommSplit(comms[r], -2 - r, 0, &parts[r], nullptr);
    }
    printf("colors: %s\n", name(ncclGroupEnd()));
    for (int r = 0; r < 2; r++) {
        ncclCommCount(parts[r], &counts[r]);
        printf("color %d: %d rank, finalize: %s", -2 - r, counts[r], name(ncclCommFinalize(parts[r])));
        printf(", again: %s\n", name(ncclCommFinalize(parts[r])));
        ncclCommDestroy(parts[r]);
    }
}

int main()
{
    const int twice[] = {0, 0};
    ncclUniqueId id;
    memset(&id, 0, sizeof id);
    printf("twice: %s\n", name(ncclCommInitAll(comms, 2, twice)));
    printf("too many: %s\n", name(ncclCommInitAll(comms, 3, nullptr)));
    printf("no id: %s\n", name(ncclCommInitRank(comms, 2, id, 0)));
    for (int r = 0; r < 2; r++) {
        cudaSetDevice(r);
        cudaStreamCreate(&streams[r]);
        cudaMalloc(&buffers[r], 1024 * sizeof(int));
        cudaMemset(buffers[r], 0, 1024 * sizeof(int));
    }
    make();
    printf("root: %s\n", name(ncclReduce(buffers[0], buffers[0], 8, ncclInt, ncclSum, 2, comms[0], streams[0])));
    printf("last: %s\n", ncclGetLastError(comms[0]));
    printf("reduction: %s\n", name(ncclReduce(buffers[0], buffers[0], 8, ncclInt, (ncclRedOp_t)7, 0, comms[0], streams[0])));
    printf("type: %s\n", name(ncclReduce(buffers[0], buffers[0], 8, (ncclDataType_t)30, ncclSum, 0, comms[0], streams[0])));
    printf("null: %s\n", name(ncclAllReduce(nullptr, buffers[0], 8, ncclInt, ncclSum, comms[0], streams[0])));
    printf("bounds: %s\n", name(ncclAllReduce(buffers[0] + 1, buffers[0], 1024, ncclInt, ncclSum, comms[0], streams[0])));
    printf("stream: %s\n", name(ncclAllReduce(buffers[0], buffers[0], 8, ncclInt, ncclSum, comms[0], streams[1])));
    printf("peer: %s\n", name(ncclSend(buffers[0], 8, ncclInt, -1, comms[0], streams[0])));
    reductions();
    exchanges();
    printf("no start: %s\n", name(ncclGroupEnd()));
    // An error in a group is that of its end, and nothing of the group runs.
    ncclGroupStart();
    ncclAllReduce(buffers[0], buffers[0], 8, ncclInt, ncclSum, comms[0], streams[0]);
    ncclAllReduce(buffers[1], buffers[1], 8, ncclInt, ncclSum, nullptr, streams[1]);
    printf("group: %s\n", name(ncclGroupEnd()));
    // The legacy stream during a capture: it would wait for the captured one.
    cudaGraph_t graph;
    cudaSetDevice(0);
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed);
    printf("capture: %s\n", name(ncclAllReduce(buffers[0], buffers[0], 8, ncclInt, ncclSum, comms[0], nullptr)));
    printf("capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(streams[0], &graph)));
    cudaGetLastError();

    printf("count: %s\n", name(ncclAllReduce(buffers[0], buffers[0], 1024, ncclInt, ncclSum, comms[0], streams[0])));
    printf("count: %s\n", name(ncclAllReduce(buffers[1], buffers[1], 512, ncclInt, ncclSum, comms[1], streams[1])));
    finish("count");
    make();
    negative_colors();
    ncclBroadcast(buffers[0], buffers[0], 8, ncclInt, 0, comms[0], streams[0]);
    ncclBroadcast(buffers[1], buffers[1], 8, ncclInt, 1, comms[1], streams[1]);
    finish("root");
    make();
    ncclAllReduce(buffers[0], buffers[0], 8, ncclInt, ncclSum, comms[0], streams[0]);
    ncclAllReduce(buffers[1], buffers[1], 8, ncclFloat, ncclSum, comms[1], streams[1]);
    finish("type");
    make();
    ncclAllReduce(buffers[0], buffers[0], 8, ncclInt, ncclSum, comms[0], streams[0]);
    ncclReduce(buffers[1], buffers[1], 8, ncclInt, ncclSum, 0, comms[1], streams[1]);
    finish("kind");
    make();
    ncclSend(buffers[0], 8, ncclInt, 1, comms[0], streams[0]);
    ncclRecv(buffers[1], 9, ncclInt, 0, comms[1], streams[1]);
    finish("bytes");
    make();
    ncclAllReduce(buffers[0], buffers[0], 8, ncclInt, ncclSum, comms[0], streams[0]);
    ncclCommAbort(comms[1]);
    finish("abort");
    printf("destroyed: %s\n", name(ncclCommDestroy(comms[0])));
}
