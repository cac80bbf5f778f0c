// cdpcc: --check=space
#include <cstdio>

// Pointers of all kinds to the thread's own memory, through memory, functions and loops.
struct Ref {
    int *p;
    int n;
};
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int global[64];
__device__ Ref refs[64];
extern __shared__ int dynamic[];

__device__ __noinline__ int sum(const int *p, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += p[i];
    }
    return s;
}

__device__ __noinline__ void fill(int *p, int n, int value)
{
    for (int i = 0; i < n; i++) {
        p[i] = value;
    }
}

__device__ __noinline__ int depth(int *up, int n)
{
    int mine = *up + 1;
    return n == 0 ? mine : depth(&mine, n - 1);
}

__device__ __noinline__ int from_one(int *p)
{
    int s = 0;
    p -= 1; /* from here on the first is p[1] */
    for (int i = 1; i <= 4; i++) {
        s += p[i];
    }
    return s;
}

__device__ __noinline__ int last(const int *end)
{
    return end[-1];
}

__global__ void child(int *p, int n)
{
    atomicAdd(&p[threadIdx.x], n);
}

__global__ void kernel(int *out, int n)
{
    __shared__ int s[32];
    __shared__ Ref r;
    int t = threadIdx.x, local[8];
    fill(local, 8, t);
    if (t == 0) {
        fill(s, 32, 1);
        fill(dynamic, n, 2);
        r = {s, 32};
    }
    __syncthreads();
    atomicAdd(&r.p[t], local[t % 8]);
    refs[t] = {&local[1], 4};
    Ref mine = refs[t];
    mine.p[0] += sum(mine.p, mine.n);
    int *choice = t % 3 == 0 ? local : t % 3 == 1 ? dynamic : global;
    int picked = choice[t % 4] + table[t % 4];
    __syncthreads();
    int up = __shfl_sync(~0u, local[1], (t + 1) % 32);
    child<<<1, 2>>>(&out[2 * t], depth(&local[2], 5));
    cudaDeviceSynchronize();
    __syncthreads();
    char bytes[9];
    memcpy(bytes, &s[t], 4);
    memset(bytes + 4, 1, 5);
    out[2 * t] += local[1] + up + picked + sum(r.p, r.n) + bytes[0] + bytes[8];
    out[2 * t + 1] += from_one(s) + from_one(local) + last(s + 32) + last(local + 8);
}

int main()
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    kernel<<<1, 32, 16 * sizeof(int)>>>(out, 16);
    cudaError_t error = cudaDeviceSynchronize();
    long total = 0;
    for (int i = 0; i < 64; i++) {
        total = total * 7 % 1000003 + out[i];
    }
    printf("%d %ld\n", error, total);
}
