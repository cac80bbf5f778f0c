// The results of host calls for valid and invalid arguments.
// ask: memory copies symbols devices streams events launches functions occupancy pointers registered host_limits peers busy arrays properties reset
#include "ask.h"
#include <cstdlib>

__global__ void k(int *p)
{
    if (p) {
        *p = 1;
    }
}
__global__ void big(char *p)
{
    __shared__ char s[40000];
    s[threadIdx.x] = 1;
    p[0] = s[threadIdx.x];
}
__global__ void until(volatile int *flag, int *p)
{
    while (*flag == 0) {
    }
    *p = 2;
}
__global__ void __launch_bounds__(64) bounded(int *p)
{
    *p = 2;
}
__device__ int variable[4];
__constant__ int constants[4];
static int no_variable;
static char host[4096];
static int *device;

static const char *remembered(cudaError_t error)
{
    cudaError_t last = cudaGetLastError();
    return last == error ? "" : last == cudaSuccess ? ", not remembered" : ", another remembered";
}

// Like TELL, and whether the result became the last error.
#define ASK(key, call)                                                                             \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        printf("%s: %d %s%s\n", key, (int)error_, cudaGetErrorName(error_), remembered(error_));   \
    } while (0)

// A launch, and the synchronization after it.
#define LAUNCHED(key, ...)                                                                         \
    do {                                                                                           \
        __VA_ARGS__;                                                                               \
        cudaError_t error_ = cudaGetLastError(), later_ = cudaDeviceSynchronize();                 \
        cudaGetLastError();                                                                        \
        printf("%s: %d %s, then %d\n", key, (int)error_, cudaGetErrorName(error_), (int)later_);   \
    } while (0)

static void memory()
{
    void *p = nullptr;
    size_t pitch;
    ASK("nothing", cudaMalloc(&p, 0));
    NUMBER("nothing is NULL", p == nullptr);
    ASK("into NULL", cudaMalloc((void **)nullptr, 16));
    ASK("too much", cudaMalloc(&p, (size_t)1 << 60));
    ASK("free NULL", cudaFree(nullptr));
    ASK("nothing managed", cudaMallocManaged(&p, 0));
    ASK("nothing pinned", cudaMallocHost(&p, 0));
    ASK("pinned with unknown flags", cudaHostAlloc(&p, 16, 0xff00));
    ASK("rows of nothing", cudaMallocPitch(&p, &pitch, 0, 5));
    ASK("rows", cudaMallocPitch(&p, &pitch, 100, 3));
    NUMBER("pitch", pitch);
    ASK("free host memory", cudaFree(host));
    ASK("free inside", cudaFree(device + 1));
    ASK("free host memory as pinned", cudaFreeHost(host));
}

static void copies()
{
    ASK("nothing", cudaMemcpy(device, host, 0, cudaMemcpyHostToDevice));
    ASK("to NULL", cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
    ASK("direction 9", cudaMemcpy(device, host, 4, (cudaMemcpyKind)9));
    ASK("device to host, but host to device", cudaMemcpy(device, host, 4, cudaMemcpyDeviceToHost));
    ASK("host to device, but device to host", cudaMemcpy(host, device, 4, cudaMemcpyHostToDevice));
    ASK("device to device, but from the host",
        cudaMemcpy(device, host, 4, cudaMemcpyDeviceToDevice));
    ASK("host to host", cudaMemcpy(host, host + 64, 4, cudaMemcpyHostToHost));
    ASK("default", cudaMemcpy(device, host, 4, cudaMemcpyDefault));
    ASK("fill NULL", cudaMemset(nullptr, 0, 4));
    ASK("fill host memory", cudaMemset(host, 0, 4));
    ASK("fill rows wider than their pitch", cudaMemset2D(device, 8, 0, 16, 2));
    ASK("rows wider than their pitch",
        cudaMemcpy2D(device, 8, host, 16, 12, 2, cudaMemcpyHostToDevice));
    ASK("more than there is", cudaMemcpy(device, host, 8192, cudaMemcpyHostToDevice));
    ASK("asynchronous", cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, 0));
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    ASK("prefetch what is not managed", cudaMemPrefetchAsync(device, 4, here, 0, 0));
    ASK("advise on what is not managed",
        cudaMemAdvise(device, 4, cudaMemAdviseSetReadMostly, here));
}

static void symbols()
{
    void *p;
    size_t size;
    ASK("more than it has", cudaMemcpyToSymbol(variable, host, 17));
    ASK("beyond its end", cudaMemcpyToSymbol(variable, host, 8, 12));
    ASK("no variable", cudaMemcpyToSymbol(no_variable, host, 4));
    ASK("constants", cudaMemcpyToSymbol(constants, host, 16));
    ASK("size", cudaGetSymbolSize(&size, variable));
    ASK("address of no variable", cudaGetSymbolAddress(&p, no_variable));
    ASK("wrong direction", cudaMemcpyFromSymbol(host, variable, 4, 0, cudaMemcpyHostToDevice));
}

static void devices()
{
    int value;
    cudaDeviceProp prop;
    ASK("set device 1", cudaSetDevice(1));
    ASK("set device -1", cudaSetDevice(-1));
    ASK("device into NULL", cudaGetDevice(nullptr));
    ASK("count into NULL", cudaGetDeviceCount(nullptr));
    ASK("properties of device 3", cudaGetDeviceProperties(&prop, 3));
    ASK("attribute 9999", cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
    ASK("attribute of device 5", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 5));
    ASK("unknown flags", cudaSetDeviceFlags(0xfff));
}

static void streams()
{
    cudaStream_t s;
    ASK("unknown flags", cudaStreamCreateWithFlags(&s, 0x77));
    ASK("into NULL", cudaStreamCreate(nullptr));
    cudaStreamCreate(&s);
    ASK("destroy stream 0", cudaStreamDestroy(0));
    ASK("query", cudaStreamQuery(s));
    ASK("priority 1000", cudaStreamCreateWithPriority(&s, 0, 1000));
    ASK("destroy", cudaStreamDestroy(s));
}

static void events()
{
    cudaEvent_t a, b, untimed;
    float ms;
    ASK("unknown flags", cudaEventCreateWithFlags(&a, 0x80));
    ASK("into NULL", cudaEventCreate((cudaEvent_t *)nullptr));
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    ASK("time between none", cudaEventElapsedTime(&ms, a, b));
    ASK("query none", cudaEventQuery(a));
    ASK("wait for none", cudaEventSynchronize(a));
    ASK("record", cudaEventRecord(a));
    ASK("record another", cudaEventRecord(b));
    cudaEventSynchronize(b);
    ASK("time between", cudaEventElapsedTime(&ms, a, b));
    ASK("time into NULL", cudaEventElapsedTime(nullptr, a, b));
    ASK("record 0", cudaEventRecord(0));
    ASK("destroy 0", cudaEventDestroy(0));
    ASK("stream waits for 0", cudaStreamWaitEvent(0, 0, 0));
    ASK("stream waits with flags 7", cudaStreamWaitEvent(0, a, 7));
    cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
    cudaEventRecord(untimed);
    cudaEventSynchronize(untimed);
    ASK("time from an untimed one", cudaEventElapsedTime(&ms, untimed, a));
    ASK("for other processes, but timed",
        cudaEventCreateWithFlags(&untimed, cudaEventInterprocess));
}

static void launches()
{
    LAUNCHED("block of 1025", k<<<1, 1025>>>(device));
    LAUNCHED("no blocks", k<<<0, 1>>>(device));
    LAUNCHED("no threads", k<<<1, 0>>>(device));
    LAUNCHED("block of 32 x 64", k<<<1, dim3(32, 64)>>>(device));
    LAUNCHED("grid y 70000", k<<<dim3(1, 70000), 1>>>(device));
    LAUNCHED("shared 49153", k<<<1, 1, 49153>>>(device));
    LAUNCHED("shared 2^20", k<<<1, 1, 1 << 20>>>(device));
    LAUNCHED("shared 40000 and 9000", big<<<1, 32, 9000>>>((char *)device));
    LAUNCHED("beyond launch bounds", bounded<<<1, 128>>>(device));
    LAUNCHED("block z 128", k<<<1, dim3(1, 1, 128)>>>(device));
}

static void functions()
{
    const cudaFuncAttribute shared = cudaFuncAttributeMaxDynamicSharedMemorySize;
    cudaFuncAttributes attributes;
    void *args[] = {&device};
    ASK("all shared memory", cudaFuncSetAttribute(k, shared, 232448));
    ASK("more than that", cudaFuncSetAttribute(k, shared, 232449));
    ASK("less than none", cudaFuncSetAttribute(k, shared, -1));
    ASK("attribute 77", cudaFuncSetAttribute(k, (cudaFuncAttribute)77, 1));
    ASK("attributes of no kernel", cudaFuncGetAttributes(&attributes, host));
    ASK("attributes", cudaFuncGetAttributes(&attributes, k));
    NUMBER("most threads", attributes.maxThreadsPerBlock);
    NUMBER("constants", attributes.constSizeBytes);
    NUMBER("shared", attributes.sharedSizeBytes);
    ASK("attributes of one with bounds", cudaFuncGetAttributes(&attributes, bounded));
    NUMBER("most threads with bounds", attributes.maxThreadsPerBlock);
    ASK("cache preference 9", cudaFuncSetCacheConfig(k, (cudaFuncCache)9));
    ASK("launch", cudaLaunchKernel((void *)k, dim3(1), dim3(1), args, 0, 0));
    ASK("launch of no kernel", cudaLaunchKernel((void *)host, dim3(1), dim3(1), args, 0, 0));
    ASK("launch of NULL", cudaLaunchKernel((void *)nullptr, dim3(1), dim3(1), args, 0, 0));
}

static void occupancy()
{
    int blocks, grid;
    ASK("256 threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0));
    NUMBER("blocks of 256", blocks);
    ASK("no threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 0, 0));
    ASK("2048 threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 2048, 0));
    NUMBER("blocks of 2048", blocks);
    ASK("best", cudaOccupancyMaxPotentialBlockSize(&grid, &blocks, k, 0, 0));
    NUMBER("best block", blocks);
}

static void pointers()
{
    cudaPointerAttributes a;
    ASK("of the host", cudaPointerGetAttributes(&a, host));
    NUMBER("type of the host's", a.type);
    ASK("of the device", cudaPointerGetAttributes(&a, device));
    NUMBER("type of the device's", a.type);
    NUMBER("is the device's pointer", a.devicePointer == device);
    NUMBER("has a host's pointer", a.hostPointer != nullptr);
    ASK("NULL", cudaPointerGetAttributes(&a, nullptr));
    ASK("into NULL", cudaPointerGetAttributes(nullptr, device));
}

static void registered()
{
    void *p;
    unsigned flags;
    ASK("register", cudaHostRegister(host, sizeof host, 0));
    ASK("again", cudaHostRegister(host, sizeof host, 0));
    ASK("unregister", cudaHostUnregister(host));
    ASK("unregister again", cudaHostUnregister(host));
    ASK("device pointer", cudaHostGetDevicePointer(&p, host, 0));
    ASK("flags", cudaHostGetFlags(&flags, host));
    ASK("register NULL", cudaHostRegister(nullptr, 16, 0));
    ASK("register nothing", cudaHostRegister(host, 0, 0));
}

static void hostLimits()
{
    size_t z;
    ASK("stack 2^40", cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
    ASK("set limit 99", cudaDeviceSetLimit((cudaLimit)99, 1));
    ASK("read stack", cudaDeviceGetLimit(&z, cudaLimitStackSize));
    NUMBER("stack", z);
    ASK("read fifo", cudaDeviceGetLimit(&z, cudaLimitPrintfFifoSize));
    NUMBER("fifo", z);
    ASK("read heap", cudaDeviceGetLimit(&z, cudaLimitMallocHeapSize));
    NUMBER("heap", z);
    ASK("into NULL", cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    ASK("read pending", cudaDeviceGetLimit(&z, cudaLimitDevRuntimePendingLaunchCount));
    NUMBER("pending", z);
}

static void peers()
{
    int can;
    ASK("enable itself", cudaDeviceEnablePeerAccess(0, 0));
    ASK("can itself", cudaDeviceCanAccessPeer(&can, 0, 0));
    NUMBER("can", can);
    ASK("cache preference 7", cudaDeviceSetCacheConfig((cudaFuncCache)7));
}

static void busy()
{
    int *flag;
    cudaEvent_t event;
    cudaMallocManaged(&flag, sizeof *flag);
    cudaEventCreate(&event);
    *flag = 0;
    until<<<1, 1>>>(flag, device);
    ASK("query stream", cudaStreamQuery(0));
    ASK("record", cudaEventRecord(event));
    ASK("query event", cudaEventQuery(event));
    *(volatile int *)flag = 1;
    ASK("free what is used", cudaFree(device));
    ASK("query stream after that", cudaStreamQuery(0));
}

static void arrays()
{
    cudaArray_t a;
    cudaChannelFormatDesc odd = cudaCreateChannelDesc(13, 0, 0, 0, cudaChannelFormatKindUnsigned);
    cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>();
    cudaChannelFormatDesc three = cudaCreateChannelDesc<float3>();
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    ASK("of 13 bits", cudaMallocArray(&a, &odd, 16));
    ASK("of no width", cudaMallocArray(&a, &four, 0));
    ASK("of three channels", cudaMallocArray(&a, &three, 16));
    ASK("of floats", cudaMallocArray(&a, &one, 16, 16));
    ASK("copy wider than the pitch",
        cudaMemcpy2DToArray(a, 0, 0, host, 64, 80, 2, cudaMemcpyHostToDevice));
    ASK("free", cudaFreeArray(a));
}

static void properties()
{
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    NUMBER("warp", prop.warpSize);
    NUMBER("threads", prop.maxThreadsPerBlock);
    NUMBER("has registers", prop.regsPerBlock > 0);
    NUMBER("shared", prop.sharedMemPerBlock);
    NUMBER("major", prop.major);
    NUMBER("minor", prop.minor);
    NUMBER("grid x", prop.maxGridSize[0]);
    NUMBER("grid y", prop.maxGridSize[1]);
    NUMBER("grid z", prop.maxGridSize[2]);
    NUMBER("texture 1D", prop.maxTexture1D);
    NUMBER("unified", prop.unifiedAddressing);
    NUMBER("has a name", prop.name[0] != 0);
    printf("text of 12345: %s\n", cudaGetErrorString((cudaError_t)12345));
    printf("name of 12345: %s\n", cudaGetErrorName((cudaError_t)12345));
    printf("text of 9: %s\n", cudaGetErrorString(cudaErrorInvalidConfiguration));
}

static void reset()
{
    ASK("reset", cudaDeviceReset());
    ASK("wait after that", cudaStreamSynchronize(0));
    ASK("free what is gone", cudaFree(device));
}

static const struct {
    const char *name;
    void (*ask)();
} questions[] = {
    {"memory", memory},         {"copies", copies},         {"symbols", symbols},
    {"devices", devices},       {"streams", streams},       {"events", events},
    {"launches", launches},     {"functions", functions},   {"occupancy", occupancy},
    {"pointers", pointers},     {"registered", registered}, {"host_limits", hostLimits},
    {"peers", peers},           {"busy", busy},             {"arrays", arrays},
    {"properties", properties}, {"reset", reset},
};

int main(int argc, char **argv)
{
    begin();
    cudaMalloc(&device, 4096);
    for (const auto &question : questions) {
        if (ASKED(question.name)) {
            question.ask();
        }
    }
}
