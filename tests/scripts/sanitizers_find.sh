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
check "undefined: signed overflow" finds undefined undefined 3 'runtime error: signed integer overflow'
finish
