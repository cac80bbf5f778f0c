#!/bin/bash
# --explain says how each kernel's blocks run; kernels that are not known to be safe as
# vectors stay on thread entries, with one reason and its line.
. "$(dirname "$0")/support.bash"

cat >kernels.cu <<'CU'
#include <cstdio>
__device__ volatile int flag;
__device__ int lock;
__global__ void flat(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
__global__ void tree(int *x) {
    __shared__ int s[256];
    s[threadIdx.x] = x[threadIdx.x];
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        __syncthreads();
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    }
    x[threadIdx.x] = s[0];
}
__global__ void volatiles() {
    flag = 1;
}
__global__ void spins() {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    lock = 0;
}
__global__ void parts(int *x) {
    if (threadIdx.x & 1) {
        __syncthreads();
        x[0] = 1;
    } else {
        __syncthreads();
        x[1] = 1;
    }
}
__global__ void warps(int *x) {
    x[threadIdx.x] = __shfl_sync(~0u, x[threadIdx.x], 0);
}
__global__ void warps_part(int *x) {
    if (x[threadIdx.x] & 1) x[threadIdx.x] = __shfl_sync(~0u, x[threadIdx.x], 0);
    x[threadIdx.x] += __ballot_sync(~0u, x[threadIdx.x]);
}
__global__ void pointers(int (*f)(int), int *x) {
    x[threadIdx.x] = f(1);
}
__global__ void meets(int *x, int n) {
    __shared__ int s[512];
    int t = threadIdx.x, apart = 1;
    for (int d = n; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[apart * (2 * t + 2) - 1] += s[apart * (2 * t + 1) - 1];
        apart *= 2;
    }
    if (t == 0) s[2 * n - 1] = 0;
    for (int d = 1; d < 2 * n; d *= 2) {
        apart >>= 1;
        __syncthreads();
        if (t < d) s[apart * (2 * t + 1) - 1] = s[apart * (2 * t + 2) - 1];
    }
    __syncthreads();
    x[t] = s[t];
}
CU
"$CDPCC" --explain -march=x86-64-v3 -c kernels.cu -o kernels.o 2>explained.txt ||
    fail compile "$(head -c 300 explained.txt)"

says() { # says KERNEL TEXT
    if grep -E "kernel _Z${#1}$1" explained.txt | grep -qF -- "$2"; then
        ok "explain_$1"
    else
        fail "explain_$1" "no '$2' in '$(grep "$1" explained.txt)'"
    fi
}
says flat "block entry: 1 regions, 0 values across barriers, vectors of 8 lanes"
says tree "block entry: "
says meets "block entry: "
says volatiles "thread entries: it has a volatile access (kernels.cu:18); let threads exchange"
says spins "thread entries: a loop in it waits for what other threads do"
says parts "thread entries: threads may part here and meet different barriers (kernels.cu:26)"
says warps "block entry: 1 regions, 0 values across barriers, vectors of 8 lanes, 4 at a time"
says warps_part "thread entries: threads of a warp may part before a shuffle (kernels.cu:38)"
says pointers "thread entries: it calls through a pointer (kernels.cu:42)"

# Loops that end though no other thread moves wait for nobody; the others may.
cat >loops.cu <<'CU'
__global__ void retries(int *x) {
    for (int old = *x;;) {
        int found = atomicCAS(x, old, old * 3);
        if (found == old) break;
        old = found;
    }
}
__global__ void retries_elsewhere(int *x) {
    int old = *x, found;
    while ((found = atomicCAS(&x[old & 1], old, old * 3)) != old) old = found;
}
__global__ void retries_unless_taken(int *x) {
    for (int old = *x;;) {
        if (old < 0) {
            old = atomicAdd(x, 0);
            continue;
        }
        int found = atomicCAS(x, old, old * 3);
        if (found == old) break;
        old = found;
    }
}
__global__ void swaps_floats(float *x) {
    int *at = (int *)x;
    float old = *x, expected;
    do {
        expected = old;
        old = __int_as_float(atomicCAS(at, __float_as_int(expected), __float_as_int(old * 2)));
    } while (old != expected);
}
__global__ void draws(int *x) {
    for (;;) {
        int i = atomicAdd(x, 1);
        if (i >= 100) break;
        x[i + 1] = i;
    }
}
__global__ void meets_the_grid(int *x) {
    atomicAdd(x, 1);
    while (atomicAdd(x, 0) < 100) {
    }
}
CU
"$CDPCC" --explain -c loops.cu -o loops.o 2>explained.txt || fail compile "$(head -c 300 explained.txt)"
waits="thread entries: a loop in it waits for what other threads do"
says retries "block entry: "
says retries_elsewhere "$waits"
says retries_unless_taken "$waits"
says swaps_floats "$waits"
says draws "block entry: "
says meets_the_grid "$waits"

"$CDPCC" --explain -G -c kernels.cu -o kernels.o 2>explained.txt
if [ "$(grep -c 'all kernels: thread entries: ' explained.txt)" = 1 ]; then
    ok explain_with_debug_code
else
    fail explain_with_debug_code "$(head -c 300 explained.txt)"
fi

# explains NAME COUNT PATTERN FLAGS: of what cdpcc says with FLAGS, so many lines match.
explains() {
    local name=$1 count=$2 pattern=$3
    shift 3
    "$CDPCC" --explain "$@" -c kernels.cu -o kernels.o 2>explained.txt
    if [ "$(grep -c -- "$pattern" explained.txt)" = "$count" ]; then
        ok "$name"
    else
        fail "$name" "$(head -c 300 explained.txt)"
    fi
}
explains vectors_by_default 4 ': block entry: '
explains vectors_with_lines 4 ': block entry: ' -lineinfo -O1
explains vectors_without_debug_information 4 ': block entry: ' -g0
explains debuggers_see_threads 1 'all kernels: thread entries: ' -g -O2
explains debuggers_see_threads_of_any_format 1 'all kernels: thread entries: ' -gdwarf-4 -O2
explains vectors_for_debuggers_if_asked_for 4 ': block entry: ' -g -O2 --entry=block
explains threads_if_asked_for 1 'all kernels: thread entries: ' --entry=thread
explains last_entry_counts 4 ': block entry: ' --entry=thread --entry=block
explains no_vectors_without_optimization 1 'all kernels: thread entries: ' -O0
explains no_vectors_for_sanitizers 1 'all kernels: thread entries: ' -fsanitize=thread
explains no_vectors_with_checks 1 'all kernels: thread entries: ' --check=space
refuses entry_of_unknown_kind "--entry" "$CDPCC" --entry=warp -c kernels.cu -o kernels.o

# General entries of kernels that are always launched with known sizes are narrow, in units
# with many kernels, and there are none for rows that are no multiple of a vector.
cat >launches.cu <<'CU'
__global__ void always(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void sometimes(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 3; }
__global__ void of_ten(float *x) { x[threadIdx.y * 10 + threadIdx.x] *= 4; }
__global__ void of_rows(float *x) { x[threadIdx.y * 16 + threadIdx.x] *= 4; }
__global__ void never(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 5; }
void launch(float *x, int threads) {
    always<<<9, 256>>>(x);
    always<<<9, 128>>>(x);
    sometimes<<<9, 256>>>(x);
    sometimes<<<9, threads>>>(x);
    of_ten<<<1, dim3(10, 10)>>>(x);
    of_rows<<<1, dim3(16, 16)>>>(x);
}
CU
"$CDPCC" -O3 --entry=block --explain -march=x86-64-v3 -c launches.cu -o launches.o 2>explained.txt ||
    fail compile_launches "$(cat explained.txt)"
says always "8 lanes, 1 at a time; for blocks of 256x1x1 (8 lanes, 2 at a time), 128x1x1"
says sometimes "8 lanes, 2 at a time; for blocks of 256x1x1 (8 lanes, 2 at a time)"
says of_ten "8 lanes, 2 at a time"
says never "8 lanes, 2 at a time"
got=$(nm launches.o | grep -oE 'cdp\.(rows|any)\.[A-Za-z0-9_]+' | sort | tr '\n' ' ')
expected='cdp.any._Z6of_tenPf cdp.rows._Z6of_tenPf cdp.rows._Z7of_rowsPf '
[ "$got" = "$expected" ] && ok seldom_shapes || fail seldom_shapes "$got"

# Rows that lie in shared memory need one register for all their addresses, others one each.
cat >rows.cu <<'CU'
__global__ void product(int n, const float *a, const float *b, float *c) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
__global__ void tiles(int n, const float *b, float *c) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = c[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += tile[threadIdx.y][k] * b[k * n + threadIdx.x];
    c[threadIdx.y * 16 + threadIdx.x] = sum;
}
void launch(int n, float *a, float *b, float *c) {
    product<<<dim3(n, n), dim3(16, 16)>>>(n, a, b, c);
    tiles<<<1, dim3(16, 16)>>>(n, b, c);
}
CU
"$CDPCC" -O3 --entry=block --explain -march=x86-64-v4 -c rows.cu -o rows.o 2>explained.txt ||
    fail compile_rows "$(cat explained.txt)"
says product "for blocks of 16x16x1 (16 lanes, 8 at a time)"
says tiles "for blocks of 16x16x1 (16 lanes, 16 at a time)"
finish
