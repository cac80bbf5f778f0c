// Signal handlers that the program installs after its first CUDA call get the host's faults, and
// only those. A query returns the installed handler. A handler may jump out.
// stderr: cudaErrorIllegalAddress: illegal access to address 0x40
// stderr: cudaErrorInvalidValue: a copy was given host memory that is not mapped
#include "show.h"

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#pragma clang diagnostic ignored "-Wdeprecated-declarations" // sigset, sigignore

static sigjmp_buf place;
static volatile sig_atomic_t caught, last_signal, last_code;
static void *volatile last_address;

static void handle(int signal)
{
    caught++;
    last_signal = signal;
    siglongjmp(place, 1);
}

static void handle_with_info(int signal, siginfo_t *info, void *)
{
    caught++;
    last_signal = signal;
    last_code = info->si_code;
    last_address = info->si_addr;
    siglongjmp(place, 1);
}

static void count(int)
{
    caught++;
}

__global__ void store(int *p)
{
    *p = 1;
}

// A fault of device code belongs to the runtime, whatever handlers are installed.
static void faultInKernel(const char *when)
{
    int before = caught;
    store<<<1, 1>>>((int *)64);
    cudaError_t error = cudaDeviceSynchronize();
    cudaDeviceReset();
    printf("%s: %s, %s\n", when, cudaGetErrorName(error), caught == before ? "not the program's" : "caught");
}

static void faultHere(const char *what)
{
    int before = caught;
    if (sigsetjmp(place, 1) == 0) {
        *(volatile int *)0x10 = 1;
    }
    printf("%s: caught %d\n", what, caught - before);
}

// The mask that remains when a handler jumps out and nobody restores it.
static void faultAndKeepTheMask()
{
    sigset_t mask, empty;
    sigemptyset(&empty);
    pthread_sigmask(SIG_SETMASK, &empty, nullptr);
    if (sigsetjmp(place, 0) == 0) {
        *(volatile int *)0x10 = 1;
    }
    pthread_sigmask(SIG_SETMASK, &empty, &mask);
    printf("blocked: SIGSEGV %d, SIGUSR1 %d, SIGINT %d\n", sigismember(&mask, SIGSEGV),
           sigismember(&mask, SIGUSR1), sigismember(&mask, SIGINT));
}

static void beyondAFile()
{
    char name[] = "/tmp/cdp_bus_XXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    volatile char *page = (char *)mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    if (sigsetjmp(place, 1) == 0) {
        (void)*page;
    }
    printf("SIGBUS: %d, at the address %d\n", last_signal == SIGBUS, last_address == (void *)page);
}

static void sentSignals()
{
    signal(SIGSEGV, count);
    signal(SIGFPE, count);
    signal(SIGILL, SIG_IGN);
    int before = caught;
    raise(SIGSEGV);
    kill(getpid(), SIGFPE);
    raise(SIGILL);
    printf("sent: %d caught\n", caught - before);
}

static struct sigaction at_start; // a sanitizer's, or the default

static void queries()
{
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_with_info;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGSEGV, nullptr, &old);
    printf("before: as at the start %d\n",
           old.sa_handler == at_start.sa_handler && old.sa_flags == at_start.sa_flags);
    printf("set: %d\n", sigaction(SIGSEGV, &action, nullptr));
    printf("wrong: %d\n", sigaction(SIGKILL, &action, nullptr));
    sigaction(SIGSEGV, nullptr, &old);
    printf("asked: handler %d, flags %d, mask %d%d\n", old.sa_sigaction == handle_with_info,
           (old.sa_flags & ~0x04000000) == (SA_SIGINFO | SA_RESTART),
           sigismember(&old.sa_mask, SIGUSR1), sigismember(&old.sa_mask, SIGINT));
}

static void once()
{
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGSEGV, &action, nullptr);
    faultHere("once");
    sigaction(SIGSEGV, nullptr, &old);
    printf("after that: default %d\n", old.sa_handler == SIG_DFL);
}

static void hostFunction(void *)
{
    faultHere("in a host function");
}

int main()
{
    int *memory;
    sigaction(SIGSEGV, nullptr, &at_start);
    signal(SIGBUS, handle); // before the first call
    MUST(cudaMalloc(&memory, 4));
    queries();
    faultHere("with information");
    printf("%d, a fault %d, at 0x10 %d\n", last_signal == SIGSEGV, last_code > 0, last_address == (void *)0x10);
    faultInKernel("after sigaction");
    faultAndKeepTheMask();
    printf("signal returns the one before: %d\n", signal(SIGSEGV, handle) == (void (*)(int))handle_with_info);
    for (int i = 0; i < 3; i++) {
        faultHere("again");
    }
    faultInKernel("after signal");
    MUST(cudaLaunchHostFunc(0, hostFunction, nullptr));
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMalloc(&memory, 4));
    SHOW(cudaMemcpy(memory, (void *)0x10, 4, cudaMemcpyHostToDevice));
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_with_info;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, nullptr);
    beyondAFile();
    sentSignals();
    faultInKernel("after that");
    once();
    printf("the old calls: %d\n", sigset(SIGSEGV, handle) == SIG_DFL);
    faultHere("sigset");
    int held = sigset(SIGSEGV, SIG_HOLD) == handle;
    printf("held: %d %d\n", held, sigset(SIGSEGV, handle) == SIG_HOLD);
    int ignored = sigignore(SIGSEGV);
    printf("ignored: %d %d\n", ignored, signal(SIGSEGV, SIG_DFL) == SIG_IGN);
    faultInKernel("by default");
}
