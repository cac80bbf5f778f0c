#!/bin/bash
# Units whose constants have no value in C++ are compiled again, and the program computes these
# constants: in macros, templates and beside PTX, with warnings on and off. Messages about such a
# unit have its own lines. A unit in which the language demands a constant still compiles.
# rules: S58
. "$(dirname "$0")/support.bash"

prints() { # prints TEXT FLAGS...: x.cu compiles without messages, and prints TEXT
    local text=$1
    shift
    "$CDPCC" "$@" x.cu -o x 2>messages.txt && [ ! -s messages.txt ] || { cat messages.txt; return 1; }
    ./x >printed.txt && [ "$(cat printed.txt)" = "$text" ] || { cat printed.txt; return 1; }
}
says() { # says REGEX FLAGS...: compiling x.cu gives this warning, once
    local regex=$1
    shift
    "$CDPCC" "$@" -c x.cu -o x.o 2>messages.txt && [ "$(grep -cE "$regex" messages.txt)" -eq 1 ] ||
        { cat messages.txt; return 1; }
}

cat >x.cu <<'CU'
#include <cstdio>
#define LOW(bits) ((1u << bits) - 1)
template <int bits> __device__ unsigned low() { return (1u << bits) - 1; }
__device__ const char *text() { return "1 << 40 / -1 // \" << "; }
__global__ void k(int *local) {
    float f;
    asm("add.f32 %0, %1, %1;" : "=f"(f) : "f"(2.5f));
    if (f > 100.0f) { // a 'lone quote, and -1 >> 40
        printf("%s", text());
    }
    printf("%x %x %x %d %d %g\n", LOW(32), low<32>(), low<7>(), -1 >> 40, 7 % 0, f);
}
int main() { k<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }
CU
check "macros, templates, PTX" prints "ffffffff ffffffff 7f -1 -1 5" -w
check "without the optimizer" prints "ffffffff ffffffff 7f -1 -1 5" -w -G

echo '__global__ void k(int *p) { *p = 7 % 0; }' >x.cu
check "clang warns once" says "x.cu:1:36: warning: remainder by zero is undefined"

cat >x.cu <<'CU'
__global__ void child(int *p) { *p = 1 << 33; }
__global__ void parent() {
    int local = 0;
    child<<<1, 1>>>(&local);
}
CU
check "our own warnings keep their lines" says "^x.cu:4:.*\[-Wcdp-local-pointer\]"

# The bound of an array must be a constant, as in a unit that is compiled once.
cat >x.cu <<'CU'
#include <cstdio>
enum { SHIFT = 40 };
__global__ void k() {
    __shared__ int s[sizeof(1 << SHIFT)];
    constexpr int size = sizeof(char[sizeof(5 / 0)]);
    s[0] = 5;
    printf("%d %d %d\n", s[0], size, 1 << SHIFT);
}
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }
CU
check "operands that are not evaluated" prints "5 4 0" -w

printf '__global__ void k(int *p) { *p = 3 << 2; }\n' >plain.cu
once() {
    "$CDPCC" -keep -c plain.cu -o plain.o 2>keep.txt
    local kept
    kept=$(sed -n 's/.*temporary files are in //p' keep.txt)
    [ -d "$kept" ] && ! ls "$kept" | grep -q defer
}
check "other units are compiled once" once
finish
