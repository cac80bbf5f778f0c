// What is refused compiles, and says so: multicast objects, and other interfaces' memory and
// semaphores.
#include "show.h"

static void multicast(CUdevice device)
{
    CUmulticastObjectProp prop = {};
    CUmemGenericAllocationHandle handle = 0;
    size_t granularity = 0;
    int is_supported = -1;
    SHOW(cuDeviceGetAttribute(&is_supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device));
    printf("%d\n", is_supported);
    prop.numDevices = 2;
    prop.size = 2 << 20;
    SHOW(cuMulticastGetGranularity(&granularity, &prop, CU_MULTICAST_GRANULARITY_MINIMUM));
    SHOW(cuMulticastCreate(&handle, &prop));
    SHOW(cuMulticastAddDevice(handle, device));
    SHOW(cuMulticastBindMem(handle, 0, 0, 0, 4096, 0));
    SHOW(cuMulticastBindAddr(handle, 0, 0, 4096, 0));
    SHOW(cuMulticastUnbind(handle, device, 0, 4096));
}

static void semaphores()
{
    CUexternalSemaphore semaphore = nullptr;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC desc = {};
    CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal = {};
    CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait = {};
    desc.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
    desc.handle.fd = -1;
    SHOW(cuImportExternalSemaphore(&semaphore, &desc));
    SHOW(cuSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr));
    SHOW(cuWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr));
    SHOW(cuDestroyExternalSemaphore(semaphore));
}

static void memory()
{
    CUexternalMemory memory = nullptr;
    CUDA_EXTERNAL_MEMORY_HANDLE_DESC desc = {};
    CUDA_EXTERNAL_MEMORY_BUFFER_DESC part = {};
    CUdeviceptr mapped;
    desc.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    desc.handle.fd = -1;
    SHOW(cuImportExternalMemory(&memory, &desc));
    SHOW(cuExternalMemoryGetMappedBuffer(&mapped, memory, &part));
    SHOW(cuDestroyExternalMemory(memory));
}

static void nodes()
{
    CUgraph graph;
    CUgraphNode node;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS signal = {};
    CUgraphNodeParams params = {};
    SHOW(cuGraphCreate(&graph, 0));
    SHOW(cuGraphAddExternalSemaphoresSignalNode(&node, graph, nullptr, 0, &signal));
    params.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
    params.extSemWait.numExtSems = 1;
    SHOW(cuGraphAddNode(&node, graph, nullptr, 0, &params));
}

int main()
{
    CUdevice device;
    CUcontext context;
    SHOW(cuInit(0));
    SHOW(cuDeviceGet(&device, 0));
    multicast(device);
    SHOW(cuDevicePrimaryCtxRetain(&context, device));
    SHOW(cuCtxSetCurrent(context));
    semaphores();
    memory();
    nodes();
    SHOW(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                    CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
}
