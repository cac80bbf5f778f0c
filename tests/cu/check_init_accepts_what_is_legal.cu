// cdpcc: --check=init
// Copies of classes with padding, and of arrays that are written in part; variables that are written
// on each path that uses them; results through pointers; memory that the host, other kernels, atomics
// and copies write; a shuffle of which only the leader's value is read.
#include <cstdio>
struct Padded { char c; int i; double d; };
struct Pair { int first; char second; };
__device__ __noinline__ void divide(int a, int b, int *quotient, int *rest) { *quotient = a / b; *rest = a % b; }
__device__ __noinline__ Pair swap(Pair p) { Pair q = {p.second, (char)p.first}; return q; }
__global__ void write(Padded *p, Pair *q, int *half, int n)
{
    int t = threadIdx.x;
    p[t].c = 1; p[t].i = t; p[t].d = t;
    q[t].first = t; q[t].second = 2;
    if (t < n) half[t] = t;
}
__global__ void copy(Padded *to, const Padded *from, Pair *q, int *halves, const int *half)
{
    int t = threadIdx.x, quotient, rest, late;
    to[t] = from[t];
    q[t] = swap(q[t]);
    halves[t] = half[t];
    divide(t, 3, &quotient, &rest);
    if (t % 2) late = quotient; else late = rest;
    to[t].i += late;
}
__global__ void use(const Padded *p, const Pair *q, const int *halves, int n, int *out, unsigned *flag)
{
    int t = threadIdx.x;
    int last, found = 0;
    for (int i = 0; i < n; i++) { if (!found) { last = i; found = 1; } }
    unsigned leaders;
    if (t % 32 == 0) leaders = 5;
    leaders = __shfl_sync(0xffffffff, leaders, 0);
    atomicExch(flag, leaders + 2);
    if (t < n) atomicAdd(out, p[t].i + q[t].first + halves[t] + (int)p[t].d + p[t].c + (found ? last : 0));
}
// What the runtime writes for device code, and what an exchange overwrites.
struct Node { Node *next; int value; cudaStream_t stream; int *rest; };
__global__ void byRuntime(int *out, unsigned *unset)
{
    Node *node = (Node *)malloc(sizeof(Node));
    node->rest = (int *)calloc(4, sizeof(int));
    cudaMalloc(&node->next, sizeof(Node));
    cudaDeviceGetAttribute(&node->value, cudaDevAttrWarpSize, 0);
    cudaStreamCreateWithFlags(&node->stream, cudaStreamNonBlocking);
    atomicExch(unset, 1u);
    *out = (node->next != nullptr) + node->value + (node->stream != 0) + node->rest[3] + *unset;
    cudaStreamDestroy(node->stream);
    cudaFree(node->next); free(node->rest); free(node);
}
int main()
{
    Padded *a, *b, *c; Pair *q; int *half, *halves, *sum; unsigned *flag; char *rows; size_t pitch;
    cudaMalloc(&a, 64 * sizeof *a); cudaMalloc(&b, 64 * sizeof *b); cudaMalloc(&c, 64 * sizeof *c);
    cudaMalloc(&q, 64 * sizeof *q); cudaMalloc(&half, 64 * 4); cudaMalloc(&halves, 64 * 4);
    cudaMalloc(&flag, 4); cudaMallocManaged(&sum, 4); cudaMallocPitch(&rows, &pitch, 100, 4);
    cudaMemset(flag, 0, 4); cudaMemset2D(rows, pitch, 0, 100, 4);
    write<<<1, 64>>>(a, q, half, 32);
    copy<<<1, 64>>>(b, a, q, halves, half);
    cudaMemcpy(c, b, 64 * sizeof *b, cudaMemcpyDeviceToDevice);
    use<<<1, 64>>>(c, q, halves, 32, sum, flag);
    unsigned *unset; int *written; cudaMalloc(&unset, 4); cudaMallocManaged(&written, 4);
    byRuntime<<<1, 1>>>(written, unset);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%d\n", *written);
    printf("%d\n", *sum);
}
