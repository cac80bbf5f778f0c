template <typename T> __global__ void shared(T *out) { *out += 1; }
__device__ int otherValue = 21;
__device__ int twice(int x) { return 2 * x; }
__global__ void otherChild(int *out, int value) {
    *out += value;
    shared<<<1, 1>>>(out);
}
