// How deep launches nest, in each kind of stream.
// ask: null tail fire_and_forget
#include "ask.h"
__device__ int deepest, failed;
__global__ void level(int depth, int kind)
{
    atomicMax(&deepest, depth);
    if (depth < 60) {
        if (kind == 0) {
            level<<<1, 1>>>(depth + 1, kind);
        } else if (kind == 1) {
            level<<<1, 1, 0, cudaStreamTailLaunch>>>(depth + 1, kind);
        } else {
            level<<<1, 1, 0, cudaStreamFireAndForget>>>(depth + 1, kind);
        }
        if (cudaGetLastError() != cudaSuccess) {
            failed = depth + 1;
        }
    }
}
int main(int argc, char **argv)
{
    begin();
    level<<<1, 1>>>(0, ASKED("null") ? 0 : ASKED("tail") ? 1 : 2);
    TELL("host synchronizes", cudaDeviceSynchronize());
    int result[2] = {};
    cudaMemcpyFromSymbol(&result[0], deepest, sizeof(int));
    cudaMemcpyFromSymbol(&result[1], failed, sizeof(int));
    NUMBER("deepest", result[0]);
    NUMBER("first that failed", result[1]);
}
