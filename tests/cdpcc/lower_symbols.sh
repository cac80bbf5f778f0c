#!/bin/bash
# Names: device and host code of one unit do not conflict, units find each other's device code, and
# a variable is the same object everywhere.
. "$(dirname "$0")/support.bash"

cat >names.h <<'CU'
#include <cstdio>
// Differs on purpose: shows which side ran.
inline __host__ __device__ int twice(int x) {
    static int calls;
    calls++;
#ifdef __CUDA_ARCH__
    return 2 * x;
#else
    return 2 * x + 1000000;
#endif
}
template <class T> __host__ __device__ T thrice(T x) {
#ifdef __CUDA_ARCH__
    return 3 * x;
#else
    return 3 * x + 1000000;
#endif
}
struct Shape {
    __host__ __device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
    __host__ __device__ int sides() const override { return 4; }
};
CU
cat >one.cu <<'CU'
#include "names.h"
__device__ int counter;
__device__ int table[4] = {10, 20, 30, 40};
static __device__ int hidden = 7;
__constant__ int scale = 5;
extern __device__ int other_variable;
__managed__ int managed = 1;
static __managed__ int managed_static[2] = {1, 2};
extern __managed__ int managed_elsewhere;
__global__ void other_kernel(int *p, int v);
__device__ int other_function(int);
template <class T> __global__ void of_template(T *p, T v) { p[threadIdx.x] += v; }
static __global__ void local(int *p) { p[threadIdx.x] += thrice(1) + hidden; atomicAdd(&counter, 1); }
__device__ void (*const pointer)(int *) = local;
static __device__ int late; // a kernel uses it before the host names it
__global__ void parent(int *p) {
    late++;
    Square square;
    const Shape *shape = &square;
    if (threadIdx.x == 0) {
        local<<<1, 32>>>(p);
        pointer<<<1, 32>>>(p);
        of_template<int><<<1, 32>>>(p, scale);
        other_kernel<<<1, 32>>>(p, other_variable);
        cudaDeviceSynchronize();
        p[0] += twice(table[1]) + other_function(shape->sides());
        managed += 10, managed_static[1] += 20, managed_elsewhere += 30;
    }
}
int host_other();
#define EQUAL(a, b) do { if ((a) != (b)) printf("line %d: %d, not %d\n", __LINE__, (int)(a), (int)(b)); } while (0)
int main() {
    int *p, value = 50000;
    cudaMallocManaged(&p, 32 * sizeof *p);
    cudaMemcpyToSymbol(scale, &value, sizeof value);
    parent<<<1, 1>>>(p);
    EQUAL(cudaDeviceSynchronize(), 0);
    EQUAL(p[31], 2 * 10 + 50000 + 77 + 6);
    EQUAL(p[0], p[31] + 40 + 104);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    EQUAL(value, 64);
    cudaMemcpyFromSymbol(&value, late, sizeof value);
    EQUAL(value, 1);
    EQUAL(managed, 11);
    EQUAL(managed_static[1], 22);
    EQUAL(managed_elsewhere, 35);
    EQUAL(twice(20), 1000040);
    EQUAL(host_other(), 1000006);
    puts("done");
}
CU
cat >two.cu <<'CU'
#include "names.h"
__device__ int other_variable = 77;
__managed__ int managed_elsewhere = 5;
__global__ void other_kernel(int *p, int v) { p[threadIdx.x] += v + thrice(2); }
__device__ int other_function(int x) { return x + 100 * (managed_elsewhere == 5); }
static __global__ void local(int *p) { p[0] = 12345; } // the same name as the other unit's
void *keep = (void *)local;
int host_other() { return twice(3); }
CU
# Out-of-line constructors are aliases of one another. All threads share one static variable,
# however few functions use it.
cat >aliases.cu <<'CU'
#include <cstdio>
struct Shape {
    int x;
    __device__ Shape(int v);
    __device__ ~Shape();
};
__device__ int dead;
static __device__ int common;
__device__ Shape::Shape(int v) {
    __shared__ int cells[4];
    cells[1] = v;
    x = cells[1];
}
__device__ Shape::~Shape() { atomicAdd(&dead, x); }
struct Base {
    int q;
    __device__ virtual int f();
    __device__ virtual ~Base();
};
__device__ Base::~Base() { dead++; }
__device__ int Base::f() { return 4; }
__global__ void kernel(int *p) {
    Shape shape(5);
    Base *base = new Base;
    p[0] = shape.x + base->f();
    delete base;
}
__global__ void shares(int *p) {
    common = 5;
    __syncthreads();
    if (threadIdx.x == 0) common = 7;
    __syncthreads();
    p[threadIdx.x] = common;
}
int main() {
    int *p, value;
    cudaMallocManaged(&p, 8 * sizeof *p);
    kernel<<<1, 1>>>(p);
    shares<<<1, 4>>>(p + 1);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&value, dead, sizeof value);
    puts(p[0] == 9 && p[4] == 7 && value == 6 ? "done" : "wrong");
}
CU
runs() { # runs NAME PROGRAM
    "$2" >out.txt 2>&1
    [ "$(cat out.txt)" = done ] && ok "$1" || fail "$1" "$(head -n 5 out.txt)"
}
for flags in -O3 -O0 -G -fPIC; do
    "$CDPCC" $flags one.cu two.cu -o both 2>err.txt || cat err.txt
    runs "two_units_with_$flags" ./both
done
for flags in -O3 -G -fsanitize=address; do
    "$CDPCC" $flags aliases.cu -o aliases 2>err.txt || cat err.txt
    runs "aliases_and_statics_with_$flags" ./aliases
done
"$CDPCC" two.cu one.cu -o both && runs other_order ./both
"$CDPCC" -c one.cu && "$CDPCC" -c two.cu && ar rc libtwo.a two.o && "$CDPCC" one.o -L. -ltwo -o both &&
    runs archive ./both
"$CDPCC" one.o two.o -o both -Xlinker --gc-sections && runs gc_sections ./both

suffixed=$(nm one.o | grep -cE ' [DVBU] (counter|table|_ZZ5twiceiE5calls|_Z14other_functioni)\.cdp$')
[ "$suffixed" = 4 ] && ok suffixes || fail suffixes "$(nm one.o)"
nm one.o | grep -q ' D _Z6parentPi.cdpk$' && ok descriptor || fail descriptor "$(nm one.o)"

echo '__device__ int absent(int); __global__ void k(int *p) { *p = absent(1); } int main() {}' >absent.cu
if "$CDPCC" absent.cu -o absent 2>err.txt; then
    fail undefined_device_function "linked"
elif grep -q 'absent' err.txt; then
    ok undefined_device_function
else
    fail undefined_device_function "$(cat err.txt)"
fi
finish
