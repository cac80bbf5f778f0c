// cdpcc: --cdp=2
// error: error: .*cudaDeviceSynchronize.*cudaStreamTailLaunch
__global__ void parent() { cudaDeviceSynchronize(); }
int main() { parent<<<1, 1>>>(); }
