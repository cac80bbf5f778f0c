// error: cluster_dims_are_positive.cu:[0-9]+:.* error: __cluster_dims__ needs positive numbers of blocks
template <int width> __global__ void __cluster_dims__(1, width) kernel(int *p)
{
    *p = 1;
}
int main()
{
    kernel<0><<<2, 1>>>(nullptr);
}
