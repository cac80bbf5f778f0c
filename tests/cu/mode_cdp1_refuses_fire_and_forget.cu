// rules: M2
// cdpcc: -arch=sm_35
// error: error: .*cudaStreamFireAndForget
__global__ void child() {}
__global__ void parent() { child<<<1, 1, 0, cudaStreamFireAndForget>>>(); }
int main() { parent<<<1, 1>>>(); }
