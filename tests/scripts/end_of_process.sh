#!/usr/bin/env bash
# How a process ends: after pthread_exit in main, by signals, with which status, and the reports of
# launches whose errors nobody read.
# rules: S9 S42 S44
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"

cat >"$work/program.cu" <<'CU'
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

__global__ void nothing() {}
__global__ void failing(int *p) { assert(p == nullptr); }
__global__ void storing(volatile int *p) { *p = 1; }
__global__ void parent(int threads) { nothing<<<1, threads>>>(); }
__global__ void __launch_bounds__(64) bounded() {}

static void use()
{
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
}
static void *use_in_thread(void *)
{
    use();
    return nullptr;
}
static void *outlive(void *seconds)
{
    usleep((useconds_t)(size_t)seconds * 1000);
    puts("the other thread ends");
    return nullptr;
}
static pthread_t begin(void *(*run)(void *), size_t argument)
{
    pthread_t thread;
    pthread_create(&thread, nullptr, run, (void *)argument);
    return thread;
}
struct Last {
    ~Last() { puts("destroyed"); }
} last;

static void launch_badly()
{
    for (int i = 0; i < 3; i++) {
        nothing<<<1, 1025>>>();
    }
    nothing<<<1, 1, 1 << 20>>>();
}

static void end_threads(const char *how)
{
    if (!strcmp(how, "pthread_exit")) {
        use();
        pthread_exit(nullptr);
    } else if (!strcmp(how, "another_lives")) {
        use();
        begin(outlive, 200);
        pthread_exit(nullptr);
    } else if (!strcmp(how, "another_stays")) {
        use();
        begin(outlive, 600000);
        fputs("main leaves\n", stderr);
        pthread_exit(nullptr);
    } else if (!strcmp(how, "only_another_used_it")) {
        pthread_join(begin(use_in_thread, 0), nullptr);
        pthread_exit(nullptr);
    } else if (!strcmp(how, "used_again")) {
        for (int i = 0; i < 20; i++) {
            pthread_join(begin(use_in_thread, 0), nullptr);
            usleep(20000);
        }
    } else if (!strcmp(how, "sigwait")) {
        sigset_t set;
        int got;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &set, nullptr);
        pthread_join(begin(use_in_thread, 0), nullptr);
        usleep(50000);
        kill(getpid(), SIGTERM);
        usleep(50000);
        sigwait(&set, &got);
        printf("got %d\n", got);
    }
}
int main(int, char **argv)
{
    const char *how = argv[1];
    cudaError_t error = cudaSuccess;
    int *p;
    cudaMalloc(&p, 4);
    if (!strcmp(how, "fault")) {
        storing<<<1, 1>>>((int *)8);
    } else if (!strcmp(how, "assert")) {
        failing<<<1, 1>>>(p);
    } else if (!strcmp(how, "reset")) {
        failing<<<1, 1>>>(p);
        cudaDeviceSynchronize();
        cudaDeviceReset();
    } else if (!strcmp(how, "unread")) {
        launch_badly();
    } else if (!strcmp(how, "read")) {
        launch_badly();
        error = cudaPeekAtLastError();
        bounded<<<1, 65>>>();
        error = cudaGetLastError();
    } else if (!strcmp(how, "in_thread")) {
        pthread_join(begin([](void *) -> void * { bounded<<<1, 65>>>(); return nullptr; }, 0), nullptr);
        cudaGetLastError();
    } else if (!strcmp(how, "unread_in_kernel")) {
        parent<<<1, 1>>>(2000);
    } else if (!strcmp(how, "own_status")) {
        storing<<<1, 1>>>((int *)8);
        cudaDeviceSynchronize();
        exit(3);
    } else {
        end_threads(how);
    }
    cudaDeviceSynchronize();
    printf("main ends%s\n", error != cudaSuccess ? ", and has read an error" : "");
}
CU

# ends STATUS HOW [VARIABLE=VALUE]...: in time, and with that status; its output is in out and err.
ends() {
    local want=$1 how=$2 status
    shift 2
    limit 30 env "$@" "$work/program" "$how" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$want" ] || { echo "$how $*: status $status instead of $want"; cat "$work/out" "$work/err"; return 1; }
}
after_pthread_exit() {
    for workers in 1 2 8; do
        ends 0 pthread_exit CDP_WORKERS=$workers && says "$work/out" '^destroyed$' &&
            ends 0 another_lives CDP_WORKERS=$workers && says "$work/out" 'other thread ends' destroyed &&
            ends 0 only_another_used_it CDP_WORKERS=$workers && ends 0 pthread_exit CDP_TIMEOUT=100 || return 1
    done
}
main_goes_on() { ends 0 used_again && says "$work/out" 'main ends' && ends 0 sigwait && says "$work/out" 'got 15'; }
signals_end_it() {
    local pid status i
    "$work/program" another_stays >"$work/out" 2>"$work/err" &
    pid=$!
    for ((i = 0; i < 1000; i++)); do
        ! grep -q 'main leaves' "$work/err" || break
        sleep 0.05
    done
    sleep 0.2 # by then it has usually left
    kill -TERM $pid || return 1
    wait $pid
    status=$?
    [ $status -eq 143 ] || { echo "status $status"; return 1; }
}
status_stays() {
    for how in fault assert unread unread_in_kernel read reset; do
        ends 0 $how && says "$work/out" 'main ends' || return 1
    done
    ends 3 own_status
}
status_is_asked_for() {
    for how in fault assert unread in_thread unread_in_kernel; do
        ends 7 $how CDP_ERROR_EXIT=7 && says "$work/out" 'main ends' destroyed || return 1
    done
    ends 0 reset CDP_ERROR_EXIT=7 && ends 0 read CDP_ERROR_EXIT=7 && ends 3 own_status CDP_ERROR_EXIT=7 &&
        ends 0 used_again CDP_ERROR_EXIT=7
}
launches_are_reported() {
    ends 0 unread && says "$work/err" \
        'cdp: the launch of nothing by 1x1x1 blocks of 1025x1x1 threads, with 0 bytes of dynamic shared memory, at launch_badly.*program.cu:[0-9]+.* failed with error 9 \(cudaErrorInvalidConfiguration\), which was never read by cudaGetLastError\(\): the kernel did not run, 3 times$' \
        'with 1048576 bytes of dynamic shared memory, at .* failed with error 1 \(cudaErrorInvalidValue\).*did not run$' || return 1
    ends 0 in_thread && says "$work/err" 'launch of bounded by 1x1x1 blocks of 65x1x1' || return 1
    ends 0 read && ! grep -q . "$work/err"
}

compiled() { "$CDPCC" "$@" "$work/program.cu" -o "$work/program" -lpthread; }
check "the program compiles" compiled -g
check "the process ends after pthread_exit in main" after_pthread_exit
check "while main lives the process continues, and its signals are its own" main_goes_on
check "a signal ends a process that nothing else ends" signals_end_it
check "device code leaves the exit status alone" status_stays
check "CDP_ERROR_EXIT sets the exit status of a program whose device code failed" status_is_asked_for
check "launches of the host whose error is never read are reported" launches_are_reported
check "it compiles with checks" compiled --check=space
check "CDP_ERROR_EXIT means the same with checks" status_is_asked_for
finish
