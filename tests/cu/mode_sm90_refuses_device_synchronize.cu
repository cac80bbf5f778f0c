// rules: M2
// cdpcc: -arch=sm_90
// error: error: .*cudaDeviceSynchronize
__global__ void parent() { cudaDeviceSynchronize(); }
int main() { parent<<<1, 1>>>(); }
