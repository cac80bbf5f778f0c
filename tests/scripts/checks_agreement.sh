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
