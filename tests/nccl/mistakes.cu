// Mistakes of processes: mistakes KIND. Rank 0 is the parent, rank 1 a child. Prints what rank 0 gets.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nccl.h>

static ncclComm_t comm;
static float *buffer;

static ncclResult_t add_up(size_t n, ncclDataType_t type = ncclFloat)
{
    return ncclAllReduce(buffer, buffer, n, type, ncclSum, comm, 0);
}

static void child(const char *kind)
{
    if (strcmp(kind, "dies") == 0) {
        add_up(100);
        cudaStreamSynchronize(0);
        raise(SIGKILL);
    }
    if (strcmp(kind, "leaves") == 0) {
        ncclCommDestroy(comm);
        pause();
    }
    if (strcmp(kind, "aborts") == 0) {
        ncclCommAbort(comm);
        pause();
    }
    if (strcmp(kind, "count") == 0) {
        add_up(50);
    } else if (strcmp(kind, "type") == 0) {
        add_up(100, ncclInt);
    } else if (strcmp(kind, "call") == 0) {
        ncclBroadcast(buffer, buffer, 100, ncclFloat, 0, comm, 0);
    } else if (strcmp(kind, "bytes") == 0) {
        ncclRecv(buffer, 99, ncclFloat, 0, comm, 0);
    }
    cudaStreamSynchronize(0);
    pause();
}

static ncclResult_t parent(const char *kind)
{
    if (strcmp(kind, "dies") == 0) {
        add_up(100);
        cudaStreamSynchronize(0);
    }
    if (strcmp(kind, "bytes") == 0) {
        return ncclSend(buffer, 100, ncclFloat, 1, comm, 0);
    }
    return add_up(100);
}

int main(int, char **argv)
{
    const char *kind = argv[1];
    ncclUniqueId id;
    ncclResult_t state = ncclSuccess;
    ncclGetUniqueId(&id);
    pid_t other = fork();
    int ranks = strcmp(kind, "ranks") == 0 ? 3 - (other == 0) : 2;
    int rank = strcmp(kind, "same") == 0 ? 0 : other == 0;
    state = ncclCommInitRank(&comm, ranks, id, rank);
    if (state == ncclSuccess) {
        cudaMalloc(&buffer, 400);
        cudaMemset(buffer, 0, 400);
        if (other == 0) {
            child(kind);
        }
        parent(kind);
        cudaStreamSynchronize(0);
        // The end of the other one may be known later than that its data is missing.
        while (ncclCommGetAsyncError(comm, &state) == ncclSuccess && state == ncclSuccess) {
            usleep(1000);
        }
        printf("next: %s\n", add_up(1) == state ? "the same" : "another");
    }
    if (other == 0) {
        return 0;
    }
    printf("%s\n", state == ncclInvalidArgument ? "invalid argument"
                   : state == ncclInvalidUsage  ? "invalid usage"
                   : state == ncclRemoteError   ? "remote error"
                                                : "?");
    fflush(stdout);
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    ncclCommAbort(comm);
}
