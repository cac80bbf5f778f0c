#!/usr/bin/env bash
# Calls that do not exist in device code fail to compile there. The message names the function and
# says what to use instead. The same calls compile in host code.
# rules: S22 S57
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 2

# FUNCTION | what the message must say | EXPRESSION
cat >list <<'LIST'
cudaStreamCreate|cudaStreamCreateWithFlags|cudaStreamCreate(&c->s)
cudaStreamCreateWithPriority|cudaStreamCreateWithFlags|cudaStreamCreateWithPriority(&c->s, 0, 0)
cudaStreamSynchronize|streams order device work|cudaStreamSynchronize(c->s)
cudaStreamQuery|streams order device work|cudaStreamQuery(c->s)
cudaEventCreate|cudaEventCreateWithFlags|cudaEventCreate(&c->e)
cudaEventSynchronize|cudaStreamWaitEvent|cudaEventSynchronize(c->e)
cudaEventQuery|cudaStreamWaitEvent|cudaEventQuery(c->e)
cudaEventElapsedTime|clock64|cudaEventElapsedTime(&c->f, c->e, c->e)
cudaSetDevice|stays on its device|cudaSetDevice(0)
cudaGetDeviceProperties|cudaDeviceGetAttribute|cudaGetDeviceProperties(&c->prop, 0)
cudaDeviceSetLimit|on the host|cudaDeviceSetLimit(cudaLimitStackSize, 1024)
cudaDeviceSetCacheConfig|on the host|cudaDeviceSetCacheConfig(cudaFuncCachePreferNone)
cudaDeviceReset|on the host|cudaDeviceReset()
cudaDeviceGetP2PAttribute|on the host|cudaDeviceGetP2PAttribute(&c->i, cudaDevP2PAttrPerformanceRank, 0, 0)
cudaDriverGetVersion|cudaRuntimeGetVersion|cudaDriverGetVersion(&c->i)
cudaFuncSetAttribute|on the host|cudaFuncSetAttribute(nop, cudaFuncAttributeMaxDynamicSharedMemorySize, 4)
cudaFuncSetCacheConfig|on the host|cudaFuncSetCacheConfig(nop, cudaFuncCachePreferNone)
cudaMemcpy|cudaMemcpyAsync|cudaMemcpy(c->p, c->p, 4, cudaMemcpyDeviceToDevice)
cudaMemcpy2D|cudaMemcpy2DAsync|cudaMemcpy2D(c->p, 4, c->p, 4, 4, 1, cudaMemcpyDeviceToDevice)
cudaMemset|cudaMemsetAsync|cudaMemset(c->p, 0, 4)
cudaMemset2D|cudaMemset2DAsync|cudaMemset2D(c->p, 4, 0, 4, 1)
cudaMemcpyToSymbol|assign to the variable|cudaMemcpyToSymbol(symbol, c->p, 4)
cudaMemcpyFromSymbol|read the variable|cudaMemcpyFromSymbol(c->p, symbol, 4)
cudaGetSymbolAddress|&variable|cudaGetSymbolAddress(&c->v, symbol)
cudaGetSymbolSize|sizeof|cudaGetSymbolSize(&c->n, symbol)
cudaMallocManaged|cudaMalloc or malloc|cudaMallocManaged(&c->p, 4)
cudaMallocHost|cudaMalloc or malloc|cudaMallocHost(&c->p, 4)
cudaHostAlloc|cudaMalloc or malloc|cudaHostAlloc(&c->p, 4, 0)
cudaMallocAsync|cudaMalloc or malloc|cudaMallocAsync(&c->p, 4, c->s)
cudaMallocPitch|cudaMalloc and compute the pitch|cudaMallocPitch(&c->p, &c->n, 4, 4)
cudaFreeHost|on the host|cudaFreeHost(c->p)
cudaFreeAsync|use cudaFree|cudaFreeAsync(c->p, c->s)
cudaCreateTextureObject|on the host|cudaCreateTextureObject(&c->texture, &c->resource, nullptr, nullptr)
cudaDestroyTextureObject|on the host|cudaDestroyTextureObject(c->texture)
cudaCreateSurfaceObject|on the host|cudaCreateSurfaceObject(&c->surface, &c->resource)
cudaDestroySurfaceObject|on the host|cudaDestroySurfaceObject(c->surface)
cudaLaunchKernel|<<<grid, block, shared, stream>>>|cudaLaunchKernel((const void *)nop, dim3(1), dim3(1), nullptr, 0, 0)
cudaLaunchKernelEx|<<<grid, block, shared, stream>>>|cudaLaunchKernelEx(&c->launch, nop)
cudaLaunchCooperativeKernel|<<<grid, block, shared, stream>>>|cudaLaunchCooperativeKernel(nop, dim3(1), dim3(1), nullptr)
cudaPointerGetAttributes|__isGlobal|cudaPointerGetAttributes(&c->pa, c->p)
cudaMemGetInfo|on the host|cudaMemGetInfo(&c->n, &c->m)
cudaThreadSynchronize|cudaDeviceSynchronize|cudaThreadSynchronize()
LIST

# program SIDE: one function for each entry, each on a line of its own.
program() {
    cat <<'CU'
struct Context {
    cudaStream_t s; cudaEvent_t e; int *p; void *v; size_t n, m; float f; int i;
    cudaDeviceProp prop; cudaPointerAttributes pa; cudaLaunchConfig_t launch;
    cudaTextureObject_t texture; cudaSurfaceObject_t surface; cudaResourceDesc resource;
};
__device__ int symbol;
__global__ void nop() {}
CU
    awk -F'|' -v side="$1" '{ printf "%s void call%d(Context *c) { %s; }\n", side, NR, $3 }' list
    echo 'int main() {}'
}
program __device__ >device.cu
program __host__ >host.cu
"$CDPCC" -ferror-limit=0 -c device.cu -o device.o >device.log 2>&1
status=$?

fails_with_status_1() { [ $status -eq 1 ] || { echo "status $status"; cat device.log; return 1; }; }
compiles_on_the_host() { "$CDPCC" -c host.cu -o host.o; }
check "device code with calls that do not exist does not compile" fails_with_status_1
check "the same calls in host code compile" compiles_on_the_host

# The error of a line, and its notes.
messages_of() { awk -v at="^device\\\\.cu:$1:" '/^device\.cu:[0-9]+:[0-9]+: error/ { on = $0 ~ at } on' device.log; }
refuses() { # refuses FUNCTION HINT LINE
    messages_of "$3" >messages
    says messages "^device\.cu:$3:[0-9]+: error: .*\<$1\>" && grep -F -- "$2" messages
}
line=$(grep -n 'call1(' device.cu | cut -d: -f1)
while IFS='|' read -r function hint _; do
    check "absent: $function" refuses "$function" "$hint" "$line"
    line=$((line + 1))
done <list
finish
