#!/bin/bash
# Parameters of every class that the C++ ABI passes in a special way arrive complete, from a host
# launch and from a device launch, at every optimization level.
. "$(dirname "$0")/support.bash"

cat >params.cu <<'CU'
#include <cstdio>
// Each has its own way through the ABI: one or two registers, integer or vector ones,
// memory, a reference, or none at all.
#define SAME __host__ __device__ bool operator==(const Self &) const = default
struct Mixed { using Self = Mixed; double d; int i; SAME; };
struct Three { using Self = Three; char c[3]; SAME; };
struct alignas(32) Wide { using Self = Wide; int i; SAME; };
struct alignas(16) Padded { using Self = Padded; int i; float f; SAME; };
struct Large { using Self = Large; int a[20]; SAME; };
struct Aligned8 { using Self = Aligned8; alignas(8) int a[5]; char t; SAME; };
struct Empty { __host__ __device__ bool operator==(const Empty &) const { return true; } };
struct TwoEmpty { Empty a, b; __host__ __device__ bool operator==(const TwoEmpty &) const { return true; } };
struct Bits { using Self = Bits; int a : 3; unsigned b : 17; long c : 40; SAME; };
struct Floats { using Self = Floats; float a, b; SAME; };
struct FloatIntFloat { using Self = FloatIntFloat; float a; int b; float c; SAME; };
struct DoubleInMiddle { using Self = DoubleInMiddle; float f; double d; char c; SAME; };
struct Vectors { float2 a[3]; };
struct __attribute__((packed)) Packed { char c; double d; int e[4]; };
union Either { float f; int i; };
enum Small : short { SEVEN = 7 };
struct NonTrivial {
    int x;
    long y[3];
    __host__ __device__ NonTrivial(int v) : x(v), y{v, v + 1, v + 2} {}
    __host__ __device__ NonTrivial(const NonTrivial &o) : x(o.x), y{o.y[0], o.y[1], o.y[2]} {}
    __host__ __device__ ~NonTrivial() {}
    __host__ __device__ bool operator==(const NonTrivial &o) const { return x == o.x && y[2] == o.y[2]; }
};
template <class T> __host__ __device__ bool same(const T &a, const T &b) {
    if constexpr (requires { a == b; }) return a == b;
    else return __builtin_memcmp(&a, &b, sizeof a) == 0;
}
// P(type, name, value)
#define PARAMETERS(P)                                                                    \
    P(char, letter, -5) P(Mixed, mixed, {1.5, 77}) P(Three, three, {{1, 2, 3}})          \
    P(float2, two, {2.5f, 3.5f}) P(float4, four, {1, 2, 3, 4}) P(Wide, wide, {9})        \
    P(Padded, padded, {10, 11.5f}) P(Large, large, {{1, 2, 3, 4, 5}})                    \
    P(NonTrivial, whole, {42}) P(Empty, empty, {}) P(bool, yes, true)                    \
    P(__int128, big, ((__int128)5 << 64) + 6) P(float3, tri, {1, 2, 3})                  \
    P(long double, longer, 1.25L) P(short, low, -3) P(double2, doubles, {1, 2})          \
    P(dim3, dim, {3, 4, 5}) P(_Float16, half, 0.5f16) P(TwoEmpty, none, {})              \
    P(char, after, 'z') P(Vectors, vectors, {{{0, 1}, {2, 3}, {4, 5}}})                  \
    P(Aligned8, eight, {{0, 1, 2, 3, 4}, 't'}) P(Packed, packed, {'p', 2.25, {0, 1, 2}}) \
    P(Bits, bits, {-2, 70000, -1000000}) P(Either, either, {8.5f}) P(Small, small, SEVEN)\
    P(Floats, floats, {1, 2}) P(DoubleInMiddle, middle, {1, 2, 'm'})                     \
    P(FloatIntFloat, fif, {1, 2, 3}) P(unsigned char, byte, 200) P(const int, fixed, -9) \
    P(int Large::*, member, nullptr) P(void *, pointer, (void *)0x1234) P(bool, no, false)
#define DECLARE(type, name, ...) type name,
#define PASS(type, name, ...) name,
#define EXPECT(type, name, ...)                                                          \
    { type expected = __VA_ARGS__; if (!same<type>(name, expected)) printf("%s is wrong\n", #name); }
#define VALUE(type, name, ...) type name = __VA_ARGS__;

__global__ void child(PARAMETERS(DECLARE) int last) {
    PARAMETERS(EXPECT)
    if (last != 99) printf("last is wrong\n");
    large.a[0] = whole.x = packed.e[0] = 1000; // each thread has its own
}
__global__ void parent(PARAMETERS(DECLARE) int last) { child<<<2, 2>>>(PARAMETERS(PASS) last); }
template <class F> __global__ void call(F f, int *result) { *result = f(3); }
int main() {
    PARAMETERS(VALUE)
    child<<<2, 2>>>(PARAMETERS(PASS) 99);
    parent<<<1, 1>>>(PARAMETERS(PASS) 99);
    int *result, five = 5;
    double two_ = 2;
    cudaMallocManaged(&result, sizeof *result);
    call<<<1, 1>>>([=] __host__ __device__(int x) { return int(x * five * two_); }, result);
    if (cudaDeviceSynchronize() != cudaSuccess || *result != 30) printf("lambda is wrong\n");
    puts("done");
}
CU
for flags in -O3 -O0 -G "-O2 -fPIC" -fsanitize=address; do
    name=parameters_with_${flags// /_}
    # shellcheck disable=SC2086
    if "$CDPCC" -std=c++20 -w $flags params.cu -o params 2>err.txt &&
        ./params >out.txt 2>>err.txt && [ "$(cat out.txt)" = done ]; then
        ok "$name"
    else
        fail "$name" "$(head -n 5 out.txt err.txt)"
    fi
done
finish
