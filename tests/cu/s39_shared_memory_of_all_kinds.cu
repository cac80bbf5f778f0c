#include "show.h"
__shared__ int fileScope[8];
extern __shared__ double dynamic[];
__device__ int fromFunction(int value)
{
    __shared__ int inFunction[4];
    if (threadIdx.x < 4) {
        inFunction[threadIdx.x] = value * threadIdx.x;
    }
    __syncthreads();
    return inFunction[3];
}
template <typename T> __device__ T fromTemplate(T value)
{
    __shared__ T cell;
    if (threadIdx.x == 0) {
        cell = value;
    }
    __syncthreads();
    return cell;
}
__global__ void child(int depth, int doubles)
{
    __shared__ char name[3];
    __shared__ int matrix[2][4];
    unsigned i = threadIdx.x;
    if (i < 8) {
        fileScope[i] = 10 * i + depth;
        matrix[i / 4][i % 4] = i + 100 * depth;
    }
    if (i < 3) {
        name[i] = "ab"[i];
    }
    for (int k = i; k < doubles; k += blockDim.x) {
        dynamic[k] = k + 0.5;
    }
    __syncthreads();
    int three = fromFunction(depth);
    double cell = fromTemplate(depth + 0.25);
    if (i == 31) {
        printf("%d %d %s %g %d %g\n", fileScope[7], matrix[1][3], name,
               doubles > 0 ? dynamic[doubles - 1] : -1.0, three, cell);
        if (depth < 3) {
            child<<<1, 32, (doubles - 10) * sizeof(double)>>>(depth + 1, doubles - 10);
        }
    }
}
int main()
{
    child<<<1, 32, 30 * sizeof(double)>>>(0, 30);
    MUST(cudaDeviceSynchronize());
}
