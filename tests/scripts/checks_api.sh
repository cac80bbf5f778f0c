#!/usr/bin/env bash
# --check=api: errors that a program does not read, launches that it does not wait for.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/support/checks.bash
. "$top/tests/support/checks.bash"
kinds=api

cat >"$work/calls.cu" <<'CU'
#include <cstdio>
__constant__ float coef[4];
float host_coef[4];
int main()
{
    int *a;

    cudaMalloc(&a, 16);
    cudaMemcpyToSymbol(coef, host_coef, 100);
    cudaMemcpyToSymbol(host_coef, host_coef, 16);
    for (int i = 0; i < 3; i++) {
        cudaFree(a);
    }
}
CU
calls() {
    compile calls && run calls && findings 3 &&
        has "$work/text" "cudaMemcpyToSymbol(symbol = variable 'coef' of 16 bytes, src = host memory" \
            "(cudaErrorInvalidValue)" "  --> calls.cu:9:5, in main" \
            '     9 |     cudaMemcpyToSymbol(coef, host_coef, 100);' \
            "which is no device variable" "(cudaErrorInvalidSymbol)" "give the __device__" \
            "  --> calls.cu:12:9, in main" "it was freed already, at main (calls.cu:12" \
            "api at calls.cu:12:9: 1 more times" "cdp: 3 findings"
}
check "calls whose errors nobody reads are named with their arguments" calls

cat >"$work/copies.cu" <<'CU'
int main()
{
    int *d, h[25];
    cudaMalloc(&d, 100);
    cudaMemcpy(d, h, 100, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, h, 200, cudaMemcpyHostToDevice);
    cudaMemset(h, 0, 100);
}
CU
copies() {
    compile copies && run copies && findings 3 &&
        has "$work/text" "cudaMemcpy(dst = device memory 0x" ", src = host memory 0x" \
            ", count = 100, kind = cudaMemcpyDeviceToHost) failed" "copies.cu:5:5" \
            "memory: dst is 0 bytes into 100 bytes of device memory, allocated at main (copies.cu:4:5)" \
            "compare the size with both allocations" "count = 200" "cudaMemset(devPtr = host memory" \
            "host memory is set by memset()"
}
check "copies with a wrong kind or size" copies

cat >"$work/read.cu" <<'CU'
#include <cstdio>
__global__ void k() {}
static cudaError_t test(cudaError_t e) { return e; }
#define CHECK(call) if ((call) != cudaSuccess) puts("failed")
int main()
{
    int *a = nullptr;
    CHECK(cudaFree(&a));
    cudaError_t e = cudaFree(&a);
    test(cudaFree(&a));
    cudaFree(&a); // its error is read on the next line
    puts(cudaGetErrorName(cudaGetLastError()));
    k<<<1, 2000>>>();
    puts(cudaGetErrorName(cudaPeekAtLastError()));
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaStreamQuery(s);
    k<<<1, 1>>>();
    cudaStreamQuery(0);
    cudaDeviceSynchronize();
    return e == cudaSuccess;
}
CU
cat >"$work/first.cu" <<'CU'
int main()
{
    cudaMemPool_t pool;
    cudaMemPoolCreate(&pool, NULL);
}
CU
check "a call that is not supported, before any other" eval \
    'compile first && run first && findings 1 && has "$work/text" "cudaMemPoolCreate(" "first.cu:4:5, in main"'

check "errors that are read are no findings" eval 'compile read && run read && findings 0 && [ ! -s "$work/text" ]'

cat >"$work/launch.cu" <<'CU'
__global__ void __launch_bounds__(64) k(int *p) { p[threadIdx.x] = 1; }
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    k<<<1, 128>>>(p);
    k<<<1, 64, 100000>>>(p);
    k<<<0, 64>>>(p);
    k<<<1, 2048>>>(p);
    cudaFree(p);
}
CU
launches() {
    compile launch && run launch && findings 4 &&
        has "$work/text" "the launch k<<<(1,1,1), (128,1,1), 0>>> failed" "launch.cu:6:6, in main" \
            "__launch_bounds__ allows fewer" "cudaFuncAttributeMaxDynamicSharedMemorySize" \
            "a grid has at least 1 block" "at most 1024 threads"
}
check "launches that fail are named" launches

cat >"$work/function.cu" <<'CU'
__global__ void k(int *p) { *p = 1; }
int main()
{
    void *args[] = {nullptr};
    cudaLaunchKernel((const void *)k, dim3(1), dim3(5000), args, 0, 0);
    cudaFuncSetAttribute((const void *)main, cudaFuncAttributeMaxDynamicSharedMemorySize, 100);
}
CU
functions() {
    compile function && run function && findings 2 &&
        has "$work/text" "cudaLaunchKernel(func = k)" "function.cu:5:5" "which is no kernel, attr = 8, value = 100)"
}
check "kernels in arguments have their names" functions

cat >"$work/sticky.cu" <<'CU'
#include <cstdio>
__global__ void k(int *p) { *p = 1; }
int main()
{
    int *p, h = 0;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(nullptr);
    if (cudaDeviceSynchronize() != cudaSuccess) cudaGetLastError();
    k<<<1, 1>>>(p);
    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
}
CU
sticky() {
    compile sticky && run sticky && findings 1 &&
        has "$work/text" "the launch k<<<(1,1,1), (1,1,1), 0>>> did nothing, because earlier device code has failed" \
            "sticky.cu:9:6, in main" "(cudaErrorIllegalAddress)"
}
check "work that an earlier fault prevented is named once" sticky

cat >"$work/fault.cu" <<'CU'
__global__ void k(int *p) { *p = 1; }
int main()
{
    int *p;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
    cudaFree(p);
}
CU
check "after a fault, calls that wait or free are no findings" eval \
    'compile fault && run fault && findings 0 && has "$work/err" cudaErrorIllegalAddress'

cat >"$work/early.cu" <<'CU'
#include <cstdio>
__global__ void spin(volatile int *go) { while (!*go) {} }
int main()
{
    volatile int *go;
    cudaHostAlloc((void **)&go, 4, 0);
    *go = 0;
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    cudaEventRecord(a);
    spin<<<1, 1>>>((int *)go);
    cudaEventRecord(b);
    float ms = -1;
    cudaEventElapsedTime(&ms, a, b);
    *go = 1;
    cudaDeviceSynchronize();
    printf("%g\n", ms);
}
CU
early() {
    compile early && run early && findings 1 &&
        has "$work/text" "cudaEventElapsedTime(ms = " "came too early" "early.cu:15:5" \
            "cudaEventSynchronize() for the second event" "(cudaErrorNotReady)"
}
check "a time that is read before its event is named" early

cat >"$work/end.cu" <<'CU'
#include <cstdio>
#include <cstdlib>
__global__ void k() { printf("hello\n"); }
int main(int argc, char **argv)
{
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    k<<<1, 1>>>();
    if (argc > 1) exit(3);
}
CU
end_of_program() {
    compile end && run end && findings 1 &&
        has "$work/text" "has not waited for its launch of k" "end.cu:8:6" &&
        CDP_CHECK_EXIT=7 run end 7 && CDP_CHECK=leak,race run end && findings 0
}
check "a launch that the program does not wait for is named; CDP_CHECK_EXIT" end_of_program
check "a program without a launch at its end is silent" eval \
    'sed -i 8d "$work/end.cu" && compile end && run end && findings 0'

cat >"$work/managed.cu" <<'CU'
#include <cstdio>
__managed__ int x;
__global__ void k() { x = 3; }
int main()
{
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    cudaFree(&x);
    printf("%d\n", x);
}
CU
managed() {
    compile managed "$@" && run managed && findings 1 && has "$work/out" 3 &&
        has "$work/text" "the 4 bytes of managed variable 'x'"
}
check "with managed variables" managed
check "with managed variables and -g" managed -g

cat >"$work/part.cpp" <<'CPP'
#include <cuda_runtime.h>
void part()
{
    int x;
    cudaFree(&x);
}
CPP
cat >"$work/main.cu" <<'CU'
void part();
int main() { part(); }
CU
parts() {
    "$CDPCC" --check="$kinds" "$work/main.cu" "$work/part.cpp" -o "$work/main" && run main && findings 1 &&
        has "$work/text" "part.cpp:5:5, in part"
}
check "host code in C++" parts

cat >"$work/threads.cu" <<'CU'
#include <thread>
int main()
{
    int x;
    std::thread a([&] { cudaFree(&x); });
    a.join();
    std::thread b([&] {
        cudaFreeHost(&x);
        cudaGetLastError();
    });
    b.join();
    cudaGetLastError(); // of another thread
}
CU
threads() {
    compile threads && run threads && findings 1 && has "$work/text" "threads.cu:5:25"
}
check "each thread has errors of its own" threads

cat >"$work/many.cu" <<'CU'
#include <thread>
int main()
{
    int x;
    for (int i = 0; i < 40; i++) {
        std::thread([&] { cudaFree(&x); }).join();
    }
    std::thread([&] {
        cudaFreeHost(&x);
        cudaGetLastError();
    }).join();
}
CU
many() {
    compile many && run many && findings 1 &&
        has "$work/text" "many.cu:6:27" "api at many.cu:6:27: 39 more times"
}
check "many threads, one after the other" many

cat >"$work/reset.cu" <<'CU'
__global__ void k() {}
int main()
{
    k<<<1, 2000>>>();
    cudaDeviceReset();
}
CU
reset() {
    compile reset && run reset && findings 1 &&
        has "$work/text" "the launch k<<<(1,1,1), (2000,1,1), 0>>> failed" "reset.cu:4:6" &&
        CDP_CHECK=none run reset && has "$work/err" "the launch of k by 1x1x1 blocks of 2000x1x1 threads"
}
check "cudaDeviceReset does not read an error" reset

# A stream callback must not launch. The fault comes later, and is not the reason.
cat >"$work/callback.cu" <<'CU'
__global__ void k() {}
int main()
{
    cudaLaunchHostFunc(0, [](void *) { k<<<1, 1>>>(); }, nullptr);
    cudaDeviceSynchronize();
}
CU
callback() {
    compile callback && run callback && findings 1 &&
        has "$work/text" "failed, and the program does not read the error" "(cudaErrorNotPermitted)"
}
check "a launch in a callback is refused for its own reason" callback

cat >"$work/refused.cu" <<'CU'
#include <cstdio>
__global__ void k() {}
int main()
{
    k<<<1, 1, 0, (cudaStream_t)0x1234>>>();
    puts(cudaGetErrorName(cudaGetLastError()));
}
CU
check "a launch that was refused needs no wait" eval \
    'compile refused && run refused && findings 0 && has "$work/out" cudaErrorInvalidResourceHandle'

# The program's standard error is a terminal.
on_terminal() { # on_terminal NAME [VARIABLE=VALUE]
    local name=$1
    shift
    env "$@" python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$work/$name" >"$work/terminal"
}
colours() {
    local escape=$'\033['
    on_terminal copies && has "$work/terminal" "cdp: ${escape}1;31mapi" "${escape}1;32m^" &&
        on_terminal copies NO_COLOR=1 && has "$work/terminal" "cdp: api: cudaMemcpy(" &&
        ! grep -qF "$escape" "$work/terminal" && "$work/copies" 2>"$work/err" && ! grep -qF "$escape" "$work/err"
}
check "colours on a terminal, without NO_COLOR" colours

# Several of these have the same error.
cat >"$work/child.cu" <<'CU'
#include <cstdlib>
__global__ void child() {}
__global__ void __launch_bounds__(64) small() {}
__global__ void deep(int n) { if (n != 0) deep<<<1, 1>>>(n - 1); }
__global__ void waits(int n)
{
    if (n != 0) waits<<<1, 1>>>(n - 1);
    cudaDeviceSynchronize();
}
__device__ volatile int are_launched;
__global__ void first()
{
    while (are_launched == 0) {}
}
__global__ void parent(int what)
{
    switch (what) {
    case 0: child<<<1, 2048>>>(); break;
    case 1: child<<<1, dim3(1, 1, 65)>>>(); break;
    case 2: child<<<1, 0>>>(); break;
    case 3: small<<<1, 65>>>(); break;
    case 4: child<<<0, 1>>>(); break;
    case 5: child<<<dim3(1, 65536), 1>>>(); break;
    case 6: child<<<1, 1, 49 << 10>>>(); break;
    case 7: child<<<1, 1, 0, (cudaStream_t)100>>>(); break;
    case 8: deep<<<1, 1>>>(30); break;
    case 9: waits<<<1, 1>>>(3); break;
    case 10: /* none of them starts before all are launched */
        first<<<1, 1>>>();
        for (int i = 0; i < 3000; i++) child<<<1, 1>>>();
        are_launched = 1;
        break;
    }
}
int main(int, char **arguments)
{
    parent<<<1, 1>>>(atoi(arguments[1]));
    return cudaDeviceSynchronize() != cudaSuccess;
}
CU
child_launches() {
    local what=0 help
    compile child --cdp=1 || return 1
    while read -r help; do
        CDP_LAUNCH_POOL=fixed run child 0 "$what" && has "$work/text" "help: $help" || return 1
        what=$((what + 1))
    done <<'TEXT'
a block has at most 1024 threads: launch more blocks with fewer threads each
a block has at most 64 threads in z
a block has at least 1 thread in each dimension
the kernel's __launch_bounds__ allows fewer threads
a grid has at least 1 block in each dimension
a grid has at most 65535 blocks in y and in z
a kernel gets more than 48 KiB of shared memory only after the host's cudaFuncSetAttribute
a kernel launches into the NULL stream, into a stream that its own block created
grids nest at most 24 deep with CDP1
let the host call cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, n)
let the host call cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, n)
TEXT
}
check "launches by kernels that fail have a help that fits" child_launches

cat >"$work/unchecked.cu" <<'CU'
void part() {}
CU
unchecked() {
    "$CDPCC" -c "$work/unchecked.cu" -o "$work/unchecked.o" &&
        "$CDPCC" --check="$kinds" "$work/main.cu" "$work/unchecked.o" -o "$work/main" && run main &&
        has "$work/text" "1 of 2 object files of main were compiled without --check"
}
sed -i 's/{ part();/{ part(); cudaFree(0);/' "$work/main.cu"
check "objects without checks are counted" unchecked
finish
