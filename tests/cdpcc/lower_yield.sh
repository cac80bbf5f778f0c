#!/bin/bash
# Threads that wait for one another by polling proceed, also with one worker. Code that only looks
# like polling has no extra cost.
. "$(dirname "$0")/support.bash"

cat >polling.cu <<'CU'
#include <cstdio>
__device__ int lock, count, ready;
__device__ volatile int flag;
__global__ void locked() {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    int seen = count;
    __nanosleep(10); // others run here
    count = seen + 1;
    __threadfence();
    atomicExch(&lock, 0);
}
__global__ void locked_by_flag() {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            count++;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
__global__ void between_threads(int *out) {
    if (threadIdx.x == 0) {
        while (flag == 0) {
        }
        out[0] = 7;
    } else {
        flag = 1;
    }
}
__global__ void between_blocks(int *out) {
    if (blockIdx.x == 0) {
        while (atomicAdd(&ready, 0) == 0) {
        }
        out[1] = 8;
    } else {
        atomicExch(&ready, 1);
    }
}
__global__ void in_step(int *out) { // a warp's last steps without __syncwarp
    __shared__ volatile int s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int n = 128; n > 32; n /= 2) {
        if (t < n) s[t] += s[t + n];
        __syncthreads();
    }
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
    if (t == 0) out[2] = s[0];
}
#define EQUAL(a, b) do { if ((a) != (b)) printf("line %d: %d, not %d\n", __LINE__, (int)(a), (int)(b)); } while (0)
int main() {
    int *out, value = 0;
    cudaMallocManaged(&out, 3 * sizeof *out);
    locked<<<4, 64>>>();
    EQUAL(cudaDeviceSynchronize(), 0);
    cudaMemcpyFromSymbol(&value, count, sizeof value);
    EQUAL(value, 256);
    locked_by_flag<<<4, 64>>>();
    EQUAL(cudaDeviceSynchronize(), 0);
    cudaMemcpyFromSymbol(&value, count, sizeof value);
    EQUAL(value, 512);
    between_threads<<<1, 2>>>(out);
    between_blocks<<<2, 1>>>(out);
    in_step<<<1, 256>>>(out);
    EQUAL(cudaDeviceSynchronize(), 0);
    EQUAL(out[0], 7);
    EQUAL(out[1], 8);
    EQUAL(out[2], 255 * 128);
    puts("done");
}
CU
for flags in -O3 -O0 -G; do
    "$CDPCC" $flags polling.cu -o polling 2>err.txt || cat err.txt
    for workers in 1 2; do
        name=polling_with_${flags}_and_${workers}_workers
        CDP_WORKERS=$workers limit 60 ./polling >out.txt 2>&1
        [ "$(cat out.txt)" = done ] && ok "$name" || fail "$name" "$(head -n 4 out.txt)"
    done
done

cat >busy.cu <<'CU'
__global__ void histogram(int *h, const int *x, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[x[i] & 15], 1);
}
__global__ void own(int *out, int n) {
    volatile int mine = 0;
    for (int i = 0; i < n; i++) mine += i;
    *out = mine;
}
__global__ void graph(int *level, const int *to, int *queue, int *tail, int n) {
    for (int i = 0; i < n; i++)
        if (atomicCAS(&level[to[i]], -1, 1) == -1) queue[atomicAdd(tail, 1)] = to[i];
}
CU
"$CDPCC" -S busy.cu -o busy.s
grep -q cdp_abi_yield busy.s && fail no_yield_in_busy_loops "$(grep -n yield busy.s)" || ok no_yield_in_busy_loops

cat >stepped.cu <<'CU'
__device__ void step(volatile int *s, int t, int n) {
    for (int i = 1; i < n; i *= 2) {
        __syncthreads();
        int sum = s[t] + s[t ^ i];
        __syncthreads();
        s[t] = sum;
    }
}
__global__ void by_barriers(int n) {
    __shared__ int s[256];
    step(s, threadIdx.x, n);
}
__global__ void by_warp(int *out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 16) {
        s[t] += s[t + 16]; // before the store
        s[t] += s[t + 8];  // before the loads, before the store
    }
    out[t] = t < 16 ? s[0] : 0; // before the load, before the store
}
__global__ void in_loop(volatile int *flags, int n, int *out) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += flags[i & 1]; // at each turn, and after the last
    }
    *out = sum;
}
CU
"$CDPCC" -O2 -fno-unroll-loops -S -emit-llvm --cuda-device-only stepped.cu -o stepped.ll
for expected in by_barriers:0 by_warp:5 in_loop:2; do
    kernel=${expected%:*}
    count=$(awk "/^define.*thread.*$kernel/,/^}/" stepped.ll | grep -c 'call.*cdp_abi_yield')
    [ "$count" -eq "${expected#*:}" ] && ok "yields_$kernel" || fail "yields_$kernel" "$count of them, not ${expected#*:}"
done

# A block entry runs block after block, and a block that had only begun would be lost.
cat >blocks.cu <<'CU'
__global__ void adds(int *total, const int *in, int n) {
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += in[i];
    }
    atomicAdd(total, sum);
}
CU
"$CDPCC" -O3 --entry=block -S -emit-llvm --cuda-device-only blocks.cu -o blocks.ll
sed -n '/^define.*@cdp\.one_row\./,/^}/p' blocks.ll >entry.ll
count=$(grep -c 'call.*cdp_abi_yield' entry.ll)
[ -s entry.ll ] && [ "$count" = 0 ] && ok block_entry_keeps_on || fail block_entry_keeps_on "$count yields"
finish
