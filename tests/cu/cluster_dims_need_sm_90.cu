// cdpcc: -arch=sm_80
// error: cluster_dims_need_sm_90.cu:[0-9]+:.* error: __cluster_dims__ needs compute capability 9.0 .*-arch=sm_80 was given
__global__ void __cluster_dims__(2, 1, 1) kernel(int *p)
{
    *p = 1;
}
int main()
{
    kernel<<<2, 1>>>(nullptr);
}
