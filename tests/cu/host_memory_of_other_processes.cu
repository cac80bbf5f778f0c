// Memory of cudaMalloc in other processes by handles: a child of fork, and a program of its own.
// The pages at the ends of an allocation have parts of its neighbours.
// workers: 2
// stderr: cudaIpcGetMemHandle at .*: it is not device memory of cudaMalloc
// stderr: cudaIpcOpenMemHandle at .*: the handle is of this process
// stderr: cudaIpcOpenMemHandle at .*: the memory was freed, or the process
// stderr: cudaIpcCloseMemHandle at .*: no call of cudaIpcOpenMemHandle returned this address
// stderr: cudaFree.* it is 0 bytes into the 1000 bytes of device memory of another process
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
enum { SMALL = 250, LARGE = 3000001 };

__global__ void add(int *p, int n, int value)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        p[i] += value;
    }
}

static long sum(const int *device, int n)
{
    static int host[LARGE];
    cudaError_t error = cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
    long all = 0;
    for (int i = 0; i < n; i++) {
        all += host[i];
    }
    return error == cudaSuccess ? all : -1;
}

struct names {
    cudaIpcMemHandle_t small, large, freed;
};

static void wait_for(int fd)
{
    char byte;
    if (read(fd, &byte, 1) != 1) {
        _exit(3);
    }
}

static void tell(int fd)
{
    fflush(stdout);
    if (write(fd, "", 1) != 1) {
        _exit(4);
    }
}

static int other(const char *name, int from, int to)
{
    names n;
    int *small, *again, *large, *gone, beyond[SMALL + 1];
    cudaPointerAttributes attributes;
    if (read(from, &n, sizeof n) != sizeof n) {
        return 5;
    }
    printf("-- %s\n", name);
    SAY(cudaIpcOpenMemHandle((void **)&small, n.small, 0));
    SAY(cudaIpcOpenMemHandle((void **)&small, n.small, cudaIpcMemLazyEnablePeerAccess));
    SAY(cudaIpcOpenMemHandle((void **)&again, n.small, cudaIpcMemLazyEnablePeerAccess));
    SAY(cudaIpcOpenMemHandle((void **)&large, n.large, cudaIpcMemLazyEnablePeerAccess));
    SAY(cudaIpcOpenMemHandle((void **)&gone, n.freed, cudaIpcMemLazyEnablePeerAccess));
    printf("same address: %d\n", small == again);
    cudaPointerGetAttributes(&attributes, small);
    printf("device memory: %d\n", attributes.type == cudaMemoryTypeDevice);
    printf("sums: %ld %ld\n", sum(small, SMALL), sum(large, LARGE));
    SAY(cudaMemcpy(beyond, small, sizeof beyond, cudaMemcpyDeviceToHost));
    SAY(cudaFree(small));
    add<<<8, 128>>>(small, SMALL, 1);
    add<<<8, 128>>>(large, LARGE, 1);
    SAY(cudaDeviceSynchronize());
    tell(to);
    wait_for(from); /* the parent has written, too */
    printf("sums: %ld %ld\n", sum(small, SMALL), sum(large, LARGE));
    SAY(cudaIpcCloseMemHandle(small));
    SAY(cudaMemset(small, 0, 4));
    SAY(cudaIpcCloseMemHandle(small));
    SAY(cudaMemset(small, 0, 4));
    SAY(cudaIpcCloseMemHandle(small));
    tell(to);
    wait_for(from); /* the parent has freed the large one: it stays here */
    printf("sum: %ld\n", sum(large, LARGE));
    SAY(cudaIpcCloseMemHandle(large));
    tell(to);
    return 0;
}

struct process {
    pid_t id;
    int to, from;
};

static process start(char *program, bool executes)
{
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) {
        exit(2);
    }
    process p = {fork(), to[1], from[0]};
    if (p.id == 0) {
        close(to[1]);
        close(from[0]);
        char in[12], out[12];
        snprintf(in, sizeof in, "%d", to[0]);
        snprintf(out, sizeof out, "%d", from[1]);
        if (executes) {
            execl("/proc/self/exe", program, in, out, NULL);
        }
        fflush(stdout);
        int status = other("fork", to[0], from[1]);
        fflush(stdout);
        _exit(status);
    }
    close(to[0]);
    close(from[1]);
    return p;
}

static void talk(const process &p)
{
    names n;
    int *before, *small, *large, *after, *freed;
    void *managed;
    cudaIpcMemHandle_t again;
    cudaMalloc(&before, 300);
    cudaMalloc(&small, SMALL * sizeof(int));
    cudaMalloc(&large, LARGE * sizeof(int));
    cudaMalloc(&after, 300);
    cudaMalloc(&freed, 300);
    cudaMallocManaged(&managed, 300);
    cudaMemset(before, 0, 300);
    cudaMemset(small, 0, SMALL * sizeof(int));
    cudaMemset(large, 0, LARGE * sizeof(int));
    cudaMemset(after, 0, 300);
    add<<<1, 64>>>(before, 75, 7);
    add<<<8, 128>>>(small, SMALL, 1);
    add<<<8, 128>>>(large, LARGE, 2);
    add<<<1, 64>>>(after, 75, 9);
    SAY(cudaIpcGetMemHandle(&n.small, small));
    SAY(cudaIpcGetMemHandle(&again, small));
    printf("same handle: %d\n", memcmp(&n.small, &again, sizeof again) == 0);
    SAY(cudaIpcGetMemHandle(&n.large, large));
    SAY(cudaIpcGetMemHandle(&n.freed, freed));
    SAY(cudaIpcGetMemHandle(&again, managed));
    SAY(cudaIpcGetMemHandle(NULL, small));
    void *own;
    SAY(cudaIpcOpenMemHandle(&own, n.small, cudaIpcMemLazyEnablePeerAccess));
    cudaFree(freed);
    fflush(stdout);
    if (write(p.to, &n, sizeof n) != sizeof n) {
        exit(6);
    }
    wait_for(p.from);
    printf("-- parent\nsums: %ld %ld\n", sum(small, SMALL), sum(large, LARGE));
    add<<<8, 128>>>(small, SMALL, 10);
    cudaMemset(large, 0, LARGE * sizeof(int));
    cudaDeviceSynchronize();
    tell(p.to);
    wait_for(p.from);
    cudaFree(large);
    cudaMalloc(&large, LARGE * sizeof(int));
    add<<<8, 128>>>(large, LARGE, 5);
    cudaDeviceSynchronize();
    tell(p.to);
    wait_for(p.from);
    printf("neighbours: %ld %ld\n", sum(before, 75), sum(after, 75));
    cudaFree(before);
    cudaFree(small);
    printf("neighbours: %ld\n", sum(after, 75));
    cudaFree(large);
    cudaFree(after);
    cudaFree(managed);
    int status;
    waitpid(p.id, &status, 0);
    printf("ended: %d\n", status);
    fflush(stdout);
}

int main(int count, char **words)
{
    if (count > 2) {
        return other("exec", atoi(words[1]), atoi(words[2]));
    }
    process forked = start(words[0], false), executed = start(words[0], true);
    talk(forked);
    talk(executed);
}
