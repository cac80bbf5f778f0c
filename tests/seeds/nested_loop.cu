// Book: a kernel whose threads loop over ranges of their own, and the same with a child grid in
// place of the loop.
//
// The text does not define the work; it has no main.
#include <math.h>
#include <stdio.h>

__device__ void doSomeWork(float &data)
{
    data += 1;
}
__device__ void doMoreWork(float &data)
{
    data += 2;
}

__global__ void kernel(unsigned int *start, unsigned int *end, float *someData, float *moreData)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    doSomeWork(someData[i]);

    for (unsigned int j = start[i]; j < end[i]; ++j) {
        doMoreWork(moreData[j]);
    }
}

__global__ void kernel_child(unsigned int start, unsigned int end, float *moreData);

__global__ void kernel_parent(unsigned int *start, unsigned int *end, float *someData,
                              float *moreData)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    doSomeWork(someData[i]);
    kernel_child<<<ceil((end[i] - start[i]) / 256.0), 256>>>(start[i], end[i], moreData);
}

__global__ void kernel_child(unsigned int start, unsigned int end, float *moreData)
{
    unsigned int j = start + blockIdx.x * blockDim.x + threadIdx.x;

    if (j < end) {
        doMoreWork(moreData[j]);
    }
}

int main()
{
    const unsigned int n = 128;
    unsigned int *start, *end, total = 0, right = 0;
    float *someData, *moreData;
    cudaMallocManaged(&start, n * sizeof(int));
    cudaMallocManaged(&end, n * sizeof(int));
    for (unsigned int i = 0; i < n; i++) {
        start[i] = total;
        end[i] = total += 1 + i * 37 % 700; // a grid of no blocks would be an error
    }
    cudaMallocManaged(&someData, n * sizeof(float));
    cudaMallocManaged(&moreData, total * sizeof(float));
    cudaMemset(someData, 0, n * sizeof(float));
    cudaMemset(moreData, 0, total * sizeof(float));
    kernel<<<2, 64>>>(start, end, someData, moreData);
    kernel_parent<<<2, 64>>>(start, end, someData, moreData);
    cudaError_t error = cudaDeviceSynchronize();
    for (unsigned int i = 0; i < n; i++) {
        right += someData[i] == 2;
    }
    for (unsigned int j = 0; j < total; j++) {
        right += moreData[j] == 4;
    }
    printf("%s (%s)\n", right == n + total ? "all right" : "wrong", cudaGetErrorString(error));
}
