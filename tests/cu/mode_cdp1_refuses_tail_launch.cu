// rules: M2
// cdpcc: --cdp=1
// error: error: .*cudaStreamTailLaunch
__global__ void child() {}
__global__ void parent() { child<<<1, 1, 0, cudaStreamTailLaunch>>>(); }
int main() { parent<<<1, 1>>>(); }
