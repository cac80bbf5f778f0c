// NCCL's all-reduce between 2 and 4 processes, which it forks, and between 2 and 4 ranks of one process.
//
//   nccl [ROUNDS]
//
// For each size: microseconds of one operation (median of the rounds) and the bus bandwidth as nccl-tests define it,
// bytes * 2 * (ranks - 1) / ranks / time. Beside it, the bandwidth of cudaMemcpyAsync of the same bytes between two
// devices. Each result is checked.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <nccl.h>

static void check(ncclResult_t result)
{
    if (result != ncclSuccess) {
        printf("%s\n", ncclGetErrorString(result));
        exit(1);
    }
}

static double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class F> static double median(int rounds, F run)
{
    std::vector<double> times(rounds);
    run();
    for (double &time : times) {
        double start = now();
        run();
        time = now() - start;
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[rounds / 2];
}

static double copy(int rounds, size_t bytes)
{
    void *from, *to;
    cudaSetDevice(1);
    cudaMalloc(&to, bytes);
    cudaMemset(to, 0, bytes);
    cudaSetDevice(0);
    cudaMalloc(&from, bytes);
    cudaMemset(from, 1, bytes);
    double time = median(rounds, [&] {
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, 0);
        cudaStreamSynchronize(0);
    });
    cudaFree(from);
    cudaFree(to);
    return time;
}

// The local ranks of a process, from first on.
static double reduce(int rounds, size_t bytes, const std::vector<ncclComm_t> &comms, int ranks)
{
    size_t n = bytes / sizeof(float), local = comms.size();
    std::vector<float *> from(local), to(local);
    for (size_t i = 0; i < local; i++) {
        cudaSetDevice((int)i);
        std::vector<float> ones(n, 1.0f);
        cudaMalloc(&from[i], bytes);
        cudaMalloc(&to[i], bytes);
        cudaMemcpy(from[i], ones.data(), bytes, cudaMemcpyHostToDevice);
    }
    double time = median(rounds, [&] {
        check(ncclGroupStart());
        for (size_t i = 0; i < local; i++) {
            check(ncclAllReduce(from[i], to[i], n, ncclFloat, ncclSum, comms[i], 0));
        }
        check(ncclGroupEnd());
        for (size_t i = 0; i < local; i++) {
            cudaSetDevice((int)i);
            cudaStreamSynchronize(0);
        }
    });
    float last;
    for (size_t i = 0; i < local; i++) {
        cudaMemcpy(&last, to[i] + n - 1, sizeof last, cudaMemcpyDeviceToHost);
        if (last != (float)ranks) {
            printf("wrong: %g\n", last);
            exit(1);
        }
        cudaFree(from[i]);
        cudaFree(to[i]);
    }
    return time;
}

static void print(const char *what, size_t bytes, double time, int ranks, double copied)
{
    printf("| %s | %zu | %.1f | %.2f | %.2f |\n", what, bytes, time * 1e6,
           (double)bytes * 2 * (ranks - 1) / ranks / time / 1e9, (double)bytes / copied / 1e9);
}

static const size_t sizes[] = {4096, 65536, 1 << 20, 16 << 20, 64 << 20};

static void one_process(int rounds, int ranks)
{
    std::vector<ncclComm_t> comms(ranks);
    char what[64];
    snprintf(what, sizeof what, "%d ranks of one process", ranks);
    check(ncclCommInitAll(comms.data(), ranks, nullptr));
    for (size_t bytes : sizes) {
        print(what, bytes, reduce(rounds, bytes, comms, ranks), ranks, copy(rounds, bytes));
    }
    for (ncclComm_t comm : comms) {
        check(ncclCommDestroy(comm));
    }
}

static void process(int rounds, int rank, int ranks, ncclUniqueId id)
{
    std::vector<ncclComm_t> comms(1);
    char what[64];
    snprintf(what, sizeof what, "%d processes", ranks);
    check(ncclCommInitRank(&comms[0], ranks, id, rank));
    for (size_t bytes : sizes) {
        double time = reduce(rounds, bytes, comms, ranks);
        if (rank == 0) {
            print(what, bytes, time, ranks, copy(rounds, bytes));
        }
    }
    check(ncclCommDestroy(comms[0]));
}

static void run(int rounds, int rank, int ranks, ncclUniqueId id)
{
    pid_t child = fork();
    if (child == 0) {
        process(rounds, rank, ranks, id);
        fflush(stdout);
        _exit(0);
    }
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 9;
    setenv("CDP_DEVICES", "4", 0);
    printf("| | bytes | microseconds | bus GB/s | copy GB/s |\n|---|--:|--:|--:|--:|\n");
    fflush(stdout);
    for (int ranks = 2; ranks <= 4; ranks *= 2) {
        ncclUniqueId id;
        check(ncclGetUniqueId(&id)); // this process does not use the device: its children do
        for (int rank = 0; rank < ranks; rank++) {
            run(rounds, rank, ranks, id);
        }
        while (wait(nullptr) > 0) {
        }
    }
    one_process(rounds, 2);
    one_process(rounds, 4);
}
