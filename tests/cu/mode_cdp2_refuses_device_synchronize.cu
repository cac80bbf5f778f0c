// rules: M2
// cdpcc: --cdp=2
// error: cudaDeviceSynchronize.*cudaStreamTailLaunch|candidate disabled: .*cudaStreamTailLaunch
__global__ void parent() { cudaDeviceSynchronize(); }
int main() { parent<<<1, 1>>>(); }
