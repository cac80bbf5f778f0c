#!/usr/bin/env bash
# CDP_SEED=n names a schedule: the same interleaving every time, with any CDP_WORKERS and on a busy
# machine. Another number gives another interleaving.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
repeats=20 seeds=(1 2 3 10 77 4294967295)

# order_log records the order of threads, blocks, children, device streams, events, tail and
# fire-and-forget launches, host streams, callbacks and queries.
check "the log of orders compiles" "$CDPCC" -Wno-cdp-generation -O2 "$top/tests/fuzz/order_log.cu" -o "$work/log"

log_of() { # log_of SEED WORKERS
    CDP_SEED=$1 CDP_WORKERS=$2 limit 60 "$work/log" 2>&1
}
# Two at the same time, so that each disturbs the other.
always_the_same() { # always_the_same SEED
    local i bad=0
    log_of "$1" 1 >"$work/first.$1" && says "$work/first.$1" 'no error, 10710 entries' || return 1
    for ((i = 0; i < repeats; i += 2)); do
        log_of "$1" $((i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 8)) >"$work/one" &
        log_of "$1" $((i % 2 == 0 ? 8 : 2)) >"$work/two"
        wait $!
        cmp "$work/first.$1" "$work/one" && cmp "$work/first.$1" "$work/two" || bad=1
    done
    return $bad
}
for seed in "${seeds[@]}"; do
    check "seed $seed: $repeats runs with 1, 2 and 8 workers write the same log" always_the_same "$seed"
done

all_differ() {
    local different
    different=$(cat_logs | sort -u | wc -l)
    echo "$different different logs of ${#seeds[@]}"
    [ "$different" -eq ${#seeds[@]} ]
}
cat_logs() {
    local seed
    for seed in "${seeds[@]}"; do
        cksum <"$work/first.$seed"
    done
}
check "each seed has a log of its own" all_differ

# A kernel that waits for the host, and a host that waits for a callback, proceed.
cat >"$work/wait.cu" <<'END'
#include <cstdio>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;
__device__ int answers;
__global__ void ask(volatile int *cells) {
    cells[0] = 1;
    while (cells[1] == 0) {}
    answers++;
}
static void reach(int to) {
    pthread_mutex_lock(&lock);
    stage = to;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
static void wait_for(int which) {
    pthread_mutex_lock(&lock);
    while (stage < which) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
static void CUDART_CB callback(void *) {
    reach(1);
    wait_for(2);
    reach(3);
}
int main() {
    int *cells, result = 0;
    cudaMallocManaged(&cells, 2 * sizeof(int));
    cells[0] = cells[1] = 0;
    ask<<<1, 2>>>(cells);
    while (*(volatile int *)cells == 0) {}
    *(volatile int *)(cells + 1) = 1;
    cudaLaunchHostFunc(0, callback, nullptr);
    wait_for(1);
    cudaGetLastError();
    reach(2);
    wait_for(3);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&result, answers, sizeof(int));
    printf("%d\n", result);
}
END
check "a program whose host polls and waits compiles" "$CDPCC" "$work/wait.cu" -o "$work/wait"
gets_on() { CDP_SEED=$1 limit 60 "$work/wait" >"$work/out" && says "$work/out" '^[12]$'; }
check "device code and callbacks that wait for the host do not hang, seed 1" gets_on 1
check "nor with seed 2" gets_on 2
check "nor with seed 3" gets_on 3
finish
