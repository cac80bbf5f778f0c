#!/usr/bin/env bash
# The sanitizers find a kernel's mistakes and name its line.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 2

cat >global.cu <<'CU'
#include <cstdio>
__global__ void child(int *p, int n) {
    p[n + threadIdx.x] = 1; // line 3
}
__global__ void parent(int *p, int n) { child<<<1, 1>>>(p, n); }
int main(int argc, char **) {
    int *p;
    cudaMalloc(&p, 100 * sizeof(int));
    parent<<<1, 1>>>(p, argc > 1 ? 100 : 99);
    cudaDeviceSynchronize();
    puts("end");
}
CU
# 256 bytes are a multiple of the heap's granule: the next allocation must not begin there.
cat >neighbours.cu <<'CU'
#include <cstdio>
__global__ void kernel(int *p, int n) {
    p[n] = 1; // line 3
}
int main(int argc, char **) {
    int *first, *second;
    cudaMalloc(&first, 64 * sizeof(int));
    cudaMalloc(&second, 64 * sizeof(int));
    kernel<<<1, 1>>>(first, argc > 1 ? 64 : 63);
    cudaDeviceSynchronize();
    puts("end");
}
CU
cat >freed.cu <<'CU'
#include <cstdio>
__global__ void kernel(int *p) {
    *p = 1; // line 3
}
int main() {
    int *p;
    cudaMalloc(&p, 100 * sizeof(int));
    cudaFree(p);
    kernel<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    puts("end");
}
CU
cat >shared.cu <<'CU'
#include <cstdio>
__global__ void kernel(int n, int *out) {
    __shared__ int first[10];
    __shared__ int second[10];
    first[n] = 1; // line 5
    second[threadIdx.x] = n;
    __syncthreads();
    *out = first[0] + second[0];
}
int main(int argc, char **) {
    int *out;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1>>>(argc > 1 ? 10 : 9, out);
    cudaDeviceSynchronize();
    puts("end");
}
CU
cat >dynamic.cu <<'CU'
#include <cstdio>
__global__ void kernel(int n, int *out) {
    extern __shared__ int cells[];
    cells[n] = 1; // line 4
    __syncthreads();
    *out = cells[0];
}
int main(int argc, char **) {
    int *out;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1, 40>>>(argc > 1 ? 10 : 9, out);
    cudaDeviceSynchronize();
    puts("end");
}
CU
cat >local.cu <<'CU'
#include <cstdio>
__global__ void kernel(int n, int *out) {
    int cells[10];
    for (int i = 0; i <= n; i++) {
        cells[i] = i; // line 5
    }
    *out = cells[n / 2];
}
int main(int argc, char **) {
    int *out;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1>>>(argc > 1 ? 10 : 9, out);
    cudaDeviceSynchronize();
    puts("end");
}
CU
cat >variable.cu <<'CU'
#include <cstdio>
__device__ int cells[10];
__global__ void kernel(int n) {
    cells[n] = 1; // line 4
}
int main(int argc, char **) {
    kernel<<<1, 1>>>(argc > 1 ? 10 : 9);
    cudaDeviceSynchronize();
    puts("end");
}
CU
cat >undefined.cu <<'CU'
#include <cstdio>
__global__ void kernel(int n, int *out) {
    *out = 0x7fffffff + n; // line 3
}
int main(int argc, char **) {
    int *out;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1>>>(argc > 1 ? 1 : 0, out);
    cudaDeviceSynchronize();
    puts("end");
}
CU

# Block entries test the lanes of a vector together. Thread 100 alone makes the mistake.
cat >lanes.cu <<'CU'
#include <cstdio>
#include <cstdlib>
__device__ int table[128];
__global__ void contiguous(int *p, int bad) {
    if (threadIdx.x <= bad) p[threadIdx.x] = 1; // line 5
}
__global__ void indexed(const int *p, const int *index, int *out) {
    out[threadIdx.x] = p[index[threadIdx.x]]; // line 8
}
__global__ void loop(const int *p, int n, int *out) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[threadIdx.x + i]; // line 13
    }
    out[threadIdx.x] = sum;
}
__global__ void shared(int bad, int *out) {
    __shared__ int s[128];
    __shared__ int t[128];
    s[threadIdx.x] = t[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x == 100 ? bad : 0] + t[threadIdx.x]; // line 22
}
__global__ void variable(int bad, int *out) {
    out[threadIdx.x] = table[threadIdx.x == 100 ? bad : 0]; // line 25
}
__global__ void local(int bad, int *out) {
    int cells[16];
    for (int i = 0; i < 16; i++) cells[i] = i;
    cells[threadIdx.x == 100 ? bad : (bad + threadIdx.x) % 16] = 1; // line 30
    out[threadIdx.x] = cells[threadIdx.x % 16];
}
__global__ void filled(int n, int *out) {
    unsigned char bytes[32];
    for (int i = 0; i < (threadIdx.x == 100 ? n : 32); i++) bytes[i] = i; // line 35
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += bytes[(i * 7 + threadIdx.x) % 32];
    out[threadIdx.x] = sum;
}
__global__ void small(const int *in, int last, int *out) {
    int window[4];
    for (int i = 0; i < 4; i++) window[i] = in[threadIdx.x % 90 + i];
    for (int i = 0; i < 4; i++) {
        if (threadIdx.x == 100 && i == 2) window[i * 2 + last] = 0; // line 44
        else window[i] += i;
    }
    out[threadIdx.x] = window[0] + window[1] + window[2] + window[3];
}
__global__ void below(int back, int *out) {
    __shared__ int first[128];
    __shared__ int second[128];
    first[threadIdx.x] = second[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x >= 100) out[threadIdx.x] = second[(int)threadIdx.x - back] + first[0]; // line 54
}
__global__ void table_loop(int n, int *out) {
    int sum = 0;
    if (threadIdx.x >= 64) {
        for (int i = 0; i < n; i++) sum += table[threadIdx.x + i]; // line 59
    }
    out[threadIdx.x] = sum;
}
__device__ __noinline__ void set(int *p, int i) { p[i] = i; } // line 63
__global__ void passed(int last, int *out) {
    int cells[16] = {};
    set(cells, threadIdx.x == 100 ? last : threadIdx.x % 16);
    out[threadIdx.x] = cells[threadIdx.x % 7];
}
int main(int argc, char **argv) {
    int *p, *index, *out, kind = atoi(argv[1]);
    bool is_bad = argc > 2;
    cudaMalloc(&p, 100 * sizeof(int));
    cudaMalloc(&out, 128 * sizeof(int));
    cudaMallocManaged(&index, 128 * sizeof(int));
    for (int i = 0; i < 128; i++) index[i] = i == 100 && is_bad ? 100 : i % 100;
    switch (kind) {
    case 0: contiguous<<<1, 128>>>(p, is_bad ? 100 : 99); break;
    case 1: indexed<<<1, 128>>>(p, index, out); break;
    case 2: loop<<<1, 128>>>(out, 1, out); loop<<<1, 64>>>(p, is_bad ? 38 : 37, out); break;
    case 3: shared<<<1, 128>>>(is_bad ? 130 : 0, out); break;
    case 4: variable<<<1, 128>>>(is_bad ? 130 : 0, out); break;
    case 5: local<<<1, 128>>>(is_bad ? 17 : 0, out); break;
    case 6: filled<<<1, 128>>>(is_bad ? 33 : 32, out); break;
    case 7: small<<<1, 128>>>(p, is_bad ? 0 : -1, out); break;
    case 8: below<<<1, 128>>>(is_bad ? 101 : 100, out); break;
    case 9: table_loop<<<1, 128>>>(is_bad ? 2 : 1, out); break;
    case 10: passed<<<1, 128>>>(is_bad ? 16 : 15, out); break;
    }
    cudaDeviceSynchronize();
    puts("end");
}
CU

# finds SANITIZER NAME LINE WHAT [FLAGS]: silent without an argument, a report with one.
finds() {
    local program=$2.$1
    "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} ${5:--O1} -g "-fsanitize=$1" "$2.cu" -o "$program" || return 1
    if [ "$2" != freed ]; then
        ./"$program" >out 2>&1 && ! grep -qE 'Sanitizer|runtime error' out || { cat out; return 1; }
    fi
    limit 60 ./"$program" wrong >out 2>&1
    says out "$4" "$2\.cu:$3\b"
}
check "address: overrun of cudaMalloc memory in a child" finds address global 3 'AddressSanitizer'
check "address: overrun of one of two neighbours" finds address neighbours 3 'AddressSanitizer'
check "address: use of freed device memory" finds address freed 3 'AddressSanitizer'
check "address: overrun of a shared array" finds address shared 5 'AddressSanitizer'
check "address: overrun of dynamic shared memory" finds address dynamic 4 'AddressSanitizer'
check "address: overrun of a local array" finds address local 5 'AddressSanitizer: (stack|dynamic)'
check "address: overrun of a device variable" finds address variable 4 'AddressSanitizer: global-buffer-overflow'
check "address: with -G too" finds address global 3 'AddressSanitizer' -G
check "address: shared arrays with -G" finds address shared 5 'AddressSanitizer' -G
head_of_a_report() {
    "$CDPCC" -O1 -g -fsanitize=address global.cu -o head || return 1
    limit 60 ./head wrong >out 2>&1
    says out '^cdp:   in kernel child, block \(0,0,0\), thread \(0,0,0\)$' \
        '^cdp:   child was launched by block \(0,0,0\) at parent \(.*global\.cu:5' \
        '^cdp:   address 0x[0-9a-f]* is 0 bytes past the end of 400 bytes of device memory, allocated at main \(.*global\.cu:8'
}
check "address: a report begins with kernel, block, thread, launches and allocation" head_of_a_report
has_block_entries() {
    CDP_STATS=1 ./lanes "$1" >out 2>&1 && says out ' [12] blocks ran by block entries'
}
find_lane() { # find_lane KIND LINE THREAD [MORE]
    ./lanes "$1" >out 2>&1 && ! grep -q Sanitizer out || { cat out; return 1; }
    limit 60 ./lanes "$1" bad >out 2>&1
    says out 'AddressSanitizer: ' "SUMMARY: .*lanes\.cu:$2\b" "^cdp:   in kernel [a-z_]*, block \(0,0,0\), thread \($3,0,0\)" "${@:4}"
}
# Lines by -g leave block entries, too.
for lines in -lineinfo -g; do
    check "address: lanes of block entries: it compiles with $lines" \
        "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} -O2 $lines -fsanitize=address lanes.cu -o lanes
    for kind in 0 1 2 3 4 5 6 7 8 9; do
        check "address: lanes of block entries, $lines: case $kind has one" has_block_entries "$kind"
    done
    check "address: $lines: a lane overruns an array" find_lane 0 5 100
    check "address: $lines: a lane reads beyond an array by an index" find_lane 1 8 100
    check "address: $lines: a lane reads beyond an array in a loop" find_lane 2 13 63
    check "address: $lines: a lane overruns a shared array" find_lane 3 22 100 \
        "^cdp:   the access is 8 bytes past the end of shared variable 's' \(512 bytes\)"
    check "address: $lines: a lane overruns a device variable" find_lane 4 25 100 \
        "^cdp:   the access is 8 bytes past the end of variable 'table'"
    check "address: $lines: a lane overruns a local array" find_lane 5 30 100 stack-buffer-overflow \
        "^cdp:   the access is 4 bytes past the end of variable 'cells' \(64 bytes\)" \
        "'cells' <== Memory access at offset 100 overflows this variable"
    check "address: $lines: a lane overruns a local array of bytes in a loop" find_lane 6 35 100 \
        "^cdp:   the access is 0 bytes past the end of variable 'bytes' \(32 bytes\)"
    check "address: $lines: a lane overruns a local array whose loops are unrolled" find_lane 7 44 100 \
        "^cdp:   the access is 0 bytes past the end of variable 'window' \(16 bytes\)"
    check "address: $lines: a lane reads before a shared array" find_lane 8 54 100 \
        "^cdp:   the access is 4 bytes before the start of shared variable 'second'"
    check "address: $lines: lanes read beyond a device variable in a loop" find_lane 9 59 127 \
        "^cdp:   the access is 0 bytes past the end of variable 'table'"
    check "address: $lines: a function overruns a local array of its caller" find_lane 10 63 100
done
# A vector without an active lane has no address that could be tested.
idle_vectors() {
    local test=$top/tests/cu/block_entries_volatile_within_warps
    "$CDPCC" ${CDP_TEST_LINKER:+"$CDP_TEST_LINKER"} -O2 -fsanitize=address "$test.cu" -o idle || return 1
    limit 60 ./idle >out 2>&1
    diff "$test.expect" out
}
check "address: nothing is reported of vectors whose lanes are not active" idle_vectors
# Functions that run on fibers would look for memory for their variables on each fiber: most of a run.
no_fake_stacks() {
    local library
    library=$(dirname "$CDPCC")/../lib/libcdprt_asan.a
    nm "$library" >symbols && grep -q ' U __asan_report_load8$' symbols && ! grep __asan_stack_malloc symbols
}
check "address: the runtime's own functions have no fake stacks" no_fake_stacks
check "undefined: signed overflow" finds undefined undefined 3 'runtime error: signed integer overflow'
finish
