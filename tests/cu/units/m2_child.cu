__global__ void child(int *count) { atomicAdd(count, 1); }
