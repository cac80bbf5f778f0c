// cdpcc: --cdp=1
// warning: warning: .*launch
__global__ void child() {}
__host__ __device__ void launch() { child<<<1, 1>>>(); }
__global__ void parent() { launch(); }
int main() {
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
