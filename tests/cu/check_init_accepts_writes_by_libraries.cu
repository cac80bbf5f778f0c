// Writes to device memory by code without checks, here of the C library: no report where it wrote, also
// of zeros. What it did not write is still reported.
// cdpcc: --check=init
// stderr: init: read of 4 bytes of memory that nobody wrote
// stderr: in kernel sum, block \(0,0,0\), thread \(512,0,0\)
// stderr: check_init_accepts_writes_by_libraries.cu:18:59
// stderr: memory: 2048 bytes into 4096 bytes of device memory
#include <cstdio>
#include <vector>

#include "show.h"

static constexpr int count = 1024;

__global__ void sum(const int *in, int *out, int n)
{
    int i = threadIdx.x;
    if (i < n || i == n && n == count / 2) atomicAdd(out, in[i]);
}

// The file's values are at the beginning of the memory.
static void receive(FILE *file, int *device, int n)
{
    rewind(file);
    if (fread(device, sizeof(int), n, file) != (size_t)n) printf("short file\n");
}

int main()
{
    std::vector<int> values(count);
    for (int i = 0; i < count; i++) values[i] = i % 3 == 0 ? 0 : i;
    FILE *file = fmemopen(values.data(), count * sizeof(int), "r");
    int *in, *out, result;
    MUST(cudaMalloc(&in, count * sizeof(int)));
    MUST(cudaMalloc(&out, sizeof(int)));
    for (int n : {count / 4, count / 2}) {
        receive(file, in, n);
        MUST(cudaMemset(out, 0, sizeof(int)));
        sum<<<1, count>>>(in, out, n);
        MUST(cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDefault));
        printf("%d of the first %d\n", result + (n == count / 2), n);
    }
    // Also by copies of the whole memory.
    int *copy, back[count];
    MUST(cudaMalloc(&copy, sizeof back));
    receive(file, copy, count);
    MUST(cudaMemcpy(back, copy, sizeof back, cudaMemcpyDefault));
    printf("%d\n", back[count - 2]);
    fclose(file);
    MUST(cudaFree(in));
    MUST(cudaFree(out));
    MUST(cudaFree(copy));
    return 0;
}
