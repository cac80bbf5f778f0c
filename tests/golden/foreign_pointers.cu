// A child that reads its parent's local or shared memory.
// ask: local shared
#include "ask.h"
__global__ void child(int *p, int *out)
{
    *out = *p;
}
__global__ void giveLocal(int *out)
{
    int x = 42;
    int *volatile p = &x;
    child<<<1, 1>>>(p, out);
    TELL("device after the launch", cudaGetLastError());
}
__global__ void giveShared(int *out)
{
    __shared__ int x;
    x = 42;
    int *volatile p = &x;
    child<<<1, 1>>>(p, out);
    TELL("device after the launch", cudaGetLastError());
}
int main(int argc, char **argv)
{
    begin();
    int *out, value = 1;
    cudaMalloc(&out, 4);
    cudaMemset(out, 0, 4);
    if (ASKED("local")) {
        giveLocal<<<1, 1>>>(out);
    } else {
        giveShared<<<1, 1>>>(out);
    }
    TELL("host synchronizes", cudaDeviceSynchronize());
    TELL("cudaMemcpy", cudaMemcpy(&value, out, 4, cudaMemcpyDeviceToHost));
    NUMBER("left as it was", value);
}
