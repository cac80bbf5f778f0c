// Device code that tests/driver/calls.cu loads. Its host code cannot be linked, and need not be.
void undefined();

__device__ int counter = 3;
__constant__ float factor;

extern "C" __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

extern "C" __global__ void scale(float *a, int n)
{
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    if (i < n) {
        a[i] = tile[threadIdx.x] * factor;
    }
}

__global__ void child(int *p)
{
    p[threadIdx.x] += counter;
}

extern "C" __global__ void parent(int *p)
{
    child<<<1, 32>>>(p);
}

namespace named {
__global__ void mangled(int *p)
{
    *p = 42;
}
} // namespace named

int main()
{
    undefined();
}
