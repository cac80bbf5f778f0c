#include "show.h"
__global__ void kernel(const char *text) {
    printf("%d %i %5d|%-5d|%05d %+d\n", 1, -2, 3, 4, 5, 6);
    printf("%u %x %X %#x %o\n", 4000000000u, 255, 255, 255, 8);
    printf("%f %.2f %8.3f %e %g %G\n", 1.5, 2.345, 3.14159, 12345.678, 0.0001, 1e20);
    printf("%c%c %s|%10s|%-10s|%.3s\n", 'a', 'b', "text", "right", "left", "truncated");
    printf("%ld %lld %lu %llu %lx\n", -1l, -2ll, 3ul, 4ull, 0xabcdef012345ul);
    printf("%hd %hhd %zu %%\n", (short)-3, (signed char)-4, sizeof(double));
    printf("%*d %-*d| %*.2f\n", 6, 42, 6, 43, 2, 2.71828);
    printf("%s\n", text);
    printf("%d %f %s %f %d %d %d %d %d %d %d\n", 1, 2.0, "3", 4.0, 5, 6, 7, 8, 9, 10, 11);
    printf("%a\n", 1.0);
    printf("plain\n");
    printf("%s", "no newline");
    printf("\n");
}
int main() {
    char *text;
    MUST(cudaMallocManaged(&text, 16));
    snprintf(text, 16, "from memory");
    kernel<<<1, 1>>>(text);
    MUST(cudaDeviceSynchronize());
}
