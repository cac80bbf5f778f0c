// The limits of CUDA's printf: at most 32 arguments, and no * for a precision. A % that starts no
// conversion is printed unchanged, and so is a conversion without its argument (a GPU reads beyond
// the arguments there). A NaN has no sign.
// cdpcc: -Wno-format
// stderr: cdp: kernel numbers, block \(0,0,0\), thread \(0,0,0\): printf\("\[%\*d\|%\.\*f %d\]\\n"\) has \* for a precision, .*
// stderr: cdp: kernel lacking, block \(0,0,0\), thread \(0,0,0\): printf\("\[%d\]\\n"\) lacks an argument, which is undefined on a GPU: .*
// stderr: cdp: kernel many, block \(0,0,0\), thread \(0,0,0\): printf\("%d %d .*\.\.\."\) has more than 32 arguments, .*
#include "show.h"
#include <cmath>

__global__ void numbers(const float *f)
{
    float zero = f[0], inf = f[1];
    printf("[%f %F %e %g %+f %a %Lf]\n", zero / zero, -(zero / zero), inf - inf, -f[2], sqrtf(-inf),
           f[2], (long double)f[2]);
    printf("[%f %F %5.1f|%-9.3e|]\n", -inf, inf, zero, inf * zero);
    int parsed = printf("[%*d|%.*f %d]\n", 5, 42, 7);
    printf("parsed %d\n", parsed);
    printf("[%*d|%*d|%-*s|%*c]\n", -4, 1, 4, 2, 5, "abc", 3, 'x');
    printf("[%lld %hhd %hu %zu %td %jd %qd]\n", 1ll << 40, (signed char)-3, (unsigned short)65535,
           sizeof(int), (ptrdiff_t)-5, (intmax_t)6, 7ll);
}
__global__ void lacking()
{
    printf("[%d]\n");
    int parsed = printf("[%d %s %ls|%*d|%f]\n", 1, "two", "three", 4);
    printf("parsed %d\n", parsed);
}
__global__ void no_conversions()
{
    int parsed = printf("[%y|%5%|%n|%m|%ls|%C|100%|%$d|%]\n", "text");
    printf("parsed %d, ", parsed);
    parsed = printf("at the end: %");
    printf("\nparsed %d\n", parsed);
    parsed = printf("%%d %%\n");
    printf("parsed %d\n", parsed);
}
__global__ void many()
{
    int parsed = printf(
        "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
        "%d %d %d %s|\n",
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32, 33, "34");
    printf("parsed %d\n", parsed);
}
// Longer than the buffer on the stack.
__global__ void wide(const char *text)
{
    printf("%3000d|%s|%.3s\n", 5, text, text);
}
// Every thread of a block, with its own arguments.
__global__ void of_each_thread(const float *f)
{
    if (threadIdx.x % 32 == 5) {
        printf("thread %d: %g %s\n", threadIdx.x, f[threadIdx.x % 3] + threadIdx.x,
               threadIdx.x > 40 ? "high" : "low");
    }
}

int main()
{
    float *f;
    char *text;
    MUST(cudaMallocManaged(&f, 3 * sizeof *f));
    MUST(cudaMallocManaged(&text, 2000));
    f[0] = 0;
    f[1] = INFINITY;
    f[2] = NAN;
    for (int i = 0; i < 1999; i++) {
        text[i] = 'a' + i % 26;
    }
    numbers<<<1, 1>>>(f);
    MUST(cudaDeviceSynchronize());
    lacking<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    no_conversions<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    many<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    wide<<<1, 1>>>(text);
    MUST(cudaDeviceSynchronize());
    of_each_thread<<<1, 96>>>(f);
    MUST(cudaDeviceSynchronize());
}
