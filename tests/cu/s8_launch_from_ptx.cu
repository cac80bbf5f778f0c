// The guides' PTX form of a launch, in inline assembly: .param variables, a call for the buffer and
// one for the launch; declared and undeclared, both forms of the first function, the second version
// of both, and other functions of the unit.
#include "show.h"
typedef unsigned long long u64;

__global__ void child(int a, double b, unsigned *sum) {
    atomicAdd(sum, 1000 * a + (unsigned)b + threadIdx.x + blockIdx.x);
}
__device__ int bare_runs;
__global__ void without_parameters() { atomicAdd(&bare_runs, 1); }

// As a compiler writes it: each call in its own braces, in which names get other types.
__device__ int launch(u64 kernel, unsigned *sum, unsigned blocks) {
    u64 buffer;
    int error;
    asm volatile("{\n\t"
                 ".extern .func (.param .b64 func_retval0) cudaGetParameterBuffer\n\t"
                 "( .param .b64 alignment, .param .b64 size );\n\t"
                 ".extern .func (.param .b32 func_retval0) cudaLaunchDevice\n\t"
                 "( .param .b64 func, .param .b64 parameterBuffer,\n\t"
                 "  .param .align 4 .b8 gridDimension[12], .param .align 4 .b8 blockDimension[12],\n\t"
                 "  .param .b32 sharedMemSize, .param .b64 stream );\n\t"
                 "{ // the buffer\n\t"
                 ".param .b64 param0;\n\tst.param.b64 [param0+0], 8;\n\t"
                 ".param .b64 param1;\n\tst.param.b64 [param1+0], 24;\n\t"
                 ".param .b64 retval0;\n\t"
                 "call.uni (retval0),\n\tcudaGetParameterBuffer,\n\t(\n\tparam0,\n\tparam1\n\t);\n\t"
                 "ld.param.b64 %0, [retval0+0];\n\t}\n\t"
                 "st.u32 [%0], 3;\n\tst.f64 [%0+8], 0d4014000000000000;\n\tst.u64 [%0+16], %3;\n\t"
                 "{\n\t"
                 ".reg .b32 %%r<2>;\n\tshr.u32 %%r1, %4, 1;\n\t"
                 ".param .b64 param0, param1;\n\t"
                 "st.param.b64 [param0+0], %2;\n\tst.param.b64 [param1+0], %0;\n\t"
                 ".param .align 4 .b8 param2[12];\n\t"
                 "st.param.b32 [param2+0], %%r1;\n\tst.param.b32 [param2+4], 2;\n\t"
                 "st.param.b32 [param2+8], 1;\n\t"
                 ".param .align 4 .b8 param3[12];\n\t"
                 "st.param.b32 [param3+0], 8;\n\tst.param.b32 [param3+4], 1;\n\t"
                 "st.param.b32 [param3+8], 1;\n\t"
                 ".param .b32 param4;\n\tst.param.b32 [param4+0], 0;\n\t"
                 ".param .b64 param5;\n\tst.param.b64 [param5+0], 0;\n\t"
                 ".param .b32 retval0;\n\t"
                 "call.uni (retval0), cudaLaunchDevice,\n\t"
                 "(param0, param1, param2, param3, param4, param5);\n\t"
                 "ld.param.b32 %1, [retval0+0];\n\t}\n\t}"
                 : "=&l"(buffer), "=&r"(error)
                 : "l"(kernel), "l"(sum), "r"(blocks)
                 : "memory");
    return error;
}

__device__ int launch_bare(u64 kernel, unsigned threads) {
    int error;
    asm volatile("{ .param .b64 f, p; .param .align 4 .b8 g[12], b[12]; .param .b32 m, r; .param .b64 s;"
                 " st.param.b64 [f], %1; st.param.b64 [p], 0; st.param.b64 [s], 0; st.param.b32 [m], 0;"
                 " st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;"
                 " st.param.b32 [b], %2; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;"
                 " call.uni (r), cudaLaunchDevice, (f, p, g, b, m, s); ld.param.b32 %0, [r]; }"
                 : "=r"(error) : "l"(kernel), "r"(threads));
    return error;
}

// The guides also print a form that stores the buffer's address.
__device__ int buffer_by_pointer(u64 *buffer) {
    int error;
    asm volatile("{ .param .b64 where; .param .b32 r; st.param.b64 [where], %1;"
                 " call.uni (r), cudaGetParameterBuffer, (where); ld.param.b32 %0, [r]; }"
                 : "=r"(error) : "l"(buffer) : "memory");
    return error;
}

__device__ int launch_second_version(u64 kernel, unsigned *sum) {
    u64 buffer;
    int error;
    asm volatile("{ .param .b64 f, q; .param .align 4 .b8 g[12], b[12]; .param .b32 m;"
                 " st.param.b64 [f], %1; st.param.b32 [m], 0;"
                 " st.param.b32 [g], 2; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;"
                 " st.param.b32 [b], 4; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;"
                 " call.uni (q), cudaGetParameterBufferV2, (f, g, b, m); ld.param.b64 %0, [q]; }"
                 : "=l"(buffer) : "l"(kernel));
    if (buffer == 0) {
        return -1;
    }
    *(int *)buffer = 1;
    *(double *)(buffer + 8) = 2;
    *(unsigned **)(buffer + 16) = sum;
    asm volatile("{ .param .b64 p, s; .param .b32 r; st.param.b64 [p], %1; st.param.b64 [s], 0;"
                 " call (r), cudaLaunchDeviceV2, (p, s); ld.param.b32 %0, [r]; }"
                 : "=r"(error) : "l"(buffer) : "memory");
    return error;
}

extern "C" __device__ __noinline__ float scaled(float x, long long n) { return x * (float)n; }
extern "C" __device__ __noinline__ void twice(int *p) { *p *= 2; }
__device__ float call_others(int *p, bool also) {
    float y;
    asm volatile("{ .reg .pred also; .param .f32 x, y; .param .b64 n, p;"
                 " st.param.f32 [x], 0f40200000; st.param.b64 [n], 4; st.param.b64 [p], %1;"
                 " call.uni (y), scaled, (x, n); setp.ne.u32 also, %2, 0;"
                 " @also call twice, (p); ld.param.f32 %0, [y]; }"
                 : "=f"(y) : "l"(p), "r"((unsigned)also) : "memory");
    return y;
}

__global__ void parent(unsigned *sums) {
    u64 kernel = (u64)(void *)child;
    unsigned t = threadIdx.x;
    int error = launch(kernel, &sums[t], 2 + 2 * t);
    int value = 21;
    float y = call_others(&value, t == 1);
    u64 buffer = 0;
    int got = buffer_by_pointer(&buffer);
    if (error != 0 || y != 10 || value != (t == 1 ? 42 : 21) || got != 0 || buffer % 64 != 0) {
        printf("thread %u: %d %g %d %d\n", t, error, y, value, got);
    }
    if (t == 0) {
        printf("of version 2: %d\n", launch_second_version(kernel, &sums[40]));
        int first = launch_bare((u64)(void *)without_parameters, 1);
        int second = launch_bare((u64)(void *)without_parameters, 2000);
        printf("bare: %d, with 2000 threads: %d", first, second);
        printf(", the last error: %s\n", cudaGetErrorName(cudaGetLastError()));
    }
}
int main() {
    unsigned *sums;
    int wrong = 0;
    MUST(cudaMallocManaged(&sums, 64 * sizeof(unsigned)));
    MUST(cudaMemset(sums, 0, 64 * sizeof(unsigned)));
    parent<<<1, 40>>>(sums);
    MUST(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 40; t++) {
        unsigned blocks = 1 + t; // and two rows of 8 threads
        wrong += sums[t] != 2 * (8 * blocks * 3005 + 28 * blocks + 8 * (blocks * (blocks - 1) / 2));
    }
    int runs = 0;
    MUST(cudaMemcpyFromSymbol(&runs, bare_runs, sizeof runs));
    printf("%d wrong, %u, %d bare\n", wrong, sums[40], runs);
}
