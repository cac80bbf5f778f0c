// cdpcc: --check=init
// Classes and arrays of which the program uses what it wrote: bit-fields, unions, copies of classes
// with members that are not set, stacks in arrays, results of functions, shuffles, lambdas.
#include <cstdio>
struct Bits { unsigned a : 3, b : 5, c : 24; };
union Word { float f; int i; unsigned char bytes[4]; };
struct Maybe {
    int value; bool has;
    __device__ Maybe() : has(false) {}
    __device__ Maybe(const Maybe &o) : value(o.value), has(o.has) {}
    __device__ int get(int otherwise) const { return has ? value : otherwise; }
};
template <int N> struct Stack {
    int items[N], count = 0;
    __device__ void push(int x) { items[count++] = x; }
    __device__ int pop() { return items[--count]; }
};
struct One { int x; };
__device__ __noinline__ Maybe find(const int *a, int n, int what)
{
    Maybe result;
    for (int i = 0; i < n; i++) if (a[i] == what) { result.value = i; result.has = true; }
    return result;
}
__device__ __noinline__ void fill(int *to, int n) { for (int i = 0; i < n; i++) to[i] = i; }
__device__ __noinline__ One same(One one) { return one; }
__global__ void k(const int *a, int *out, int n)
{
    Bits bits; bits.a = 1; bits.b = 2; bits.c = 3;
    Word word; word.f = 1; 
    Maybe nothing, other = nothing, found = find(a, n, 5), copies[2]; copies[1] = other;
    Stack<8> stack, second; stack.push(n); stack.push(2); second = stack;
    int squares[8], best[4], sum = 0, leaders[2], seen = 0;
    fill(squares, 8);
    for (int i = 0; i < n; i++) if (seen < 4 && a[i] % 3 == 0) best[seen++] = a[i];
    for (int i = 0; i < seen; i++) sum += best[i];
    if (threadIdx.x % 32 == 0) leaders[1] = 5;
    leaders[1] = __shfl_sync(0xffffffff, leaders[1], 0);
    One unset, set = same(unset); set.x = 1;
    float4 v; v.x = 1; v.y = 2;
    auto add = [&](int x) { squares[0] += x; }; add(3);
    out[threadIdx.x] = bits.a + bits.b + bits.c + word.bytes[3] + other.get(1) + found.get(2) +
                       copies[1].get(0) + second.pop() + second.pop() + squares[0] + squares[7] +
                       sum + leaders[1] + set.x + (int)(v.x + v.y);
}

int main()
{
    int *a, *out;
    cudaMallocManaged(&a, 32 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) a[i] = i;
    k<<<1, 32>>>(a, out, 32);
    cudaDeviceSynchronize();
    printf("%d\n", out[3]);
}
