#!/usr/bin/env bash
# Programs in a process with limited resources: address space (ulimit -v), threads (ulimit -u), or
# the privileges of another user.
# rules: S43
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
# A folder that another user can read.
shared=$(mktemp -d /tmp/cdp_limits.XXXXXX) && chmod 755 "$shared" || exit 2
trap 'rm -rf "$work" "$shared"' EXIT

cat >"$work/work.cu" <<'CU'
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void child(int *sum)
{
    __shared__ int shared[1000];
    shared[threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(sum, shared[31 - threadIdx.x]);
}
__global__ void parent(int *sum)
{
    child<<<2, 32>>>(sum);
    cudaDeviceSynchronize();
    int *memory = (int *)malloc(100);
    if (memory) {
        atomicAdd(sum, *memory = 1);
        free(memory);
    }
}
__global__ void wait_all(int *sum) // by each thread's own stack
{
    __shared__ int shared[1024];
    for (int i = 0; i < 3; i++) {
        shared[threadIdx.x] = i;
        __syncthreads();
    }
    atomicAdd(sum, shared[threadIdx.x]);
}
static void count(void *calls)
{
    ++*(int *)calls;
}
int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "size")) { // in KiB, before the first call
        unsigned long pages = 0;
        FILE *file = fopen("/proc/self/statm", "r");
        return !(fscanf(file, "%lu", &pages) == 1 && printf("%lu\n", pages * 4));
    }
    int *sum, calls = 0, *copy = (int *)malloc(1 << 20);
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    if (argc > 1) {
        wait_all<<<1, 1024>>>(sum);
        printf("%d\n", cudaDeviceSynchronize());
        return 0;
    }
    for (int i = 0; i < 10; i++) {
        parent<<<4, 1>>>(sum);
    }
    cudaLaunchHostFunc(0, count, &calls);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event);
    while (cudaEventQuery(event) == cudaErrorNotReady || cudaStreamQuery(0) == cudaErrorNotReady) {
    }
    cudaMemcpy(copy, sum, sizeof *copy, cudaMemcpyDeviceToHost);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    printf("%d %d %d; %d\n", cudaDeviceSynchronize(), *copy, calls, prop.multiProcessorCount);
}
CU
cat >"$work/waits.cu" <<'CU'
#include <cstdio>
#include <sys/resource.h>

__global__ void add(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x]++;
}

// Launches and waits. Prints how many of a thousand launches made a thread wait for another one.
int main()
{
    enum { LAUNCHES = 100000, BLOCKS = 16, THREADS = 256 };
    int *x, last;
    cudaMalloc(&x, BLOCKS * THREADS * sizeof(int));
    cudaMemset(x, 0, BLOCKS * THREADS * sizeof(int));
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < LAUNCHES; i++) {
        add<<<BLOCKS, THREADS>>>(x);
        cudaDeviceSynchronize();
    }
    getrusage(RUSAGE_SELF, &after);
    cudaMemcpy(&last, &x[BLOCKS * THREADS - 1], sizeof last, cudaMemcpyDeviceToHost);
    printf("%d %ld\n", last, (after.ru_nvcsw - before.ru_nvcsw) / (LAUNCHES / 1000));
}
CU
cat >"$work/refused.cu" <<CU
#include "$top/tests/cu/host_calls.inc"
// Nothing could be prepared: calls get what a program that ignores errors has.
int main()
{
    int succeeded = 0;
    for (const HostCall &call : hostCalls) {
        if (call.run() == cudaSuccess) {
            printf("%s\n", call.name);
            succeeded++;
        }
    }
    emptyKernel<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    return 5;
}
CU
right='^0 39720 1; [0-9]+$'

# within LIMIT WORKERS: ends well with this address space, in KiB.
within() {
    (ulimit -v "$1" && CDP_WORKERS=$2 timeout -k 5 60 "$work/work") >"$work/out" 2>"$work/err"
    says "$work/out" "$right" || { echo "$1 KiB, $2 workers"; cat "$work/err"; return 1; }
}
any_address_space_will_do() {
    local size
    size=$("$work/work" size) || return 1
    for workers in 1 2 8 64; do
        for more in 65536 100000 300000 1000000 2000000 4000000 16000000 27000000 100000000; do
            within $((size + more)) $workers || return 1
        done
    done
}
fewer_workers_are_reported() {
    within $(($("$work/work" size) + 65536)) 8 && says "$work/err" \
        'cdp: [1-7] of 8 workers: the address space is limited to [0-9]+ KiB \(ulimit -v\), of which [0-9]+ are free' || return 1
    within 8000000 8 && [ ! -s "$work/err" ]
}
waiting_threads_name_the_limit() {
    (ulimit -v $(($("$work/work" size) + 65536)) && CDP_ENTRY=thread timeout -k 5 60 "$work/work" wait) >"$work/out" 2>"$work/err"
    says "$work/out" '^2$' && says "$work/err" \
        'no stack for another waiting device thread \(CDP_STACK_KB makes them smaller\): the address space is limited to [0-9]+ KiB \(ulimit -v\)'
}
# Only calls that need no device succeed.
refused() { # refused LIMIT VARIABLE=VALUE...
    local limit=$1
    shift
    (ulimit -v "$limit" && exec env "$@" timeout -k 5 60 "$work/refused") >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq 5 ] || { echo "status $status"; tail -n 5 "$work/out" "$work/err"; return 1; }
    says "$work/out" '^cudaErrorMemoryAllocation$' && says "$work/err" 'cdp: the runtime cannot start: out of memory \(' &&
        [ "$(grep -c . "$work/out")" -lt 20 ] || { cat "$work/out"; return 1; }
}
every_call_fails() {
    local size
    size=$("$work/work" size) || return 1
    refused unlimited CDP_FAIL_ALLOC=1 CDP_FAIL_ALLOC_TIMES=0 &&
        refused unlimited CDP_STACK_KB=1048576 CDP_WORKERS=1024 CDP_FAIL_ALLOC=5 CDP_FAIL_ALLOC_TIMES=0 &&
        refused $((size + 12000)) CDP_STACK_KB=1048576 &&
        says "$work/err" 'the address space is limited to [0-9]+ KiB \(ulimit -v\)'
}
# Nobody else has processes of that user.
user=$((1000000 + RANDOM))
as_another() { setpriv --reuid=$user --regid=$user --clear-groups "$@"; }
few_threads_will_do() {
    cp "$work/work" "$shared/work"
    for most in 2 3 4 7 100; do # bash and the timeout are two
        for workers in 1 2 8; do
            as_another bash -c "ulimit -u $most && exec timeout -k 5 60 env CDP_WORKERS=$workers CDP_TIMEOUT=50 $shared/work" >"$work/out" 2>"$work/err"
            says "$work/out" "$right" || { echo "$most, $workers workers"; cat "$work/err"; return 1; }
            case $most,$workers in
            2,*) says "$work/err" 'no thread can be started \(the user may have 2 processes and threads at a time \(ulimit -u\)' 'CDP_TIMEOUT has no effect' || return 1 ;;
            4,8) says "$work/err" 'cdp: [12] of 8 workers: the user may have 4 processes and threads at a time \(ulimit -u\)' || return 1 ;;
            100,*) [ ! -s "$work/err" ] || { cat "$work/err"; return 1; } ;;
            esac
        done
    done
}
setuid_programs_take_no_options() {
    cp "$work/work" "$shared/own" && cp "$work/work" "$shared/setuid" && chmod 4755 "$shared/setuid" || return 1
    as_another env CDP_WORKERS=3 CDP_STATS=1 "$shared/own" >"$work/out" 2>"$work/err"
    says "$work/out" '^0 39720 1; 3$' && says "$work/err" 'launches by device code' || return 1
    as_another env CDP_WORKERS=3 CDP_STATS=1 CDP_PROFILE=1 CDP_TRACE="$shared/trace" CDP_STEPS=parent \
        CDP_STEPS_LOG="$shared/steps" "$shared/setuid" >"$work/out" 2>"$work/err"
    says "$work/out" "$right" && [ ! -s "$work/err" ] && [ ! -e "$shared/steps" ] && [ ! -e "$shared/trace" ]
}

# The waiting host thread is one of two workers. A lone worker would need two switches for each launch.
one_processor_has_two_workers() {
    local first
    first=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//') || return 1
    timeout -k 5 60 taskset -c "$first" "$work/work" >"$work/out" 2>"$work/err"
    says "$work/out" '^0 39720 1; 2$' && [ ! -s "$work/err" ]
}

# The other worker sleeps meanwhile. If each launch woke it, a thread would wait in more than a hundred of 1,000 launches.
launches_on_one_processor_wake_no_worker() {
    local first waits
    first=$(taskset -pc $$ | sed 's/.*: //; s/[,-].*//') || return 1
    timeout -k 5 100 taskset -c "$first" "$work/waits" >"$work/out" 2>"$work/err"
    read -r _ waits <"$work/out"
    says "$work/out" '^100000 [0-9]*$' && [ "$waits" -le 50 ] && [ ! -s "$work/err" ]
}

compiled() { "$CDPCC" "$work/$1.cu" -o "$work/$1"; }
check "a program compiles" compiled work
check "a program that ignores all errors compiles" compiled refused
check "64 MiB of address space in addition are enough" any_address_space_will_do
check "with one processor there are two workers" one_processor_has_two_workers
check "a program that launches often compiles" compiled waits
check "with one processor launches wake no worker" launches_on_one_processor_wake_no_worker
check "fewer workers for lack of address space are reported" fewer_workers_are_reported
check "threads that cannot wait name the limit" waiting_threads_name_the_limit
check "if the runtime cannot start every call fails, and main continues" every_call_fails
# The system does not count root's threads, and only root can use another user's privileges.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    check "few threads are enough, or none" few_threads_will_do
    check "programs with more privileges than their caller ignore the caller's options" setuid_programs_take_no_options
fi
finish
