#!/usr/bin/env bash
# CDP_PROGRESS and SIGUSR1: what a program does that runs long, or hangs.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 2

cat >long.cu <<'CU'
#include <cstdio>
__device__ void work()
{
    for (long long end = clock64() + 20000000; clock64() < end;) {
    }
}
__global__ void leaf(int *p)
{
    atomicAdd(p, 1);
}
__global__ void tree(int *p, int n)
{
    for (int i = 0; i < n; i++) {
        leaf<<<3, 1>>>(p);
    }
    work();
}
__global__ void wide(int *p)
{
    if (threadIdx.x == 0) {
        p[blockIdx.x] = 1;
    }
}
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    tree<<<300, 1>>>(p, 5);
    wide<<<1000, 32>>>(p);
    cudaDeviceSynchronize();
    puts("end");
}
CU
progress() { # progress FLAGS...
    "$CDPCC" -O2 "$@" long.cu -o long || return 1
    [ "$(CDP_WORKERS=1 CDP_PROGRESS=1 ./long 2>err)" = end ] &&
        says err '^cdp: +[0-9]+ s  grids [0-9]+ of [0-9]+  blocks [0-9]+ of [0-9]+  device launches pending [0-9]+  depth 1$' &&
        tail -n 1 err >last && says last 'grids 1502 of 1502  blocks 5800 of 5800  device launches pending 0  depth 1$' &&
        [ "$(./long 2>&1)" = end ]
}
check "CDP_PROGRESS" progress
[ -z "${CDP_TEST_ALL:-}" ] || check "with AddressSanitizer" progress -fsanitize=address
[ -z "${CDP_TEST_ALL:-}" ] || check "with ThreadSanitizer" progress -fsanitize=thread
options() { # with the profile, the statistics, a seed, 8 workers
    for variables in CDP_PROFILE=1 CDP_STATS=1 CDP_SEED=1 CDP_WORKERS=8; do
        env CDP_PROGRESS=1 $variables ./long >out 2>err && says err 'grids 1502 of 1502  blocks 5800 of 5800' || return 1
    done
}
[ -z "${CDP_TEST_ALL:-}" ] || check "with other options" options

cat >hang.cu <<'CU'
#include <csignal>
#include <cstdio>
__global__ void child(int *p)
{
    if (threadIdx.x != 7) {
        __syncthreads();
    } else {
        while (*(volatile int *)p == 0) {
        }
    }
}
__global__ void parent(int *p)
{
    if (threadIdx.x == 0) {
        child<<<1, 40>>>(p);
    }
}
static int *data;
int main(int argc, char **)
{
    if (argc > 1) {
        signal(SIGUSR1, [](int) { *(volatile int *)data = 1; });
    } else {
        signal(SIGUSR2, [](int) { *(volatile int *)data = 1; });
    }
    cudaMallocManaged(&data, 1000);
    *data = 0;
    parent<<<2, 32>>>(data);
    puts("ready");
    fflush(stdout);
    printf("%d\n", cudaDeviceSynchronize());
}
CU
# Waits until the file has that many lines like the text; slow machines take their time.
wait_for() { # wait_for FILE COUNT TEXT
    local tries
    for tries in $(seq 200); do
        [ "$(grep -c "$3" "$1")" -lt "$2" ] || return 0
        sleep 0.1
    done
    echo "after $tries tries: no $2 times $3 in $1"
    return 1
}
signalled() { # signalled FLAGS...
    "$CDPCC" -g "$@" hang.cu -o hang || return 1
    for workers in 1 2; do
        CDP_WORKERS=$workers ./hang >out 2>err &
        local pid=$!
        wait_for out 1 ready && sleep 0.3
        kill -USR1 $pid
        wait_for err 2 'of 40 threads' && wait_for err 2 'parent was launched'
        kill -USR2 $pid
        wait $pid && [ "$(tail -n 1 out)" = 0 ] && [ "$(grep -c 'in kernel child, block (0,0,0), of 40 threads' err)" = 2 ] &&
            says err '^cdp: SIGUSR1: ' 'threads 0-6, 8-39: wait in __syncthreads\(\) at child \(hang\.cu:6:9\), for thread 7' \
                'child was launched by block \(1,0,0\) at parent \(hang\.cu:15:9\)' || return 1
    done
}
check "SIGUSR1 shows what hangs" signalled
[ -z "${CDP_TEST_ALL:-}" ] || check "with AddressSanitizer" signalled -fsanitize=address
own_handler() {
    ./hang own >out 2>err &
    local pid=$!
    wait_for out 1 ready
    kill -USR1 $pid
    wait $pid && [ "$(tail -n 1 out)" = 0 ] && [ ! -s err ]
}
check "a handler of the program stays" own_handler
finish
