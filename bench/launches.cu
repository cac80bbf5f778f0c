// The costs of a launch, of a thread, of a barrier, and of a launch's memory. Medians of 7 rounds,
// with the goal beside each.
//
//   launches host       launches by the host
//   launches device     launches by kernels; one worker makes the figures comparable
//   launches threads    threads and barriers; for CDP_ENTRY=thread
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

#include "../examples/check.h"
#include "common/clock.h"

#define ROUNDS 7
#define LAUNCHES 10000
#define PENDING 200000

struct Parameters {
    char bytes[64];
};

__global__ void empty()
{
}

__global__ void takes(Parameters)
{
}

__global__ void launchChildren(int count, int threads)
{
    for (int i = 0; i < count; i++) {
        empty<<<1, threads>>>();
    }
}

__global__ void launchIntoStreams(int count)
{
    for (int i = 0; i < count; i++) {
        cudaStream_t stream;
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        empty<<<1, 1, 0, stream>>>();
        cudaStreamDestroy(stream);
    }
}

__global__ void launchOneEach()
{
    empty<<<1, 32>>>();
}

__global__ void launchAndWait(int count)
{
    for (int i = 0; i < count; i++) {
        empty<<<1, 32>>>();
        cudaDeviceSynchronize();
    }
}

// With only one worker, none of them starts before this grid's block ends.
__global__ void launchPending(int count)
{
    for (int i = 0; i < count; i++) {
        takes<<<1, 1>>>(Parameters());
    }
}

__global__ void tree(int depth)
{
    if (depth > 0) {
        tree<<<1, 1>>>(depth - 1);
        tree<<<1, 1>>>(depth - 1);
    }
}

__global__ void barriers(int count)
{
    for (int i = 0; i < count; i++) {
        __syncthreads();
    }
}

// Threads wait at two barriers in turn: the processor must predict the return addresses for both.
__global__ void barriersInPairs(int count)
{
    for (int i = 0; i < count; i += 2) {
        __syncthreads();
        __syncthreads();
    }
}

static void finish()
{
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}

template <typename F> static double medianOf(F work, int repeats = 1)
{
    double seconds[ROUNDS];
    work();
    for (double &each : seconds) {
        double start = clock_now();
        for (int i = 0; i < repeats; i++) {
            work();
        }
        each = (clock_now() - start) / repeats;
    }
    return median(seconds, ROUNDS);
}

// One launch and synchronization after the workers have fallen asleep.
static double medianFromSleep()
{
    double seconds[101];
    for (double &each : seconds) {
        usleep(1000);
        double start = clock_now();
        empty<<<1, 32>>>();
        finish();
        each = clock_now() - start;
    }
    return median(seconds, 101);
}

static void printTime(double seconds)
{
    if (seconds >= 1e-3) {
        printf(" %.1f ms |", seconds * 1e3);
    } else if (seconds >= 1e-6) {
        printf(" %.2f µs |", seconds * 1e6);
    } else {
        printf(" %.1f ns |", seconds * 1e9);
    }
}

static void row(const char *what, double seconds, double bar)
{
    printf("| %s |", what);
    printTime(seconds);
    if (bar > 0) {
        printTime(bar);
        printf("\n");
    } else {
        printf(" |\n");
    }
    fflush(stdout);
}

static void launchMany(dim3 grid, dim3 block)
{
    for (int i = 0; i < LAUNCHES; i++) {
        empty<<<grid, block>>>();
    }
    finish();
}

static void launchAndSync(dim3 grid, dim3 block)
{
    empty<<<grid, block>>>();
    finish();
}

// A chain of launches, one by one and as a graph. The bar of the graph is the time without it.
static void graph()
{
    enum { NODES = 20 };
    static cudaStream_t stream;
    static cudaGraphExec_t exec;
    cudaGraph_t captured;
    check(cudaStreamCreate(&stream));
    auto launch_all = [] {
        for (int i = 0; i < NODES; i++) {
            empty<<<1, 32, 0, stream>>>();
        }
    };
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch_all();
    check(cudaStreamEndCapture(stream, &captured));
    check(cudaGraphInstantiate(&exec, captured, 0));
    double single = medianOf(
        [&] {
            launch_all();
            check(cudaStreamSynchronize(stream));
        },
        2000);
    row("20 host launches `<<<1,32>>>` in a stream and synchronize", single, 0);
    row("a graph of these 20 launches and synchronize",
        medianOf(
            [] {
                check(cudaGraphLaunch(exec, stream));
                check(cudaStreamSynchronize(stream));
            },
            2000),
        single);
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(captured));
    check(cudaStreamDestroy(stream));
}

static void host()
{
    row("host launch `<<<1,32>>>`, one of 10,000 before one synchronize",
        medianOf([] { launchMany(1, 32); }) / LAUNCHES, 0.15e-6);
    row("host launch `<<<64,128>>>`, one of 10,000 before one synchronize",
        medianOf([] { launchMany(64, 128); }) / LAUNCHES, 1e-6);
    row("host launch `<<<1,32>>>` and synchronize", medianOf([] { launchAndSync(1, 32); }, 2000),
        0.2e-6);
    row("host launch `<<<64,128>>>` and synchronize",
        medianOf([] { launchAndSync(64, 128); }, 2000), 2e-6);
    row("host launch `<<<1,32>>>` and synchronize, workers asleep", medianFromSleep(), 3e-6);
    graph();
}

// The most memory the process had, in bytes.
static double peak()
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024.0;
}

static void memory()
{
    launchPending<<<1, 1>>>(1000);
    finish();
    double before = peak();
    launchPending<<<1, 1>>>(PENDING);
    finish();
    printf("| memory of a pending launch with 64 bytes of parameters | %.0f bytes | 256 bytes |\n",
           (peak() - before) / (PENDING - 1000));
}

// The median time of a kernel and the synchronization after it.
template <typename F> static double timeOf(F launch)
{
    return medianOf([&] {
        launch();
        finish();
    });
}

static void device()
{
    memory(); // before anything else needs much memory
    row("child grid `<<<1,1>>>`, one of 10,000 in one stream",
        timeOf([] { launchChildren<<<1, 1>>>(LAUNCHES, 1); }) / LAUNCHES, 0.04e-6);
    row("child grid `<<<1,32>>>`, one of 10,000 in one stream",
        timeOf([] { launchChildren<<<1, 1>>>(LAUNCHES, 32); }) / LAUNCHES, 0.08e-6);
    row("child grid `<<<1,1>>>` in a stream that is created for it, and destroyed",
        timeOf([] { launchIntoStreams<<<1, 1>>>(LAUNCHES); }) / LAUNCHES, 0.08e-6);
    row("child grid `<<<1,32>>>` and `cudaDeviceSynchronize` in the kernel",
        timeOf([] { launchAndWait<<<1, 1>>>(LAUNCHES); }) / LAUNCHES, 0.1e-6);
    row("1,024 threads of one block launching one `<<<1,32>>>` each",
        timeOf([] { launchOneEach<<<1, 1024>>>(); }), 100e-6);
    row("tree of 2^20 one-thread leaves", timeOf([] { tree<<<1, 1>>>(20); }), 0.08);
}

static void threads()
{
    row("thread of a barrier-free kernel, `<<<1000,256>>>`",
        timeOf([] { empty<<<1000, 256>>>(); }) / (1000 * 256), 0);
    row("`__syncthreads()` per thread, 256 threads",
        timeOf([] { barriers<<<1, 256>>>(1000); }) / (1000 * 256), 4e-9);
    row("`__syncthreads()` per thread, 256 threads, two in a loop",
        timeOf([] { barriersInPairs<<<1, 256>>>(1000); }) / (1000 * 256), 0);
    row("`__syncthreads()` per thread, 1024 threads",
        timeOf([] { barriers<<<1, 1024>>>(250); }) / (250 * 1024), 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name, *title;
        void (*measure)();
    } parts[] = {{"host", "the host's launches", host},
                 {"device", "kernels' launches", device},
                 {"threads", "thread entries", threads}};
    for (auto &part : parts) {
        if (argc == 2 && strcmp(argv[1], part.name) == 0) {
            printf("| %s | median | bar |\n|---|---|---|\n", part.title);
            part.measure();
            return 0;
        }
    }
    fprintf(stderr, "usage: launches host|device|threads\n");
    return 2;
}
