// Events that two processes record and wait for. A record of a process that dies is complete.
// workers: 1 2
// stderr: event .* was never recorded, or without timing
// stderr: cudaIpcGetEventHandle at .*: the event was made without cudaEventInterprocess
// stderr: cudaIpcGetEventHandle at .*: the event is one of another process
// stderr: cudaIpcOpenEventHandle at .*: the bytes are no handle
// stderr: cudaIpcOpenEventHandle at .*: the handle is of this process
// stderr: cudaIpcOpenEventHandle at .*: the event was destroyed, or the process
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))
enum { FLAGS = cudaEventInterprocess | cudaEventDisableTiming, ROUNDS = 200 };

struct shared {
    cudaIpcEventHandle_t ping, pong, gone, last;
    cudaIpcMemHandle_t memory;
    volatile int ready, go, wrong;
};

__global__ void spin(volatile int *go)
{
    while (*go == 0) {
    }
}

/* Each process adds its number after the other one's, ROUNDS times. */
__global__ void turn(int *p, int before, int value)
{
    p[1] += *p != before;
    *p += value;
}

static void expect(volatile int *word, int value)
{
    while (*word < value) {
        usleep(1000);
    }
}

static int other(shared *s)
{
    cudaHostRegister(s, sizeof *s, cudaHostRegisterDefault);
    cudaEvent_t ping, pong, gone, last, twice;
    int *p;
    cudaStream_t stream;
    expect(&s->ready, 1);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    SAY(cudaIpcOpenEventHandle(&ping, s->ping));
    SAY(cudaIpcOpenEventHandle(&twice, s->ping));
    SAY(cudaIpcOpenEventHandle(&pong, s->pong));
    SAY(cudaIpcOpenEventHandle(&gone, s->gone));
    SAY(cudaIpcOpenEventHandle(&last, s->last));
    SAY(cudaIpcOpenMemHandle((void **)&p, s->memory, cudaIpcMemLazyEnablePeerAccess));
    cudaIpcEventHandle_t garbage;
    memset(&garbage, 0x5a, sizeof garbage);
    SAY(cudaIpcOpenEventHandle(&gone, garbage));
    SAY(cudaIpcGetEventHandle(&garbage, ping));
    SAY(cudaEventQuery(ping)); /* the parent's kernel still spins */
    cudaStreamWaitEvent(stream, twice);
    SAY(cudaStreamQuery(stream));
    s->go = 1;
    SAY(cudaEventSynchronize(ping));
    SAY(cudaStreamSynchronize(stream));
    fflush(stdout);
    for (int i = 0; i < ROUNDS; i++) {
        expect(&s->ready, 2 * i + 2);
        cudaStreamWaitEvent(stream, ping);
        turn<<<1, 1, 0, stream>>>(p, 1 + 3 * i, 2);
        cudaEventRecord(pong, stream);
        s->ready = 2 * i + 3;
    }
    SAY(cudaStreamSynchronize(stream));
    SAY(cudaEventDestroy(twice));
    volatile int *never;
    cudaMallocManaged((void **)&never, sizeof(int));
    *never = 0;
    spin<<<1, 1, 0, stream>>>(never);
    SAY(cudaEventRecord(last, stream));
    fflush(stdout);
    s->ready = 2 * ROUNDS + 2;
    pause(); /* until it is killed */
    return 1;
}

static void talk(shared *s, pid_t id)
{
    cudaHostRegister(s, sizeof *s, cudaHostRegisterDefault);
    cudaEvent_t ping, pong, gone, last, plain, own;
    cudaIpcEventHandle_t handle;
    int *p, result[2];
    cudaStream_t stream;
    SAY(cudaEventCreateWithFlags(&ping, cudaEventInterprocess));
    SAY(cudaEventCreateWithFlags(&ping, FLAGS));
    cudaEventCreateWithFlags(&pong, FLAGS);
    cudaEventCreateWithFlags(&gone, FLAGS);
    cudaEventCreateWithFlags(&last, FLAGS);
    cudaEventCreateWithFlags(&plain, cudaEventDisableTiming);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&p, 2 * sizeof(int));
    cudaMemset(p, 0, 2 * sizeof(int));
    SAY(cudaIpcGetEventHandle(&handle, plain));
    SAY(cudaIpcGetEventHandle(&handle, NULL));
    SAY(cudaIpcGetEventHandle(&s->ping, ping));
    SAY(cudaIpcGetEventHandle(&handle, ping));
    printf("same handle: %d\n", memcmp(&handle, &s->ping, sizeof handle) == 0);
    SAY(cudaIpcOpenEventHandle(&own, s->ping));
    SAY(cudaIpcGetEventHandle(&s->pong, pong));
    SAY(cudaIpcGetEventHandle(&s->gone, gone));
    SAY(cudaIpcGetEventHandle(&s->last, last));
    SAY(cudaEventDestroy(gone));
    cudaIpcGetMemHandle(&s->memory, p);
    float time;
    SAY(cudaEventQuery(ping));
    spin<<<1, 1, 0, stream>>>(&s->go);
    cudaEventRecord(ping, stream);
    SAY(cudaEventElapsedTime(&time, ping, ping));
    fflush(stdout);
    s->ready = 1;
    for (int i = 0; i < ROUNDS; i++) {
        turn<<<1, 1, 0, stream>>>(p, 3 * i, 1);
        cudaEventRecord(ping, stream);
        s->ready = 2 * i + 2;
        expect(&s->ready, 2 * i + 3);
        cudaStreamWaitEvent(stream, pong);
    }
    cudaMemcpyAsync(result, p, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    expect(&s->ready, 2 * ROUNDS + 2);
    printf("-- parent\nsum %d, wrong %d\n", result[0], result[1]);
    SAY(cudaEventQuery(last));
    cudaStreamWaitEvent(stream, last);
    SAY(cudaStreamQuery(stream));
    kill(id, SIGKILL);
    waitpid(id, NULL, 0);
    SAY(cudaEventSynchronize(last));
    SAY(cudaStreamSynchronize(stream));
    cudaEventDestroy(ping);
    cudaEventDestroy(pong);
    cudaEventDestroy(last);
    cudaFree(p);
}

int main()
{
    shared *s = (shared *)mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t id = fork();
    if (id == 0) {
        _exit(other(s));
    }
    talk(s, id);
}
