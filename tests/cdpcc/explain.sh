#!/bin/bash
# --explain prints how each kernel's blocks run. Kernels that are not proven safe as vectors have
# thread entries only, and one reason with its line is printed.
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
__global__ void bounded(int *x) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    x[3 * i + 1] += x[3 * i];
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
says volatiles "block entry: "
says spins "thread entries: a loop in it waits for what other threads do"
says parts "thread entries: threads may diverge here and wait at different barriers (kernels.cu:26)"
# The entries are made from a copy of this kernel, which has no line of its own.
if grep -qE '^kernels.cu:[1-9][0-9]*: kernel _Z7bounded' explained.txt; then
    ok explain_line
else
    fail explain_line "$(grep bounded explained.txt)"
fi
says warps "block entry: 1 regions, 0 values across barriers, vectors of 8 lanes, 4 at a time"
says warps_part "thread entries: threads of a warp may diverge before a shuffle (kernels.cu:38)"
says pointers "thread entries: it calls through a pointer (kernels.cu:42)"

# Loops that end although no other thread proceeds do not wait; the others may wait.
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

# explains NAME COUNT PATTERN FLAGS: COUNT lines of cdpcc's output with FLAGS match.
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
explains vectors_by_default 6 ': block entry: '
explains vectors_with_lines 6 ': block entry: ' -lineinfo -O1
explains vectors_without_debug_information 6 ': block entry: ' -g0
explains debuggers_see_threads 1 'all kernels: thread entries: ' -g -O2
explains debuggers_see_threads_of_any_format 1 'all kernels: thread entries: ' -gdwarf-4 -O2
explains vectors_for_debuggers_if_asked_for 6 ': block entry: ' -g -O2 --entry=block
explains threads_if_asked_for 1 'all kernels: thread entries: ' --entry=thread
explains last_entry_counts 6 ': block entry: ' --entry=thread --entry=block
explains no_vectors_without_optimization 1 'all kernels: thread entries: ' -O0
explains no_vectors_for_sanitizers 1 'all kernels: thread entries: ' -fsanitize=thread
explains vectors_with_checks 5 ': block entry: ' --check=memory,init,api,leak
explains threads_for_checked_warps 2 'look at warp operations lane by lane' --check=race
refuses entry_of_unknown_kind "--entry" "$CDPCC" --entry=warp -c kernels.cu -o kernels.o

# Kernels that are always launched with known sizes have entries for these sizes only, in units with
# many kernels. Templates keep a narrow entry for other sizes, because the linker may choose another
# unit's copy. Code that has a kernel's address may launch it with any size.
cat >launches.cu <<'CU'
__global__ void always(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void sometimes(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 3; }
__global__ void of_ten(float *x) { x[threadIdx.y * 10 + threadIdx.x] *= 4; }
__global__ void of_one(float *x) { x[threadIdx.y * 4 + threadIdx.x] *= 4; }
__global__ void of_rows(float *x) { x[threadIdx.y * 16 + threadIdx.x] *= 4; }
__global__ void never(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 5; }
__global__ void single(float *x) { *x *= 6; }
__global__ void asked_about(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 7; }
__global__ void listed(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 8; }
__global__ void passed(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 9; }
__global__ void chosen(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 10; }
__global__ void chooses(float *x, int which, int threads) {
    void (*kernel)(float *) = which ? chosen : single;
    chosen<<<9, 64>>>(x);
    kernel<<<1, threads>>>(x);
}
__global__ void child(float *x) { x[threadIdx.x] *= 11; }
__global__ void parent(float *x) { child<<<1, 64>>>(x); }
template<typename T> __global__ void either(T *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
typedef void (*kernel)(float *);
struct { const char *name; kernel which; } table[] = {{"listed", listed}};
void launch_any(kernel which, float *x, int threads);
void launch(float *x, int threads) {
    always<<<9, 256>>>(x);
    always<<<9, 128>>>(x);
    sometimes<<<9, 256>>>(x);
    sometimes<<<9, threads>>>(x);
    of_ten<<<1, dim3(10, 10)>>>(x);
    of_one<<<1, dim3(1, 40)>>>(x);
    of_rows<<<1, dim3(16, 16)>>>(x);
    single<<<1, 1>>>(x);
    cudaFuncSetCacheConfig(asked_about, cudaFuncCachePreferShared);
    asked_about<<<9, 256>>>(x);
    listed<<<9, 256>>>(x);
    table[0].which<<<9, threads>>>(x);
    passed<<<9, 256>>>(x);
    launch_any(passed, x, threads);
    parent<<<1, 32>>>(x);
    chooses<<<1, 32>>>(x, threads, threads);
    either<<<9, 256>>>(x);
}
CU
"$CDPCC" -O3 --entry=block --explain -march=x86-64-v3 -c launches.cu -o launches.o 2>explained.txt ||
    fail compile_launches "$(cat explained.txt)"
sizes="0 values across barriers, for blocks of"
says always "$sizes 256x1x1 (8 lanes, 2 at a time), 128x1x1 (8 lanes, 2 at a time); no other sizes"
says sometimes "8 lanes, 2 at a time; for blocks of 256x1x1 (8 lanes, 2 at a time)"
says of_ten "$sizes 10x10x1 (8 lanes, 2 at a time, padded rows); no other sizes"
says of_one "8 lanes, 2 at a time"
says of_rows "$sizes 16x16x1 (8 lanes, 2 at a time); no other sizes"
says never "8 lanes, 2 at a time"
says asked_about "$sizes 256x1x1 (8 lanes, 2 at a time); no other sizes"
says listed "8 lanes, 2 at a time; for blocks of 256x1x1"
says passed "8 lanes, 2 at a time; for blocks of 256x1x1"
says chosen "8 lanes, 2 at a time; for blocks of 64x1x1"
says single "vectors of 8 lanes"
says child "$sizes 64x1x1 (8 lanes, 2 at a time); no other sizes"
grep -F 'eitherIf' explained.txt |
    grep -qF "vectors of 8 lanes, 1 at a time; for blocks of 256x1x1 (8 lanes, 2 at a time)" &&
    ok explain_either || fail explain_either "$(grep -F eitherIf explained.txt)"
got=$(nm launches.o | grep -oE 'cdp\.(rows|any)\.[A-Za-z0-9_]+' | sort | tr '\n' ' ')
expected='cdp.any._Z6of_onePf cdp.rows._Z6of_onePf '
[ "$got" = "$expected" ] && ok general_versions || fail general_versions "$got"

# A size is known only if the launch certainly uses that configuration. It is unknown if two
# launches are merged, if the program launches by the runtime's function, or if there is a launch by
# pointer in between.
cat >sizes.cu <<'CU'
__global__ void either_size(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
__global__ void direct(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 3; }
__global__ void after_pointer(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 4; }
__global__ void merged(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 5; }
__global__ void branches(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 6; }
typedef void (*kernel)(float *);
int next();
void launch(kernel any, float *x, int c, int threads) {
    void *arguments[] = {&x};
    if (c) either_size<<<9, 256>>>(x);
    else either_size<<<9, 64>>>(x);
    cudaLaunchKernel((const void *)direct, dim3(9), dim3(threads), arguments, 0, 0);
    any<<<9, 128>>>(x);
    cudaLaunchKernel((const void *)after_pointer, dim3(9), dim3(threads), arguments, 0, 0);
    if (next()) branches<<<9, 128>>>(x + next());
}
__attribute__((noinline)) void launch_merged(float *x, int c) {
    dim3 block = 256;
    if (c) block = next();
    merged<<<9, block>>>(x);
}
CU
for level in -O3 -Os; do
    "$CDPCC" $level --entry=block --explain -march=x86-64-v3 -c sizes.cu -o sizes.o \
        2>explained.txt || fail compile_sizes "$(cat explained.txt)"
    for kernel in direct after_pointer merged; do
        says $kernel "vectors of 8 lanes, "
    done
    # "no other sizes" with both sizes. If the optimizer merges the two launches, not "no other sizes".
    line=$(grep either_size explained.txt)
    case $line in
    *256x1x1*64x1x1*"no other sizes" | *"vectors of 8 lanes"*) ok "explain_either_size$level" ;;
    *) fail "explain_either_size$level" "$line" ;;
    esac
    says branches "128x1x1 (8 lanes, 2 at a time); no other sizes"
done

# Blocks of one or two threads run by thread entries anyway, in units of any size.
cat >tiny.cu <<'CU'
__global__ void tiny(float *x) { x[threadIdx.x] *= 2; }
__global__ void root(float *x) { tiny<<<1, 2>>>(x); }
void launch(float *x) { root<<<1, 1>>>(x); }
CU
"$CDPCC" -O3 --entry=block --explain -c tiny.cu -o tiny.o 2>explained.txt ||
    fail compile_tiny "$(cat explained.txt)"
says tiny "thread entries: all launches are of one or two threads"
says root "thread entries: all launches are of one or two threads"

# If the host's code is not analysed, it may launch any size.
"$CDPCC" -O3 -S --entry=block --explain -march=x86-64-v3 launches.cu -o launches.s 2>explained.txt ||
    fail compile_launches_to_text "$(cat explained.txt)"
says child "8 lanes, 2 at a time; for blocks of 64x1x1"

# Another unit launches with a size that this unit does not use: the same results, by thread
# entries.
cat >here.cu <<'CU'
__global__ void twice(int *x) {
    __shared__ int other[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    other[threadIdx.x ^ 33] = x[i];
    __syncthreads();
    x[i] = other[threadIdx.x ^ 33] + __shfl_xor_sync(~0u, __shfl_xor_sync(~0u, x[i], 5), 5);
}
__global__ void thrice(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 3; }
__global__ void often(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 5; }
__global__ void more(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 7; }
void here(int *x) {
    twice<<<1, 128>>>(x);
    thrice<<<1, 128>>>(x);
    often<<<1, 128>>>(x);
    more<<<1, 128>>>(x);
}
CU
cat >there.cu <<'CU'
#include <stdio.h>
void here(int *x);
extern __global__ void twice(int *x);
int main() {
    int *x, sum = 0;
    cudaMallocManaged(&x, 128 * sizeof *x);
    for (int i = 0; i < 128; i++) x[i] = i;
    here(x);
    twice<<<2, 64>>>(x);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 0; i < 128; i++) sum += x[i] == 2 * (30 * i + 7);
    printf("%d %d\n", error, sum);
}
CU
"$CDPCC" -O3 --entry=block --explain here.cu there.cu -o units 2>explained.txt ||
    fail compile_units "$(cat explained.txt)"
says twice "no other sizes"
got=$(CDP_STATS=1 ./units 2>&1 | grep -v launches | sort)
expected="0 128
cdp: 4 blocks ran by block entries, 2 had an unsupported shape"
[ "$got" = "$expected" ] && ok sizes_of_other_units || fail sizes_of_other_units "$got"

# If there is no entry for blocks of several rows, --explain prints why.
cat >refused.cu <<'CU'
#include <cstdio>
__global__ void rows(int *x) {
    int t = threadIdx.x, sum = x[t];
    if (t < 32) sum += __shfl_down_sync(~0u, sum, 1);
    x[t] = sum + __ballot_sync(~0u, sum & 1) + threadIdx.y;
}
int main() {
    int *x, sum = 0;
    cudaMallocManaged(&x, 256 * sizeof *x);
    for (int i = 0; i < 256; i++) x[i] = i * i;
    rows<<<1, 256>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < 256; i++) sum = sum * 31 + x[i];
    printf("%d\n", sum);
}
CU
"$CDPCC" -O3 --entry=block --explain -march=x86-64-v3 refused.cu -o refused 2>explained.txt ||
    fail compile_refused "$(cat explained.txt)"
says rows "for blocks of 256x1x1 (8 lanes, 4 at a time)"
says rows "; blocks of several rows by thread entries: threads of a warp"
says rows "(refused.cu:4); move the operation to where"
check "both entries, the same" [ "$(./refused)" = "$(CDP_ENTRY=thread ./refused)" ]

# A reason in one of CUDA's functions names the line of the call, not that of the header.
cat >lock.cu <<'CU'
__global__ void lock(int *taken, int *x) {
    while (atomicCAS(taken, 0, 1)) {
    }
    *x += 1;
    atomicExch(taken, 0);
}
CU
"$CDPCC" -O3 --entry=block --explain -c lock.cu -o lock.o 2>explained.txt ||
    fail compile_lock "$(cat explained.txt)"
says lock "thread entries: a loop in it waits for what other threads do (lock.cu:2, in atomicCAS);"

# Thousands of gathers would take minutes to compile.
{
    echo '__global__ void gathers(const int *at, short *x) {'
    echo '    int me = at[threadIdx.x];'
    for i in $(seq 1500); do echo "    x[me + $i * 7] = $i;"; done
    echo '}'
} >gathers.cu
"$CDPCC" -O3 --entry=block --explain -c gathers.cu -o gathers.o 2>explained.txt ||
    fail compile_gathers "$(cat explained.txt)"
says gathers "thread entries: it has too many gathers and scatters;"

# Contiguous accesses to shared memory need one register for all their addresses, other accesses one
# each.
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
/* Vectors of neighbouring rows share loads, which all are in registers at once. */
#define STENCIL(name, type)                                                              \
    __global__ void name(int n, const type *__restrict__ a, type *__restrict__ b) {       \
        int at = (blockIdx.y * 16 + threadIdx.y + 1) * n + blockIdx.x * 16 + threadIdx.x; \
        b[at] = a[at] + a[at + 1] + a[at + 2] + a[at + n] + a[at - n];                    \
    }
/* In a loop, more than a few rows of threads would evict each other's rows of memory. */
__global__ void visited(int n, const float *a, float *b) {
    int at = (blockIdx.y * 16 + threadIdx.y + 2) * n + blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int y = -2; y <= 2; y++)
        for (int x = 0; x < 5; x++) sum += a[at + y * n + x];
    b[at] = sum;
}
STENCIL(five_floats, float)
STENCIL(five_doubles, double)
void launch(int n, float *a, float *b, float *c, double *d) {
    five_floats<<<dim3(n, n), dim3(16, 16)>>>(n, a, b);
    five_doubles<<<dim3(n, n), dim3(16, 16)>>>(n, d, d + n);
    visited<<<dim3(n, n), dim3(16, 16)>>>(n, a, b);
    product<<<dim3(n, n), dim3(16, 16)>>>(n, a, b, c);
    tiles<<<1, dim3(16, 16)>>>(n, b, c);
}
CU
"$CDPCC" -O3 --entry=block --explain -march=x86-64-v4 -c rows.cu -o rows.o 2>explained.txt ||
    fail compile_rows "$(cat explained.txt)"
says product "for blocks of 16x16x1 (16 lanes, 8 at a time)"
says tiles "for blocks of 16x16x1 (16 lanes, 16 at a time)"
says visited "for blocks of 16x16x1 (16 lanes, 4 at a time)"
says five_floats "for blocks of 16x16x1 (16 lanes, 8 at a time)"
says five_doubles "for blocks of 16x16x1 (16 lanes, 4 at a time)"
finish
