// env: CDP_DEVICES=2
// A split waits for the other ranks if the communicator that is split blocks, whether or not the new one does.
#include <chrono>
#include <cstdio>
#include <thread>

#include <nccl.h>

constexpr int ranks = 2;
static ncclResult_t results[ranks], states[ranks];

static void split(ncclComm_t parent, int rank)
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclComm_t child;
    cudaSetDevice(rank);
    std::this_thread::sleep_for(std::chrono::milliseconds(100 * rank));
    results[rank] = ncclCommSplit(parent, 0, rank, &child, &config);
    ncclCommGetAsyncError(child, &states[rank]);
    ncclResult_t state = ncclCommFinalize(child);
    while (state == ncclInProgress) {
        ncclCommGetAsyncError(child, &state);
    }
    ncclCommDestroy(child);
}

int main()
{
    ncclComm_t parents[ranks];
    if (ncclCommInitAll(parents, ranks, NULL) != ncclSuccess) {
        return 1;
    }
    std::thread other(split, parents[1], 1);
    split(parents[0], 0);
    other.join();
    for (int i = 0; i < ranks; i++) {
        printf("rank %d: %s, then %s\n", i, ncclGetErrorString(results[i]),
               ncclGetErrorString(states[i]));
        ncclCommDestroy(parents[i]);
    }
    return 0;
}
