// Allocations of all sizes, of which some are shared, freed and made again: another process sees
// each byte of them and writes it, and those between stay as they are. Then their owner dies.
// workers: 2
// stderr: cudaIpcOpenMemHandle at .*: the memory was freed, or the process
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 200, ROUNDS = 4, MOST = 40000 };

struct shared {
    cudaIpcMemHandle_t names[COUNT];
    unsigned sizes[COUNT];
    bool has[COUNT];
    volatile int step; // grows; even: the owner works
    volatile int wrong;
};

static unsigned long long state = 12345;
static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % below;
}

__global__ void fill(unsigned char *p, unsigned size, unsigned seed)
{
    for (unsigned i = threadIdx.x; i < size; i += blockDim.x) {
        p[i] = (unsigned char)(i * 7 + seed);
    }
}

static int wrong_bytes(const unsigned char *p, unsigned size, unsigned seed)
{
    static unsigned char host[MOST];
    int wrong = cudaMemcpy(host, p, size, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (unsigned i = 0; i < size; i++) {
        wrong += host[i] != (unsigned char)(i * 7 + seed);
    }
    return wrong;
}

static void wait_for(shared *s, int step)
{
    while (s->step != step) {
        usleep(200);
    }
}

static void own(shared *s)
{
    static unsigned char *p[COUNT];
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < COUNT; i++) {
            if (p[i] != NULL && draw(3) == 0) {
                cudaFree(p[i]);
                p[i] = NULL;
                s->has[i] = false;
            }
        }
        for (int i = 0; i < COUNT; i++) {
            if (p[i] == NULL) {
                s->sizes[i] = 1 + draw(draw(2) == 0 ? 300 : MOST);
                s->wrong += cudaMalloc(&p[i], s->sizes[i]) != cudaSuccess;
            }
            fill<<<1, 64>>>(p[i], s->sizes[i], i + round);
        }
        for (int i = 0; i < COUNT; i++) {
            if (!s->has[i] && draw(2) == 0) {
                s->wrong += cudaIpcGetMemHandle(&s->names[i], p[i]) != cudaSuccess;
                s->has[i] = true;
            }
        }
        cudaDeviceSynchronize();
        s->step = 2 * round + 1;
        wait_for(s, 2 * round + 2);
        for (int i = 0; i < COUNT; i++) {
            s->wrong += wrong_bytes(p[i], s->sizes[i], i + round + (s->has[i] ? 100 : 0));
        }
    }
    s->step = 2 * ROUNDS + 1;
    pause();
}

int main()
{
    shared *s = (shared *)mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t id = fork();
    if (id == 0) {
        own(s);
        _exit(1);
    }
    unsigned char *q[COUNT];
    int opened = 0, last = -1;
    for (int round = 0; round < ROUNDS; round++) {
        wait_for(s, 2 * round + 1);
        for (int i = 0; i < COUNT; i++) {
            if (s->has[i]) {
                s->wrong += cudaIpcOpenMemHandle((void **)&q[i], s->names[i],
                                                 cudaIpcMemLazyEnablePeerAccess) != cudaSuccess;
                s->wrong += wrong_bytes(q[i], s->sizes[i], i + round);
                s->wrong += cudaMemset(q[i] + s->sizes[i], 0, 1) == cudaSuccess;
                fill<<<1, 64>>>(q[i], s->sizes[i], i + round + 100);
                opened++;
            }
        }
        cudaDeviceSynchronize();
        for (int i = 0; i < COUNT; i++) {
            if (s->has[i] && round + 1 == ROUNDS) {
                last = i; // stays open
            } else if (s->has[i]) {
                s->wrong += cudaIpcCloseMemHandle(q[i]) != cudaSuccess;
            }
        }
        s->step = 2 * round + 2;
    }
    wait_for(s, 2 * ROUNDS + 1);
    kill(id, SIGKILL);
    waitpid(id, NULL, 0);
    s->wrong += wrong_bytes(q[last], s->sizes[last], last + ROUNDS - 1 + 100);
    fill<<<1, 64>>>(q[last], s->sizes[last], 3);
    s->wrong += wrong_bytes(q[last], s->sizes[last], 3);
    s->wrong += cudaIpcCloseMemHandle(q[last]) != cudaSuccess;
    cudaError_t error = cudaIpcOpenMemHandle((void **)&q[0], s->names[last],
                                             cudaIpcMemLazyEnablePeerAccess);
    printf("many: %d, wrong: %d, after the death: %s\n", opened > 2 * COUNT, s->wrong,
           cudaGetErrorName(error));
}
