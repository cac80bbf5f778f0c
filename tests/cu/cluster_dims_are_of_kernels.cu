// error: cluster_dims_are_of_kernels.cu:[0-9]+:.* error: __cluster_dims__ is allowed for __global__ functions only
__device__ __noinline__ void __cluster_dims__(2) store(int *p)
{
    *p = 1;
}
__global__ void kernel(int *p)
{
    store(p);
}
int main()
{
    kernel<<<2, 1>>>(nullptr);
}
