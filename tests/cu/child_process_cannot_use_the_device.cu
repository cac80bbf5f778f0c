// The device's workers exist only in the process that started them: a child process that is forked
// later gets an error, as with CUDA, and does not wait for ever.
// workers: 1 2
#include <sys/wait.h>
#include <unistd.h>
#include "show.h"
__global__ void set(int *x) { *x = 7; }
int main() {
    int *x;
    MUST(cudaMallocManaged(&x, sizeof(int)));
    set<<<1, 1>>>(x);
    MUST(cudaDeviceSynchronize());
    pid_t child = fork();
    if (child == 0) {
        alarm(100); // if it does wait
        set<<<1, 1>>>(x);
        printf("child: %s, ", cudaGetErrorName(cudaGetLastError()));
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    set<<<1, 1>>>(x);
    MUST(cudaDeviceSynchronize());
    printf("status %d, parent: %d\n", status, *x);
}
