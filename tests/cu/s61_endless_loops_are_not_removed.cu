// env: CDP_TIMEOUT=1
// workers: 2
// plain: with sanitizers the loops' processes take long to start, and CDP_TIMEOUT does not wait for them
// stderr: cudaErrorLaunchTimeout
// Loops without an end, and without an effect or with one that may be delayed: none may be removed,
// and the code after them must not run. Each runs in a process of its own, all at the same time.
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

__global__ void grow(int *a, int n)
{
    int i = threadIdx.x;
    while (i < n) {
        a[i + 1] += 1;
    }
    *a = 1;
}
__global__ void empty(int *a, int n)
{
    while (n > 0) {
    }
    *a = 1;
}
__global__ void steps_over(int *a, int n)
{
    for (unsigned odd = n; odd != 0; odd += 2) {
    }
    *a = 1;
}
__device__ int deeper(int n)
{
    return deeper(n + 2);
}
__global__ void recurses(int *a, int n)
{
    deeper(n);
    *a = 1;
}
__device__ __noinline__ int square_root(int of)
{
    int root = 0;
    while (root * root != of) {
        root++;
    }
    return root;
}
__global__ void forgets_the_result(int *a, int n)
{
    square_root(4 * n + 2);
    *a = 1;
}
__global__ void walks_a_ring(int *a, int n)
{
    void **at = (void **)a + 2 * n;
    *at = at;
    while (at != nullptr) {
        at = (void **)*at;
    }
    *a = 1;
}
__global__ void one_thread(int *a, int n)
{
    for (int i = 0; threadIdx.x == n; i++) {
    }
    __syncthreads();
    *a = 1;
}
__global__ void child(int *a, int n)
{
    while (n > 0) {
    }
}
__global__ void parent(int *a, int n)
{
    child<<<1, 32>>>(a, n);
    cudaDeviceSynchronize();
    *a = 1;
}

// 0: it ran until CDP_TIMEOUT. Otherwise it ended, for example by a stack overrun.
static int run(void (*kernel)(int *, int))
{
    int *a;
    if (cudaMallocManaged(&a, 4096) != cudaSuccess) {
        return 3;
    }
    kernel<<<1, 32>>>(a, 5);
    cudaError_t error = cudaDeviceSynchronize();
    bool is_stack = error == cudaErrorHardwareStackError && kernel == recurses;
    return *a != 0 ? 1 : error == cudaErrorLaunchTimeout || is_stack ? 0 : 2;
}

int main()
{
    const struct {
        const char *name;
        void (*kernel)(int *, int);
    } kernels[] = {{"a sum in memory", grow},
                   {"nothing", empty},
                   {"steps over its end", steps_over},
                   {"recursion", recurses},
                   {"an unused result", forgets_the_result},
                   {"a ring", walks_a_ring},
                   {"one thread before a barrier", one_thread},
                   {"a child", parent}};
    enum { COUNT = sizeof kernels / sizeof *kernels };
    pid_t children[COUNT];
    for (int i = 0; i < COUNT; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            _exit(run(kernels[i].kernel));
        }
    }
    for (int i = 0; i < COUNT; i++) {
        int status = -1;
        waitpid(children[i], &status, 0);
        printf("%s: %s\n", kernels[i].name, status == 0 ? "runs on" : "ends");
    }
}
