// exit: 3
__device__ int value;
__global__ void child() { value = max(1, 3) + (int)sqrtf(0.0f); }
__global__ void parent() { child<<<1, dim3(1, 1, 1)>>>(); }
int main() {
    int result = 0;
    parent<<<1, 1>>>();
    cudaMemcpyFromSymbol(&result, value, sizeof(result));
    return result;
}
