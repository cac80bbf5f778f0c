// CDP1: a block may neither record nor wait for the events of another block, nor a child those of
// its parent; and a kernel may not use the host's events.
// cdpcc: --cdp=1
// races: its blocks take turns by volatile flags, which order nothing in C++
// stderr: cudaEventRecord in kernel parent, block \(1,0,0\), .*: event 0x[0-9a-f]+ belongs to another
// stderr: cudaStreamWaitEvent in kernel parent, .*: event 0x[0-9a-f]+ belongs to another
// stderr: cudaEventDestroy in kernel child, .*: event 0x[0-9a-f]+ belongs to another
// stderr: cudaEventRecord in kernel child, .*: event 0x[0-9a-f]+ was not created by device code; further ones are not reported$
#include "show.h"
__device__ cudaEvent_t event;
__device__ volatile int made, tried;
__global__ void child(cudaEvent_t parents, cudaEvent_t hosts)
{
    SHOW(cudaEventRecord(parents, 0));
    SHOW(cudaEventDestroy(parents));
    SHOW(cudaEventRecord(hosts, 0));
}
__global__ void parent(cudaEvent_t hosts)
{
    if (blockIdx.x == 0) {
        SHOW(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        made = 1;
        while (!tried) {
        }
        SHOW(cudaEventRecord(event, 0));
        child<<<1, 1>>>(event, hosts);
    } else {
        while (!made) {
        }
        SHOW(cudaEventRecord(event, 0));
        SHOW(cudaStreamWaitEvent(0, event, 0));
        tried = 1;
    }
}
int main()
{
    cudaEvent_t hosts;
    MUST(cudaEventCreate(&hosts));
    parent<<<2, 1>>>(hosts);
    SHOW(cudaDeviceSynchronize());
}
