// Device code that tests/driver/libraries.cu loads.
__device__ int counter = 3;
__constant__ float factor;
__managed__ int managed[4];

extern "C" __global__ void add(int *p, int n)
{
    p[threadIdx.x] += n + counter;
}

extern "C" __global__ void scale(float *a, char c, double d, int n)
{
    a[threadIdx.x] *= factor + c + (float)d + n;
}

extern "C" __global__ void fill()
{
    managed[threadIdx.x] = 7 + threadIdx.x;
}
