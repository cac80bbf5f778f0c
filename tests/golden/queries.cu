// The results of device code's queries about the device.
#include "ask.h"
__global__ void nop() {}
__global__ void kernel()
{
    int v = -1;
    size_t z = 0;
    TELL("cudaGetDevice", cudaGetDevice(&v));
    NUMBER("device", v);
    TELL("cudaGetDeviceCount", cudaGetDeviceCount(&v));
    NUMBER("count is positive", v > 0);
    TELL("cudaRuntimeGetVersion", cudaRuntimeGetVersion(&v));
    NUMBER("version", v);
    TELL("attribute", cudaDeviceGetAttribute(&v, cudaDevAttrMaxThreadsPerBlock, 0));
    NUMBER("max threads", v);
    TELL("attribute warp size", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 0));
    NUMBER("warp size", v);
    v = 7;
    TELL("attribute of device 7777", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 7777));
    NUMBER("left as it was", v);
    TELL("unknown attribute", cudaDeviceGetAttribute(&v, (cudaDeviceAttr)9999, 0));
    TELL("limit stack", cudaDeviceGetLimit(&z, cudaLimitStackSize));
    NUMBER("stack", z);
    TELL("limit fifo", cudaDeviceGetLimit(&z, cudaLimitPrintfFifoSize));
    NUMBER("fifo", z);
    TELL("limit heap", cudaDeviceGetLimit(&z, cudaLimitMallocHeapSize));
    NUMBER("heap", z);
    TELL("limit sync depth", cudaDeviceGetLimit(&z, cudaLimitDevRuntimeSyncDepth));
    NUMBER("sync depth", z);
    TELL("limit pending", cudaDeviceGetLimit(&z, cudaLimitDevRuntimePendingLaunchCount));
    NUMBER("pending", z);
    TELL("unknown limit", cudaDeviceGetLimit(&z, (cudaLimit)99));
    cudaFuncCache cache;
    TELL("cudaDeviceGetCacheConfig", cudaDeviceGetCacheConfig(&cache));
    NUMBER("cache", cache);
    cudaFuncAttributes attributes;
    TELL("cudaFuncGetAttributes", cudaFuncGetAttributes(&attributes, nop));
    NUMBER("its max threads", attributes.maxThreadsPerBlock);
    NUMBER("its shared size", attributes.sharedSizeBytes);
    TELL("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&v, nop, 128, 0));
    NUMBER("blocks of 128", v);
    TELL("occupancy with flags",
         cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&v, nop, 1024, 0, 0));
    NUMBER("blocks of 1024", v);
    printf("text: %s\n", cudaGetErrorString(cudaErrorLaunchPendingCountExceeded));
    printf("name of 9999: %s\n", cudaGetErrorName((cudaError_t)9999));
    printf("text of 9999: %s\n", cudaGetErrorString((cudaError_t)9999));
}
int main()
{
    begin();
    kernel<<<1, 1>>>();
    TELL("host synchronizes", cudaDeviceSynchronize());
}
