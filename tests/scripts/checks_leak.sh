#!/usr/bin/env bash
# --check=leak: memory and objects that are never freed, by the place that made them.
# shellcheck source=tests/scripts/common.sh
. "$(dirname "$0")/common.sh"
# shellcheck source=tests/support/checks.bash
. "$top/tests/support/checks.bash"
kinds=leak

cat >"$work/all.cu" <<'CU'
#include <cstdlib>
__global__ void k(int **out) { *out = (int *)malloc(40); }
int main(int argc, char **)
{
    int *a, *b, **c;
    for (int i = 0; i < 3; i++)
        cudaMalloc(&a, 1000);
    cudaFree(a);
    cudaMallocHost(&b, 77);
    cudaMallocManaged(&c, 8);
    k<<<1, 1>>>(c);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaEventDestroy(e);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &d, 10, 10);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc t = {};
    cudaTextureObject_t o;
    cudaCreateTextureObject(&o, &r, &t, nullptr);
    cudaSurfaceObject_t u;
    cudaCreateSurfaceObject(&u, &r);
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaFree(c);
    if (argc > 1) cudaDeviceReset();
}
CU
leaks() {
    compile all "$@" && run all && findings 10 && is_alike &&
        run all 0 x && findings 10 && is_alike
}
is_alike() {
    has "$work/text" "2000 bytes of device memory, in 2 allocations, are never freed" "all.cu:7:9, in main" \
        "77 bytes of pinned host memory" "all.cu:9:5" "40 bytes of the device heap" "all.cu:2:46, in k" \
        "1 stream is never destroyed" "all.cu:13:5" "1 event is never" "all.cu:17:5" \
        "1 CUDA array is never" "all.cu:20:5" "1 texture object" "all.cu:26:5" "1 surface object" \
        "all.cu:28:5" "1 graph is never destroyed" "all.cu:30:5" "1 executable graph is never" \
        "all.cu:32:5" "call cudaStreamDestroy()"
}
check "all kinds, at the end and by cudaDeviceReset" leaks
check "the same with -g" leaks -g

cat >"$work/none.cu" <<'CU'
#include <vector>
#include <cstdlib>
struct buffer {
    int *memory = nullptr;
    cudaStream_t stream = 0;
    ~buffer()
    {
        cudaFree(memory);
        if (stream) cudaStreamDestroy(stream);
    }
};
static std::vector<buffer> buffers;
__managed__ int counter;
__device__ int data[100];
__global__ void k() { free(malloc(10)); }
int main()
{
    buffers.resize(2);
    cudaMalloc(&buffers[0].memory, 100);
    cudaMallocManaged(&buffers[1].memory, 100);
    cudaStreamCreate(&buffers[1].stream);
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaEventDestroy(e);
    int *p, *q;
    cudaMallocAsync(&p, 100, 0);
    cudaMalloc(&q, 100);
    k<<<1, 1>>>();
    cudaFreeAsync(p, 0);
    cudaFreeAsync(q, 0);
    cudaHostAlloc(&p, 100, 0);
    cudaFreeHost(p);
}
CU
check "what destructors of global objects free is no leak" eval 'compile none && run none && findings 0'

cat >"$work/fault.cu" <<'CU'
__global__ void k(int *p) { *p = 1; }
int main()
{
    int *p;
    cudaMalloc(&p, 4);
    k<<<1, 1>>>(nullptr);
    cudaFree(p);
}
CU
check "after a fault nothing is reported: nothing can be freed" eval 'compile fault && run fault && findings 0'

cat >"$work/reset.cu" <<'CU'
__global__ void k(int *p) { *p = 1; }
int main()
{
    cudaStream_t s;
    cudaEvent_t e;
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    k<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
    cudaDeviceReset();
    cudaEventCreate(&e);
}
CU
reset() {
    compile reset && run reset && findings 1 && has "$work/text" "1 event is never destroyed" "reset.cu:11:5"
}
check "after a fault, cudaDeviceReset frees everything" reset
finish
