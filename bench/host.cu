// The costs on the host: of launches, waits, idle workers, and memory transfers. Prints medians,
// and the best round beside them: the difference shows the influence of other programs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

#include "move.h"

static double now()
{
    auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
}

__global__ void empty()
{
}

static void finish()
{
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("a kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
        exit(1);
    }
}

#define MOST_ROUNDS 1001
static int rounds = 21;

struct Figures {
    double median, best;
};

// The time of one round of work, without the preparation before it.
template <typename P, typename F> static Figures figuresOf(P prepare, F work)
{
    static double seconds[MOST_ROUNDS];
    for (int i = -1; i < rounds; i++) {
        prepare();
        double start = now();
        work();
        if (i >= 0) {
            seconds[i] = now() - start;
        }
    }
    std::sort(seconds, seconds + rounds);
    return {seconds[rounds / 2], seconds[0]};
}

template <typename F> static Figures figuresOf(F work)
{
    return figuresOf([] {}, work);
}

static void launchRow(const char *what, Figures seconds, double per)
{
    printf("| %s | %.3f us | %.3f us |\n", what, seconds.median / per * 1e6,
           seconds.best / per * 1e6);
}

static void launches(int count, int blocks, int threads)
{
    for (int i = 0; i < count; i++) {
        empty<<<blocks, threads>>>();
    }
    finish();
}

static void launchesAndSyncs(int count, int blocks, int threads)
{
    for (int i = 0; i < count; i++) {
        empty<<<blocks, threads>>>();
        finish();
    }
}

static void alternating(int count, cudaStream_t a, cudaStream_t b)
{
    for (int i = 0; i < count; i += 2) {
        empty<<<1, 32, 0, a>>>();
        empty<<<1, 32, 0, b>>>();
    }
    finish();
}

static void launchTable()
{
    puts("| host launches | median | best |\n|---|---|---|");
    launchRow("10,000 `<<<1,1>>>`, one sync", figuresOf([] { launches(10000, 1, 1); }), 10000);
    launchRow("10,000 `<<<1,32>>>`, one sync", figuresOf([] { launches(10000, 1, 32); }), 10000);
    launchRow("1,000 `<<<64,128>>>`, one sync", figuresOf([] { launches(1000, 64, 128); }), 1000);
    launchRow("`<<<1,32>>>` and sync", figuresOf([] { launchesAndSyncs(1000, 1, 32); }), 1000);
    launchRow("`<<<64,128>>>` and sync", figuresOf([] { launchesAndSyncs(100, 64, 128); }), 100);
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    launchRow("10,000 `<<<1,32>>>`, two streams in turn",
              figuresOf([=] { alternating(10000, a, b); }), 10000);
    launchRow("`<<<1,32>>>` and sync, from sleep",
              figuresOf([] { usleep(1000); }, [] { launchesAndSyncs(1, 1, 32); }), 1);
    launchRow("`<<<64,128>>>` and sync, from sleep",
              figuresOf([] { usleep(1000); }, [] { launchesAndSyncs(1, 64, 128); }), 1);
}

// CPU time of the whole process while it does nothing.
static void idleTable()
{
    puts("\n| idle workers | CPU time in 200 ms |\n|---|---|");
    launches(100, 64, 128);
    timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    usleep(200000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double ms =
        double(after.tv_sec - before.tv_sec) * 1e3 + double(after.tv_nsec - before.tv_nsec) / 1e6;
    printf("| after a launch | %.3f ms |\n", ms);
}

static void moveRow(const char *what, double bytes, Figures one, Figures openmp, Figures ours)
{
    printf("| %s | %.1f | %.1f | %.1f | %.2f |\n", what, bytes / one.median / 1e9,
           bytes / openmp.median / 1e9, bytes / ours.median / 1e9, ours.median / openmp.median);
}

static void moveTable(size_t bytes, const char *size)
{
    char *from = nullptr, *to = nullptr, *host = (char *)malloc(bytes);
    if (cudaMalloc(&from, bytes) != cudaSuccess || cudaMalloc(&to, bytes) != cudaSuccess) {
        printf("no memory for %s\n", size);
        exit(1);
    }
    memset(host, 1, bytes);
    char what[64];
    snprintf(what, sizeof what, "cudaMemcpy to the device, %s", size);
    moveRow(what, double(bytes), figuresOf([=] { memcpy(from, host, bytes); }),
            figuresOf([=] { openmp_copy(from, host, bytes); }),
            figuresOf([=] { cudaMemcpy(from, host, bytes, cudaMemcpyHostToDevice); }));
    snprintf(what, sizeof what, "cudaMemcpy on the device, %s", size);
    moveRow(what, double(bytes), figuresOf([=] { memcpy(to, from, bytes); }),
            figuresOf([=] { openmp_copy(to, from, bytes); }),
            figuresOf([=] { cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice); }));
    snprintf(what, sizeof what, "cudaMemset, %s", size);
    moveRow(what, double(bytes), figuresOf([=] { memset(to, 1, bytes); }),
            figuresOf([=] { openmp_set(to, 1, bytes); }), figuresOf([=] {
                cudaMemset(to, 1, bytes);
                finish();
            }));
    snprintf(what, sizeof what, "first touch by cudaMemset, %s", size);
    auto renew = [&] {
        cudaFree(to);
        cudaMalloc(&to, bytes);
    };
    moveRow(what, double(bytes), figuresOf(renew, [&] { memset(to, 1, bytes); }),
            figuresOf(renew, [&] { openmp_set(to, 1, bytes); }), figuresOf(renew, [&] {
                cudaMemset(to, 1, bytes);
                finish();
            }));
    cudaFree(from);
    cudaFree(to);
    free(host);
}

int main(int argc, char **argv)
{
    bool all = argc < 3;
    if (argc > 1) {
        rounds = std::min(std::max(atoi(argv[1]), 1), MOST_ROUNDS);
    }
    if (all || strcmp(argv[2], "launches") == 0) {
        launchTable();
        idleTable();
    }
    if (all || strcmp(argv[2], "memory") == 0) {
        puts("\n| memory, GB/s | one thread | OpenMP | ours | time, ours / OpenMP |\n"
             "|---|---|---|---|---|");
        moveTable((size_t)64 << 10, "64 KiB");
        moveTable((size_t)4 << 20, "4 MiB");
        moveTable((size_t)256 << 20, "256 MiB");
    }
}
