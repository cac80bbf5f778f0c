// The limits as the host reads and sets them.
// ask: defaults set while_running inherited
#include "ask.h"
__global__ void tell()
{
    size_t z = 0;
    TELL("device reads pending", cudaDeviceGetLimit(&z, cudaLimitDevRuntimePendingLaunchCount));
    NUMBER("device sees pending", z);
    TELL("device reads heap", cudaDeviceGetLimit(&z, cudaLimitMallocHeapSize));
    NUMBER("device sees heap", z);
    TELL("device reads stack", cudaDeviceGetLimit(&z, cudaLimitStackSize));
    NUMBER("device sees stack", z);
}
__global__ void parent()
{
    tell<<<1, 1>>>();
}
__global__ void busy(long long *out)
{
    long long until = clock64() + 50000000;
    while (clock64() < until) {
    }
    *out = 1;
}
static void tellDefaults()
{
    for (int i = 0; i < 8; i++) {
        size_t z = 0;
        char key[16];
        snprintf(key, sizeof(key), "limit %d", i);
        TELL(key, cudaDeviceGetLimit(&z, (cudaLimit)i));
        printf("%s is: %zu\n", key, z);
        cudaGetLastError();
    }
    size_t z = 0;
    TELL("limit 99", cudaDeviceGetLimit(&z, (cudaLimit)99));
}
static void set()
{
    TELL("sync depth 4", cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    TELL("stack 4096", cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    TELL("stack 2^30", cudaDeviceSetLimit(cudaLimitStackSize, 1 << 30));
    size_t z = 0;
    TELL("stack after that", cudaDeviceGetLimit(&z, cudaLimitStackSize));
    NUMBER("stack", z);
    TELL("fifo 2^20", cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    TELL("heap 2^26", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26));
    TELL("pending 8192", cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192));
    TELL("pending after that", cudaDeviceGetLimit(&z, cudaLimitDevRuntimePendingLaunchCount));
    NUMBER("pending", z);
    TELL("limit 99", cudaDeviceSetLimit((cudaLimit)99, 1));
    TELL("last error", cudaGetLastError());
}
int main(int argc, char **argv)
{
    begin();
    if (ASKED("defaults")) {
        tellDefaults();
    } else if (ASKED("set")) {
        set();
    } else if (ASKED("while_running")) {
        long long *out, result = 0;
        cudaMalloc(&out, sizeof(*out));
        cudaMemset(out, 0, sizeof(*out));
        busy<<<1, 1>>>(out);
        TELL("pending 4096", cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
        TELL("host copies", cudaMemcpy(&result, out, sizeof(result), cudaMemcpyDeviceToHost));
        NUMBER("kernel ended well", result);
        parent<<<1, 1>>>();
    } else if (ASKED("inherited")) {
        TELL("pending 4096", cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
        TELL("heap 2^25", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 25));
        TELL("stack 2048", cudaDeviceSetLimit(cudaLimitStackSize, 2048));
        parent<<<1, 1>>>();
    }
    TELL("host synchronizes", cudaDeviceSynchronize());
}
