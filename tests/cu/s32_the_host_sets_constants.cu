// races: a kernel polls what the host writes
// Every kind of copy to a constant, also while kernels run that read it.
#include "show.h"
struct Pair {
    int a, b;
};
__constant__ Pair pair = {1, 2};
__constant__ int table[4000];
__device__ int variable = 70;
__global__ void show()
{
    printf("%d %d %d %d\n", pair.a, pair.b, table[0], table[3999]);
}
__global__ void spin(const volatile int *go)
{
    while (*go == 0) {
    }
    printf("%d\n", table[1]);
}
int main()
{
    int values[4000], *address, *go, back;
    for (int i = 0; i < 4000; i++) {
        values[i] = i;
    }
    show<<<1, 1>>>();
    SHOW(cudaMemcpyToSymbol(table, values, sizeof values));
    SHOW(cudaMemcpyToSymbol(pair, values + 30, sizeof(int), offsetof(Pair, b)));
    show<<<1, 1>>>();
    SHOW(cudaGetSymbolAddress((void **)&address, table));
    SHOW(cudaMemset(address, 0, sizeof(int)));
    SHOW(cudaMemcpy(address + 3999, values + 5, sizeof(int), cudaMemcpyHostToDevice));
    show<<<1, 1>>>();
    MUST(cudaMemcpyFromSymbol(&back, variable, sizeof back));
    SHOW(cudaMemcpyAsync(address, &back, sizeof back, cudaMemcpyHostToDevice));
    show<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMemcpyFromSymbol(&back, table, sizeof back));
    printf("%d\n", back);
    MUST(cudaMallocManaged(&go, sizeof *go));
    *go = 0;
    cudaStream_t side;
    MUST(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    spin<<<1, 1>>>(go);
    for (int i = 0; i < 100; i++) {
        MUST(cudaMemcpyToSymbolAsync(table, &i, sizeof i, sizeof i, cudaMemcpyHostToDevice, side));
        MUST(cudaStreamSynchronize(side));
    }
    *go = 1;
    SHOW(cudaDeviceSynchronize());
}
