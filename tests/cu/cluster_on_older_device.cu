// env: CDP_DEVICE=a100
// A device whose compute capability is below 9.0 has no clusters.
#include <cstdio>

__global__ void __cluster_dims__(2) fixed()
{
}
__global__ void plain()
{
}

int main()
{
    int has = -1;
    printf("%d", cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0));
    printf(" %d\n", has);
    fixed<<<2, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    plain<<<2, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
