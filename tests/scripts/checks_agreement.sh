#!/usr/bin/env bash
# Checked programs: what a run relied on and hardware does not guarantee, and errors of launches and
# waits in kernels.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/support/checks.bash
. "$top/tests/support/checks.bash"
kinds=api

cat >"$work/depth.cu" <<'CU'
__global__ void deep(int n)
{
    if (n > 0) deep<<<1, 1>>>(n - 1);
}
int main(int argc, char **)
{
    deep<<<1, 1>>>(argc > 1 ? 25 : 24);
    cudaDeviceSynchronize();
}
CU
depth() {
    compile depth && run depth 0 more && findings 0 &&
        has "$work/text" "would a GPU agree?" "grids were nested 25 deep, reached by the launch at deep (depth.cu:3:16): hardware has 24 levels" &&
        has "$work/json" '{"check": "remark", "title": "would a GPU agree?' && run depth && is_silent
}
is_silent() { [ ! -s "$work/text" ] || { cat "$work/text"; return 1; }; }
check "depth; silent if there is nothing to say" depth
check "no remark if all checks are off" eval 'CDP_CHECK=none run depth 0 more && is_silent'

cat >"$work/pending.cu" <<'CU'
#include <cstdlib>
__global__ void child() {}
__global__ void parent(int n)
{
    for (int i = 0; i < n; i++) child<<<1, 1>>>();
}
int main(int argc, char **argv)
{
    if (argc > 2) cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, atoi(argv[2]));
    parent<<<1, 1>>>(atoi(argv[1]));
    cudaDeviceSynchronize();
}
CU
# One worker runs the parent to its end before the children.
pending() {
    export CDP_WORKERS=1
    compile pending && run pending 0 3000 &&
        has "$work/text" "3000 launches by kernels were pending at once, reached by the launch at parent (pending.cu:5:33): hardware has space for 2048" &&
        run pending 0 2000 && is_silent && run pending 0 3000 4000 && is_silent
    local status=$?
    unset CDP_WORKERS
    return $status
}
check "pending launches" pending

cat >"$work/shared.cu" <<'CU'
__global__ void big()
{
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
}
int main()
{
    cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 120000);
    big<<<1, 1, 120000>>>();
    cudaDeviceSynchronize();
}
CU
shared() {
    compile shared -arch=sm_86 && run shared &&
        has "$work/text" "a block of big got 120000 bytes of shared memory: sm_86 has at most 101376" &&
        compile shared -arch=sm_80 && run shared && is_silent
}
check "shared memory by architecture" shared

cat >"$work/generations.cu" <<'CU'
__global__ void child() {}
__global__ void parent()
{
    child<<<1, 1, 0, cudaStreamTailLaunch>>>();
    child<<<1, 1>>>();
    cudaDeviceSynchronize();
}
int main()
{
    parent<<<1, 1>>>();
    cudaDeviceSynchronize();
}
CU
generations() {
    compile generations -Wno-cdp-generation && run generations &&
        has "$work/text" "no generation of CUDA has both"
}
check "both generations of dynamic parallelism" generations

cat >"$work/recursion.cu" <<'CU'
#include <cstdlib>
__device__ __noinline__ int fib(int n)
{
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
}
__device__ int odd(const int *p, int n);
__device__ __noinline__ int even(const int *p, int n)
{
    return n == 0 ? p[0] : odd(p, n - 1) ^ p[n & 1];
}
__device__ __noinline__ int odd(const int *p, int n)
{
    return n == 0 ? p[1] : even(p, n - 1) ^ p[n & 1];
}
__device__ __noinline__ int arrays(const int *p, int n)
{
    int a[30] = {p[0]};
    if (n == 0) return p[1];
    a[n % 30] = n;
    return arrays(a, n - 1) ^ a[p[0]];
}
__device__ int last(const int *p, int n)
{
    return n == 0 ? p[1] : last(p + (n & 1), n - 1);
}
__global__ void kernel(int *p, int which, int n)
{
    p[2] = which == 0 ? fib(n) : which == 1 ? even(p, n) : which == 2 ? arrays(p, n) : last(p, n);
}
int main(int argc, char **argv)
{
    int *p;
    cudaMallocManaged(&p, 1 << 20);
    p[0] = p[1] = 0;
    if (argc > 3) cudaDeviceSetLimit(cudaLimitStackSize, atoi(argv[3]));
    kernel<<<1, 1>>>(p, atoi(argv[1]), atoi(argv[2]));
    cudaDeviceSynchronize();
    cudaFree(p);
}
CU
needs() { has "$work/text" "a recursion needs at least $1 bytes of a GPU's stack, in kernel kernel (recursion.cu:$2)"; }
# A return address has 8 bytes: 128 levels are the least that use 1024 bytes.
recursion() {
    kinds=memory compile recursion && run recursion 0 0 20 && is_silent && run recursion 0 1 128 && is_silent &&
        run recursion 0 1 129 && needs 1032 10:28 && run recursion 0 1 129 2048 && is_silent &&
        run recursion 0 2 8 && is_silent && run recursion 0 2 9 && needs 1152 21:12 &&
        run recursion 0 3 10000 && is_silent
}
check "recursions that need more than cudaLimitStackSize" recursion

cat >"$work/host.cu" <<'CU'
__device__ int of_device[4];
int of_host[4];
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main(int argc, char **)
{
    int *managed, local[4];
    cudaMallocManaged(&managed, sizeof local);
    fill<<<1, 4>>>(argc == 1 ? managed : argc == 2 ? of_host : argc == 3 ? local : new int[4]);
    cudaDeviceSynchronize();
    cudaFree(managed);
    return of_host[0] - (argc == 2);
}
CU
# Without the check of memory the accesses succeed.
host_memory() {
    kinds=memory,api compile host || return 1
    export CDP_CHECK=api
    local more status=0
    run host && is_silent || status=1
    for more in 1 "1 2" "1 2 3"; do
        # shellcheck disable=SC2086
        run host 0 $more && findings 0 &&
            has "$work/text" "host memory that is neither pinned, registered nor managed was accessed, in kernel fill (host.cu:3:47)" || status=1
    done
    unset CDP_CHECK
    return $status
}
check "host memory in kernels" host_memory

cat >"$work/race.cu" <<'CU'
__global__ void add(int *p) { *p += threadIdx.x; }
int main(int argc, char **)
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    *p = 0;
    add<<<1, argc>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
}
CU
race() {
    kinds=race compile race && run race && is_silent && run race 0 more && findings 1 &&
        has "$work/text" "an order that nothing fixes: 1 finding of race; results may depend on it"
}
check "an order that nothing fixes" race

cat >"$work/sync.cu" <<'CU'
__global__ void rec(int n)
{
    if (n == 0) return;
    rec<<<1, 1>>>(n - 1);
    cudaDeviceSynchronize();
}
int main(int argc, char **)
{
    if (argc > 1) cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 5);
    rec<<<1, 1>>>(4);
    cudaDeviceSynchronize();
}
CU
sync_depth() {
    compile sync && run sync && findings 1 &&
        has "$work/text" "cudaDeviceSynchronize() does not wait: the grid is nested 2 deep" "sync.cu:5:5, in kernel rec" \
            "(cudaErrorSyncDepthExceeded)" "launched: rec by kernel rec, block (0,0,0) at sync.cu:4:5" \
            "rec by the host at sync.cu:10:8" &&
        run sync 0 more && findings 0
}
check "waits beyond cudaLimitDevRuntimeSyncDepth" sync_depth

cat >"$work/child.cu" <<'CU'
__global__ void child() {}
__global__ void parent(bool reads)
{
    child<<<1, 2000>>>();
    __syncthreads();
    child<<<1, 1>>>();
    if (reads) cudaGetLastError();
}
int main(int argc, char **)
{
    parent<<<1, 2>>>(argc > 1);
    cudaDeviceSynchronize();
}
CU
children() {
    compile child && run child && findings 1 &&
        has "$work/text" "a launch failed, and the thread does not read the error" "child.cu:4:5, in kernel parent" \
            "(cudaErrorInvalidConfiguration)" "launched: parent by the host at child.cu:11:11" \
            "'break child.cu:4 if threadIdx.x == " &&
        run child 0 more && findings 0
}
check "launches by kernels that fail" children
finish
