// workers: 1 4
// stderr: a copy was given host memory that is not mapped
// races: a kernel polls a flag that the host sets
// overruns: one copy reads beyond what is mapped
#include "show.h"
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
// Copies and fills that several threads share: every byte, at any alignment, also while workers are
// busy, with overlap, and to unmapped memory.
static const size_t size = ((size_t)40 << 20) + 4321;
static bool same(const char *a, const char *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}
__global__ void hold(volatile int *gate)
{
    while (*gate == 0) {
    }
}
int main()
{
    char *host = (char *)malloc(size), *back = (char *)calloc(size, 1), *device, *other;
    for (size_t i = 0; i < size; i++) {
        host[i] = (char)(i * 2654435761u >> 13);
    }
    MUST(cudaMalloc(&device, size));
    MUST(cudaMalloc(&other, size));
    MUST(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(other + 77, device + 13, size - 100, cudaMemcpyDeviceToDevice));
    MUST(cudaMemcpy(back + 5, other + 77, size - 100, cudaMemcpyDeviceToHost));
    printf("copies: %d\n",
           same(back + 5, host + 13, size - 100) && back[4] == 0 && back[size - 95] == 0);
    MUST(cudaMemcpy(device + 1000, device, size - 1000, cudaMemcpyDeviceToDevice));
    MUST(cudaMemcpy(back, device, size, cudaMemcpyDeviceToHost));
    printf("overlap: %d\n", same(back, host, 1000) && same(back + 1000, host, size - 1000));
    MUST(cudaMemset(device + 3, 7, size - 10));
    MUST(cudaMemcpy(back, device, size, cudaMemcpyDeviceToHost));
    bool filled = back[2] == host[2] && back[size - 7] == host[size - 1007];
    for (size_t i = 3; i < size - 7; i++) {
        filled = filled && back[i] == 7;
    }
    printf("fill: %d\n", filled);
    // A worker that is busy with a kernel does not delay a copy.
    int *gate;
    cudaStream_t stream;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaHostAlloc(&gate, sizeof(int), 0));
    *(volatile int *)gate = 0;
    hold<<<1, 1, 0, stream>>>(gate);
    MUST(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(back, device, size, cudaMemcpyDeviceToHost));
    printf("beside a kernel: %d\n", same(back, host, size));
    *(volatile int *)gate = 1;
    // A host side that is too short.
    char *hole =
        (char *)mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(hole + (24 << 20), size - (24 << 20));
    printf("hole: %s\n", cudaGetErrorName(cudaMemcpy(device, hole, size, cudaMemcpyHostToDevice)));
    MUST(cudaDeviceSynchronize());
    printf("then: %s\n", cudaGetErrorName(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice)));
}
