#!/usr/bin/env bash
# S22: what does not exist in device code fails to compile there, with its name.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
cd "$work" || exit 2
cat >prelude.h <<'CU'
struct Context {
    cudaStream_t s;
    cudaEvent_t e;
    int *p;
    void *v;
    size_t n, m;
    float f;
    int i;
    cudaDeviceProp prop;
    cudaPointerAttributes pa;
};
__device__ int symbol;
__global__ void nop() {}
CU
refuses() { # refuses FUNCTION EXPRESSION
    printf '#include "prelude.h"\n__global__ void kernel(Context *c) { %s; }\nint main() {}\n' "$2" >"$1.cu"
    if "$CDPCC" -c "$1.cu" -o "$1.o" >log 2>&1; then
        echo "compiles"
        return 1
    fi
    says log "$1\.cu:2:[0-9]+: error: .*$1"
}
while read -r function expression; do
    check "absent: $function" refuses "$function" "$expression"
done <<'LIST'
cudaStreamCreate cudaStreamCreate(&c->s)
cudaStreamSynchronize cudaStreamSynchronize(c->s)
cudaStreamQuery cudaStreamQuery(c->s)
cudaEventSynchronize cudaEventSynchronize(c->e)
cudaEventQuery cudaEventQuery(c->e)
cudaEventElapsedTime cudaEventElapsedTime(&c->f, c->e, c->e)
cudaEventCreate cudaEventCreate(&c->e)
cudaSetDevice cudaSetDevice(0)
cudaGetDeviceProperties cudaGetDeviceProperties(&c->prop, 0)
cudaMemcpy cudaMemcpy(c->p, c->p, 4, cudaMemcpyDeviceToDevice)
cudaMemset cudaMemset(c->p, 0, 4)
cudaMallocManaged cudaMallocManaged(&c->p, 4)
cudaMallocHost cudaMallocHost(&c->p, 4)
cudaMallocAsync cudaMallocAsync(&c->p, 4, c->s)
cudaMallocPitch cudaMallocPitch(&c->p, &c->n, 4, 4)
cudaHostAlloc cudaHostAlloc(&c->p, 4, 0)
cudaPointerGetAttributes cudaPointerGetAttributes(&c->pa, c->p)
cudaMemGetInfo cudaMemGetInfo(&c->n, &c->m)
cudaFuncSetAttribute cudaFuncSetAttribute(nop, cudaFuncAttributeMaxDynamicSharedMemorySize, 4)
cudaLaunchKernel cudaLaunchKernel((const void *)nop, dim3(1), dim3(1), nullptr, 0, 0)
cudaDeviceReset cudaDeviceReset()
cudaMemcpyToSymbol cudaMemcpyToSymbol(symbol, c->p, 4)
cudaMemcpyFromSymbol cudaMemcpyFromSymbol(c->p, symbol, 4)
cudaGetSymbolAddress cudaGetSymbolAddress(&c->v, symbol)
cudaDeviceSetLimit cudaDeviceSetLimit(cudaLimitStackSize, 1024)
LIST
finish
