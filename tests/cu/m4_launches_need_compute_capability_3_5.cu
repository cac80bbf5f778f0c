// cdpcc: -arch=sm_30
// error: m4_[a-z_0-9]*.cu:[0-9]+:5: error: a kernel launch from device code needs compute capability 3.5 .*-arch=sm_30 was given
__global__ void child() {}
__global__ void parent()
{
    child<<<1, 1>>>();
}
int main()
{
    parent<<<1, 1>>>();
}
