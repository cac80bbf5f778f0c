// error: error: .*reference
__global__ void kernel(int &value) { value = 1; }
__device__ int global;
__global__ void parent() { kernel<<<1, 1>>>(global); }
int main() { parent<<<1, 1>>>(); }
