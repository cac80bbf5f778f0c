// cdpcc: --check=memory
// Pointers to local variables that functions get: before and at the end of their arrays, members of
// classes, in memory, in recursions, of scopes that end, and of
// threads that wait at a barrier.
#include <cstdio>

struct Point { float x, y, z; int tag[3]; };
struct Stack {
    int items[16], top = 0;
    __device__ __noinline__ void push(int item) { items[top++] = item; }
    __device__ __noinline__ int pop() { return items[--top]; }
};
__device__ int *kept[128];
__device__ __noinline__ int sum(const int *p, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += p[i]; return sum; }
__device__ __noinline__ int from_one(const int *p, int n) { int sum = 0; for (int i = 1; i <= n; i++) sum += p[i]; return sum; }
__device__ __noinline__ int backwards(const int *end, int n) { int sum = 0; while (n-- > 0) sum += *--end; return sum; }
__device__ __noinline__ int until(const int *first, const int *last) { int sum = 0; while (first != last) sum += *first++; return sum; }
__device__ __noinline__ void swap(int *a, int *b) { int c = *a; *a = *b; *b = c; }
__device__ __noinline__ Point moved(const Point &p, float by) { Point q = p; q.x += by; q.tag[2]++; return q; }
__device__ __noinline__ const int *larger(const int *a, const int *b) { return *a > *b ? a : b; }
__device__ __noinline__ int recurse(int *up, int depth)
{
    int own[3] = {depth, up[0], 1};
    kept[threadIdx.x] = own;
    return depth == 0 ? from_one(up - 1, 2) : recurse(own, depth - 1) + own[2] + *kept[63];
}
__device__ __noinline__ int wide(const long long *p) { return (int)(p[0] + p[3]); }
__global__ void all(int *out)
{
    int a[8], b[8], one[4] = {1, 2, 3, 4}, x = 1, y = 2;
    for (int i = 0; i < 8; i++) { a[i] = i + threadIdx.x; b[i] = 10 * i; }
    int r = sum(a, 8) + sum(b, 8) + from_one(a - 1, 8) + from_one(b - 1, 8) + from_one(one - 1, 4);
    r += backwards(a + 8, 8) + backwards(b + 8, 8) + backwards(one + 4, 4) + until(b, b + 8) + until(a + 3, a + 3);
    swap(&x, &y); swap(&a[7], &b[0]);
    Point p = {1, 2, 3, {4, 5, 6}}, q = moved(moved(p, 2), 3);
    r += x * 100 + (int)q.x + sum(q.tag, 3) + *larger(&x, &y);
    for (int i = 0; i < 3; i++) {
        int scope[5] = {i, i, i, i, i};
        kept[threadIdx.x + 1] = scope;
        r += sum(scope, 5) + sum(kept[threadIdx.x + 1] + i, 2);
    }
    { long long scope[4] = {1, 2, 3, 4}; r += wide(scope); }
    { char scope[64] = {1}; r += wide((long long *)scope); }
    Stack stack;
    for (int i = 0; i < 16; i++) stack.push(i);
    while (stack.top != 0) r += stack.pop();
    out[threadIdx.x] = r;
}
__global__ void recursions(int *out)
{
    int a[2] = {1, 2};
    kept[63] = out;
    out[0] = recurse(a, 30) != 0;
}
__global__ void waits(int *out)
{
    int a[4] = {(int)threadIdx.x, 2, 3, 4};
    int self = blockIdx.x * blockDim.x + threadIdx.x;
    kept[self] = a;
    __syncthreads();
    out[self] = sum(kept[self], 4) + sum(a, 4);
}

int main()
{
    int *out;
    cudaDeviceSetLimit(cudaLimitStackSize, 4096);
    cudaMallocManaged(&out, 128 * sizeof *out);
    all<<<1, 63>>>(out);
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" %d\n", out[62]);
    recursions<<<1, 1>>>(out);
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" %d\n", out[0]);
    waits<<<2, 64>>>(out);
    printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    printf(" %d\n", out[63]);
}
