static __device__ int counter = 300;
static __constant__ int limit = 3000;
static __global__ void kernel(int *out) { *out += counter + limit; }
__global__ void otherParent(int *out) { kernel<<<1, 1>>>(out); }
