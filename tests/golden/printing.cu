// The output and the results of device printf, and the message of a failed assertion.
// ask: ints stars floats strings pointers many odd missing too_many missing_string assertion
#include "ask.h"
#include <cassert>
#include <cstdlib>
#include <unistd.h>

__global__ void ints()
{
    printf("flags: [%d|%5d|%-5d|%05d|%+d|% d]\n", 42, 42, 42, 42, 42, 42);
    printf("bases: [%x|%X|%#x|%o|%u]\n", -1, 255, 255, 8, -1);
    printf("sizes: [%lld|%llx|%ld|%zu|%hd|%hhd]\n", -5LL, 1ull << 40, 7L, sizeof(int), 70000, 300);
}
__global__ void stars() { printf("stars: [%*d|%-*d|%.*f]\n", 6, 42, 6, 42, 2, 3.14159); }
__global__ void floats()
{
    float zero = threadIdx.x * 0.0f;
    printf("floats: [%f|%e|%g|%a|%.3f|%10.2e]\n", 1.5, 1.5, 1e-10, 1.5, 2.0 / 3, 12345.678);
    printf("arithmetic makes: [%f %f]\n", 0.0f / zero, __int_as_float(0x7f800000));
    printf("a constant with a sign: [%f]\n", -__int_as_float(0x7fc00000));
    printf("letters: [%f %F %E %G]\n", __int_as_float(0x7fc00000), __int_as_float(0x7fc00000), 1.0, 1e20);
}
__global__ void strings()
{
    printf("strings: [%s|%10s|%-10s|%.2s|%c|%%]\n", "abc", "abc", "abc", "abc", 'x');
    printf("no string: [%s]\n", (const char *)0);
}
__global__ void pointers() { printf("pointers: [%p][%p][%20p]\n", (void *)0, (void *)0x1234, (void *)0x1234); }
#define EIGHT "%d %d %d %d %d %d %d %d"
#define NUMBERS                                                                                    \
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, \
        27, 28, 29, 30, 31, 32
__global__ void many()
{
    int of_32 = printf("32 of them: " EIGHT " " EIGHT " " EIGHT " " EIGHT "\n", NUMBERS);
    int of_none = printf("none\n"), of_two = printf("two: %d %s\n", 1, "x");
    printf("returned: %d %d %d\n", of_32, of_none, of_two);
}
// The text for the last one is no valid result: a GPU prints its format's first bytes.
__global__ void too_many()
{
    int parsed = printf(EIGHT " " EIGHT " " EIGHT " " EIGHT " %d\n", NUMBERS, 33);
    printf("returned: %d\n", parsed);
}
__global__ void odd()
{
    printf("no conversion: [%y]\n", 5);
    printf("five percent: [%5%]\n");
    printf("another letter: [%i]\n", 3);
    printf("at the end: trailing %");
    printf("\n");
}
__global__ void missing() { printf("missing: [%d]\n"); }
__global__ void missing_string() { printf("missing: [%ls|%n|%m]\n"); }
#line 68 "prog.cu"
__global__ void p_assert() { assert(threadIdx.x < 2 && "two threads only"); }

// The lines that a kernel writes to standard error.
static void tell_errors(void (*kernel)())
{
    char name[] = "/tmp/printing-XXXXXX", line[300];
    int file = mkstemp(name);
    dup2(file, STDERR_FILENO);
    kernel<<<1, 4>>>();
    TELL("status", cudaDeviceSynchronize());
    FILE *lines = fopen(name, "r");
    for (int i = 0; fgets(line, sizeof line, lines) != nullptr;) {
        if (strncmp(line, "prog.cu", 7) == 0) {
            printf("line %d: %s", ++i, line);
        }
    }
    unlink(name);
}

int main(int argc, char **argv)
{
    begin();
    void (*const kernels[])() = {ints, stars, floats, strings, pointers, many, odd, missing, too_many,
                                 missing_string};
    const char *const names[] = {"ints", "stars", "floats", "strings", "pointers", "many", "odd", "missing",
                                 "too_many", "missing_string"};
    for (int i = 0; i < 10; i++) {
        if (ASKED(names[i])) {
            kernels[i]<<<1, 1>>>();
            TELL("status", cudaDeviceSynchronize());
        }
    }
    if (ASKED("assertion")) {
        tell_errors(p_assert);
    }
}
