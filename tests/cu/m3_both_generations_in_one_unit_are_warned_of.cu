// warning: m3_[a-z_]*.cu:11:5: warning: no CUDA toolkit accepts both cudaDeviceSynchronize .* -arch=sm_90 .* cudaStreamTailLaunch \[-Wcdp-generation\]
// Each of the two runs as in its own generation.
#include <cstdio>
__global__ void say(int n)
{
    printf("%d\n", n);
}
__device__ void wait_for(int n)
{
    say<<<1, 1>>>(n);
    cudaDeviceSynchronize();
}
__global__ void parent()
{
    say<<<1, 1, 0, cudaStreamTailLaunch>>>(3);
    wait_for(1);
    say<<<1, 1>>>(2);
}
int main()
{
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
