#!/usr/bin/env bash
# The host API as a whole: every declared call is defined, docs/support.md is up to date, the public
# headers compile alone, libraries that are loaded late add their kernels.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
lib=$(dirname "$CDPCC")/../lib
cc=${CC:-clang-22}
cxx=${CXX:-clang++-22}

driver_calls() { # the symbols of cuda.h's functions
    sed -n 's/^CDP_DRIVER_FUNCTION(\w*, \(\w*\))$/\1/p' "$top/runtime/api/driver/functions.def"
}

every_call_is_defined() {
    nm -g --defined-only "$lib/libcdprt.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >defined
    sed 's://.*$::' "$top/compat/cuda_runtime_api.h" | tr '\n' ' ' | sed 's:/\*[^*]*\*/: :g' |
        grep -oE '\<(_*cuda|__cdp_)[A-Za-z0-9_]*\(' | tr -d '(' | sort -u >declared
    sed -n 's/^CDP_ABI([A-Za-z0-9_]*, \([A-Za-z0-9_]*\)).*/\1/p' "$top/runtime/abi/cdp_abi.def" |
        sort -u >>declared
    driver_calls >>declared
    sed -n 's/^__CDP_PER_THREAD[A-Z_]*(\w*, \(\w*_pt[sd][sz]\)).*/\1/p' "$top/compat/cdp/per_thread.h" >>declared
    [ "$(wc -l <declared)" -gt 250 ] || { echo "only $(wc -l <declared) declarations found"; return 1; }
    sort -u declared | comm -23 - defined >missing
    [ ! -s missing ] || { echo "not defined:"; cat missing; return 1; }
}

nothing_else_is_exported() {
    nm -D --defined-only "$lib/libcdprt.so" | awk '{ print $3 }' |
        grep -vE '^(cuda[A-Z]|nccl[A-Z]|__cuda|__cdp_|cdp_)' |
        grep -vxE 'sigaction|signal|bsd_signal|(__)?sysv_signal|sigset|sigignore' | # os/signals.h
        grep -vxE 'InitializeInjectionNvtx2(_fnptr)?' | # api/nvtx_injection.c
        grep -vxE '__sanitizer_cov_(load|store)(1|2|4|8|16)' | # check/host.c
        grep -vxFf <(driver_calls) >foreign
    [ ! -s foreign ] || { echo "exported:"; cat foreign; return 1; }
}

embedding_header_stands_alone() {
    cat >k.c <<'C'
#include "cdp/embed.h"
#include <ffi.h>
#include <stdio.h>
static void add(const float *a, const float *b, float *c)
{
    struct cdp_embed_index i;
    cdp_embed_index(&i);
    unsigned n = i.block.x * i.block_dim.x + i.thread.x;
    c[n] = a[n] + b[n];
}
int main(void)
{
    ffi_type *types[] = {&ffi_type_pointer, &ffi_type_pointer, &ffi_type_pointer};
    struct cdp_embed_kernel spec = {0};
    spec.name = "add";
    spec.function = (void (*)(void))add;
    spec.types = types;
    spec.type_count = 3;
    const void *kernel = cdp_embed_register(&spec);
    float *a, *b, *c;
    cudaMalloc((void **)&a, 4096);
    cudaMalloc((void **)&b, 4096);
    cudaMalloc((void **)&c, 4096);
    for (int i = 0; i < 1024; i++) {
        a[i] = (float)i;
        b[i] = 2 * (float)i;
    }
    void *args[] = {&a, &b, &c};
    dim3 grid = {8, 1, 1}, block = {128, 1, 1};
    cudaLaunchKernel(kernel, grid, block, args, 0, NULL);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s %g\n", cudaGetErrorName(error), (double)c[1023]);
    return 0;
}
C
    local libs=("$lib/libcdprt.a" -lffi -lpthread -lm)
    "$cc" -std=c11 -Wall -Wextra -Werror -I"$top/compat" k.c -o k "${libs[@]}" || return 1
    [ "$(./k)" = "cudaSuccess 3069" ] || { ./k; return 1; }
    cp k.c k.cpp
    "$cxx" -std=c++17 -Wall -Werror -I"$top/compat" k.cpp -o kpp "${libs[@]}" || return 1
    [ "$(./kpp)" = "cudaSuccess 3069" ]
}

libraries_loaded_late_bring_their_kernels() {
    local n
    for n in 1 2; do
        sed "s/@/$n/g" >"l$n.cu" <<'CU'
#include <cstdio>
__device__ int counter = @ * 10;
__device__ __noinline__ int helper(int x)
{
    __shared__ int s[100];
    s[threadIdx.x] = x;
    __syncthreads();
    return s[0] + @;
}
__global__ void same(int *p)
{
    int r = helper(5);
    if (threadIdx.x == 0) {
        *p = counter + r;
    }
}
extern "C" int run@()
{
    int *p, h = -1;
    cudaMalloc(&p, sizeof *p);
    same<<<1, 64>>>(p);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    return h;
}
CU
        "$CDPCC" -shared -Xcompiler -fPIC "l$n.cu" -o "libl$n.so" || return 1
    done
    cat >m.cu <<'CU'
#include <cstdio>
#include <dlfcn.h>
__global__ void first() {}
int main()
{
    first<<<1, 1>>>();
    cudaDeviceSynchronize();
    void *a = dlopen("./libl1.so", RTLD_NOW), *b = dlopen("./libl2.so", RTLD_NOW);
    if (!a || !b) {
        puts(dlerror());
        return 1;
    }
    printf("%d %d\n", ((int (*)())dlsym(a, "run1"))(), ((int (*)())dlsym(b, "run2"))());
}
CU
    "$CDPCC" -cudart shared m.cu -o m -ldl || return 1
    LD_LIBRARY_PATH=$lib ./m >m.out 2>&1
    [ "$(cat m.out)" = "16 27" ] || { cat m.out; return 1; }
}

per_thread_default_streams() {
    cat >p.cu <<'CU'
#include <cstdio>
__global__ void wait_for(volatile int *gate)
{
    while (*gate == 0) {
        __nanosleep(1000);
    }
}
int main()
{
    int *gate;
    cudaMallocHost(&gate, sizeof *gate);
    *gate = 0;
    wait_for<<<1, 1>>>(gate);
    cudaError_t own = cudaStreamQuery(cudaStreamPerThread), null = cudaStreamQuery(0);
    *gate = 1;
    printf("%s %s ", cudaGetErrorName(own), cudaGetErrorName(null));
    cudaGetLastError();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CU
    "$CDPCC" --default-stream per-thread p.cu -o p || return 1
    [ "$(./p)" = "cudaErrorNotReady cudaErrorNotReady cudaSuccess" ] || { ./p; return 1; }
    "$CDPCC" p.cu -o p || return 1
    [ "$(./p)" = "cudaSuccess cudaErrorNotReady cudaSuccess" ] || { ./p; return 1; }
}

cd "$work" || exit 2
check "every declared call is defined" every_call_is_defined
check "the library exports nothing else" nothing_else_is_exported
check "docs/support.md is up to date" "$top/tools/gen_support.sh" --check
check "the embedding header in C11 and C++17" embedding_header_stands_alone
check "libraries loaded late add their kernels" libraries_loaded_late_bring_their_kernels
check "per-thread default streams" per_thread_default_streams
finish
