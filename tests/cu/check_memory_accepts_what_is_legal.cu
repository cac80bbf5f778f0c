// cdpcc: --check=memory --cdp=1
// races: blocks store the same value
// Pointers before and after their objects, inner pointers, structs with padding, unions, constants,
// virtual functions, lambdas, classes as parameters, and all kinds of memory that a kernel may use.
#include <cstdio>
#include <cstdlib>
#include <new>
struct Padded { char c; int i; double d; };
union Any { int i; float f; char bytes[16]; };
struct Base { __device__ virtual int f(int x) const { return x; } __device__ virtual ~Base() {} };
struct Derived : Base { int k; __device__ Derived(int k) : k(k) {} __device__ int f(int x) const override { return x + k; } };
struct Big { int a[64]; int *p; };
__constant__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int variable[8], after[8];
__managed__ int managed[8];
static __device__ const char *const words[] = {"one", "two"};
__device__ __noinline__ int before(const int *end) { return end[-1]; }
__device__ __noinline__ int from_one(const int *p, int n) { int sum = 0; for (int i = 1; i <= n; i++) sum += p[i]; return sum; }
__device__ __noinline__ int length(const char *s) { int n = 0; while (s[n]) n++; return n; }
__device__ __noinline__ void fill(int *p, int n) { for (int *e = p + n; p != e; ++p) *p = 3; }
template <class F> __global__ void apply(F f, int *out) { out[threadIdx.x] = f(threadIdx.x); }
__global__ void pieces(int *a, int n, Big big, Padded *padded, Any *any)
{
    int t = threadIdx.x;
    __shared__ int s[64];
    extern __shared__ double d[];
    int local[16];
    fill(local, 16);
    s[t] = t; d[t] = t;
    __syncthreads();
    Padded copy = padded[t];
    padded[t] = copy;
    any[t].f = 1;
    any[t].bytes[15] = 3;
    a[t] = before(variable + 8) + big.a[t] + local[t % 16] + s[63 - t] + (int)d[63 - t] + table[t % 8] + length(words[t % 2]) + managed[t % 8];
}
__global__ void outside(const int *in, int n, int *sums)
{
    const int *end = in + n, *first = in - 1;
    sums[threadIdx.x] = from_one(first, n) + before(end) + end[-2] + first[1];
}
// Parameters lie in memory of the launch.
__device__ __noinline__ int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
__device__ __noinline__ int sum(const Big &big) { return sum(big.a, 64) + sum(big.p, 64); }
__global__ void parameters(const __grid_constant__ Big constant, Big copied, const int *in, int which, int *sums)
{
    const int *chosen = which > 2 ? constant.a : which > 1 ? copied.a : in;
    sums[threadIdx.x] = sum(constant) + sum(copied) + sum(chosen, 64) + constant.a[threadIdx.x % 64];
}
__global__ void launches(int *in, int *sums)
{
    Big big = {{7}, in};
    parameters<<<1, 1>>>(big, big, in, 3, sums);
    cudaDeviceSynchronize();
}
__global__ void heap(int *out)
{
    Base *b = new Derived(5);
    int *p = (int *)malloc(40);
    for (int i = 0; i < 10; i++) p[i] = b->f(i);
    out[threadIdx.x] = p[9];
    memset(p, 0, 40); memset(p, 0, 0);
    free(p); delete b;
    new (out + threadIdx.x) int(p != nullptr ? 14 : 0);
}
__global__ void child(int *a) { a[threadIdx.x]++; }
__global__ void parent(int *a)
{
    child<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    void *buffer = cudaGetParameterBuffer(8, 8);
    *(int **)buffer = a;
    cudaLaunchDevice((void *)child, buffer, dim3(1), dim3(64), 0, 0);
}
__global__ void rows(char *p, size_t pitch) { *(float *)(p + threadIdx.x * pitch + 4 * 7) = 1; }
int main()
{
    int *a, *pinned, *mapped, *m; Padded *padded; Any *any; char *pitched; size_t pitch;
    cudaMalloc(&a, 256); cudaMemset(a, 0, 256); cudaMalloc(&padded, 64 * sizeof(Padded)); cudaMalloc(&any, 64 * sizeof(Any));
    cudaMallocHost(&pinned, 256); cudaMallocManaged(&m, 256); cudaMallocPitch(&pitched, &pitch, 32, 8);
    int *host = (int *)malloc(256); cudaHostRegister(host, 256, 0); cudaHostGetDevicePointer(&mapped, host, 0);
    for (int i = 0; i < 64; i++) pinned[i] = m[i] = host[i] = i;
    Big big = {{1}, m};
    pieces<<<1, 64, 64 * 8>>>(a, 64, big, padded, any);
    apply<<<1, 64>>>([=] __device__(int i) { return pinned[i] + mapped[i] + m[i]; }, pinned);
    int *sums; cudaMallocManaged(&sums, 4 * 4);
    outside<<<1, 1>>>(host, 64, sums);
    parameters<<<1, 1>>>(big, big, m, 3, sums + 1);
    parameters<<<1, 1>>>(big, big, m, 2, sums + 2);
    launches<<<1, 1>>>(m, sums + 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) printf("%d ", sums[i]);
    heap<<<2, 32>>>(m);
    parent<<<1, 1>>>(m);
    rows<<<1, 8>>>(pitched, pitch);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%d %d\n", pinned[5], m[3]);
    cudaHostUnregister(host); free(host);
}
