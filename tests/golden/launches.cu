// The results of wrong configurations and streams, on the device and on the host.
// ask: device stream_unknown stream_of_host named_by_number host_geometry host_stream host_tail
#include "ask.h"
__global__ void nop() {}
__global__ void wrong()
{
    nop<<<1, 1025>>>();
    TELL("block of 1025", cudaGetLastError());
    nop<<<0, 1>>>();
    TELL("no blocks", cudaGetLastError());
    nop<<<1, 0>>>();
    TELL("no threads", cudaGetLastError());
    nop<<<dim3(1, 65536, 1), 1>>>();
    TELL("grid y 65536", cudaGetLastError());
    nop<<<dim3(1, 1, 65536), 1>>>();
    TELL("grid z 65536", cudaGetLastError());
    nop<<<1, dim3(1, 1, 65)>>>();
    TELL("block z 65", cudaGetLastError());
    nop<<<1, dim3(32, 33)>>>();
    TELL("block 32 by 33", cudaGetLastError());
    nop<<<1, 1, 49153>>>();
    TELL("shared 49153", cudaGetLastError());
    nop<<<1, 1, 300000>>>();
    TELL("shared 300000", cudaGetLastError());
    nop<<<1, 1>>>();
    TELL("good, peeked", cudaPeekAtLastError());
    TELL("good", cudaGetLastError());
    nop<<<1, 2000>>>();
    TELL("bad, peeked", cudaPeekAtLastError());
    TELL("bad, peeked again", cudaPeekAtLastError());
    nop<<<1, 1>>>();
    TELL("a good launch after it", cudaPeekAtLastError());
    TELL("bad, taken", cudaGetLastError());
    TELL("after that", cudaGetLastError());
}
__global__ void into(cudaStream_t stream)
{
    nop<<<1, 1, 0, stream>>>();
    TELL("launch", cudaGetLastError());
}
__global__ void named()
{
    nop<<<1, 1, 0, cudaStreamTailLaunch>>>();
    TELL("tail", cudaGetLastError());
    nop<<<1, 1, 0, cudaStreamFireAndForget>>>();
    TELL("fire and forget", cudaGetLastError());
    nop<<<1, 1, 0, (cudaStream_t)1>>>();
    TELL("1", cudaGetLastError());
    nop<<<1, 1, 0, (cudaStream_t)2>>>();
    TELL("2", cudaGetLastError());
}
static void onHost()
{
    nop<<<1, 1025>>>();
    TELL("block of 1025", cudaGetLastError());
    nop<<<0, 1>>>();
    TELL("no blocks", cudaGetLastError());
    nop<<<1, 0>>>();
    TELL("no threads", cudaGetLastError());
    nop<<<dim3(1, 65536, 1), 1>>>();
    TELL("grid y 65536", cudaGetLastError());
    nop<<<1, dim3(1, 1, 65)>>>();
    TELL("block z 65", cudaGetLastError());
    nop<<<1, 1, 300000>>>();
    TELL("shared 300000", cudaGetLastError());
    nop<<<1, 1, 49153>>>();
    TELL("shared 49153", cudaGetLastError());
    TELL("after that", cudaGetLastError());
}
int main(int argc, char **argv)
{
    begin();
    if (ASKED("device")) {
        wrong<<<1, 1>>>();
    } else if (ASKED("stream_unknown")) {
        into<<<1, 1>>>((cudaStream_t)0x1234567);
    } else if (ASKED("stream_of_host")) {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        into<<<1, 1>>>(stream);
    } else if (ASKED("named_by_number")) {
        named<<<1, 1>>>();
    } else if (ASKED("host_geometry")) {
        onHost();
    } else if (ASKED("host_stream")) {
        nop<<<1, 1, 0, (cudaStream_t)0x123450>>>();
        TELL("launch", cudaGetLastError());
    } else if (ASKED("host_tail")) {
        nop<<<1, 1, 0, (cudaStream_t)3>>>();
        NUMBER("refused", cudaGetLastError() != cudaSuccess);
    }
    TELL("host synchronizes", cudaDeviceSynchronize());
}
