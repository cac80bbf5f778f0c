// cdpcc: --check=memory
// stderr: cdp: memory: write of 4 bytes outside of a local variable \(cudaErrorIllegalAddress\)
// stderr: check_memory_local_array_of_a_caller.cu:19:14, in fill, kernel k, block \(1,0,0\), thread \(0,0,0\)
// stderr: memory: local variable 'a' \(32 bytes\); the access is 0 bytes after its end
// stderr: check_memory_local_array_of_a_caller.cu:24:12, in at, kernel k, block \(1,0,0\), thread \(0,0,0\)
// stderr: memory: local variable 'b' \(16 bytes\); the access is 4 bytes before its start
// stderr: check_memory_local_array_of_a_caller.cu:33:25, in recurse, kernel k, block \(1,0,0\), thread \(0,0,0\)
// stderr: memory: local variable 'own' \(8 bytes\); the access is 0 bytes after its end
// stderr: check_memory_local_array_of_a_caller.cu:44:16, in by_member, kernel k, block \(1,0,0\), thread \(0,0,0\)
// stderr: memory: local variable 'inner' \(12 bytes\); the access is 8 bytes after its end
// The array is in the frame of a function that is not inlined into the one that accesses it.
#include <cstdio>

enum { FILL, BEFORE, RECURSION, MEMBER, KINDS };

__device__ __noinline__ void fill(int *p, int n)
{
    for (int i = 0; i <= n; i++) {
        p[i] = i;
    }
}
__device__ __noinline__ int at(const int *p, int i)
{
    return p[i];
}
__device__ __noinline__ int recurse(const int *outer, int depth, int index)
{
    int own[2] = {depth, 2 * depth};
    if (depth > 0) {
        return own[1] + recurse(own, depth - 1, index) + at(outer, 1);
    }
    /* of the caller */
    return at(own, 0) + outer[index];
}
struct View {
    int *data;
    int size;
};
__device__ __noinline__ int by_member(const View *view, int more)
{
    int sum = 0;
    for (int i = 0; i < view->size; i++) {
        /* the pointer comes from memory */
        sum += view->data[i + more];
    }
    return sum;
}
__global__ void k(int *out, int kind, int bad)
{
    int a[8], b[4] = {bad, 2, 3, 4};
    int wrong = blockIdx.x == 1 ? bad : 0, sum = 0;
    fill(a, 7);
    if (kind == FILL) {
        fill(a, 7 + wrong);
    } else if (kind == BEFORE) {
        sum = at(b, 0 - wrong);
    } else if (kind == RECURSION) {
        sum = recurse(b, 5, 1 + wrong);
    } else {
        int inner[3] = {1, 2, 3};
        View view = {inner, 1};
        sum = by_member(&view, 5 * wrong);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + a[3] + b[2];
}

int main()
{
    for (int kind = 0; kind < KINDS; kind++) {
        int *out;
        cudaMallocManaged(&out, 2 * 64 * sizeof *out);
        k<<<2, 64>>>(out, kind, 0);
        printf("%d: %s", kind, cudaGetErrorName(cudaDeviceSynchronize()));
        printf(" %d", out[127]);
        k<<<2, 64>>>(out, kind, 1);
        printf(" %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        cudaDeviceReset();
    }
}
