// cdpcc: -arch=sm_90 -DCUDA_FORCE_CDP1_IF_SUPPORTED
// error: error: .*cudaDeviceSynchronize
__global__ void parent() { cudaDeviceSynchronize(); }
int main() { parent<<<1, 1>>>(); }
