// Programs that import other interfaces' memory and semaphores compile. Each import is refused, with a
// message once.
// stderr: cdp: cudaImportExternalMemory: imports of other interfaces' memory are not supported
// stderr: cdp: cudaImportExternalSemaphore: imports of other interfaces' semaphores are not supported
// stderr: cdp: cudaGraphAddExternalSemaphoresWaitNode: graph nodes of .* are not supported
#include "show.h"

static void memory()
{
    cudaExternalMemory_t memory = nullptr;
    cudaExternalMemoryHandleDesc desc = {};
    desc.type = cudaExternalMemoryHandleTypeOpaqueFd;
    desc.handle.fd = -1;
    desc.size = 4096;
    desc.flags = cudaExternalMemoryDedicated;
    SHOW(cudaImportExternalMemory(&memory, &desc));
    SHOW(cudaImportExternalMemory(&memory, &desc));
    cudaExternalMemoryBufferDesc part = {};
    void *mapped;
    part.size = 16;
    SHOW(cudaExternalMemoryGetMappedBuffer(&mapped, memory, &part));
    cudaExternalMemoryMipmappedArrayDesc levels = {};
    cudaMipmappedArray_t array;
    levels.formatDesc = cudaCreateChannelDesc<float>();
    levels.extent = make_cudaExtent(4, 4, 0);
    levels.numLevels = 1;
    SHOW(cudaExternalMemoryGetMappedMipmappedArray(&array, memory, &levels));
    SHOW(cudaDestroyExternalMemory(memory));
}

static void semaphores()
{
    cudaExternalSemaphore_t semaphore = nullptr;
    cudaExternalSemaphoreHandleDesc desc = {};
    desc.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    desc.handle.fd = -1;
    SHOW(cudaImportExternalSemaphore(&semaphore, &desc));
    cudaExternalSemaphoreSignalParams signal = {};
    cudaExternalSemaphoreWaitParams wait = {};
    signal.params.fence.value = wait.params.fence.value = 1;
    wait.params.keyedMutex.timeoutMs = 1;
    SHOW(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1));
    SHOW(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr));
    SHOW(cudaDestroyExternalSemaphore(semaphore));
}

static void nodes()
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaExternalSemaphoreWaitNodeParams wait = {};
    cudaGraphNodeParams params = {};
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphAddExternalSemaphoresWaitNode(&node, graph, nullptr, 0, &wait));
    params.type = cudaGraphNodeTypeExtSemaphoreSignal;
    params.extSemSignal.numExtSems = 1;
    SHOW(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
    SHOW(cudaGraphDestroy(graph));
}

int main()
{
    memory();
    semaphores();
    nodes();
    SHOW(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                            cudaFlushGPUDirectRDMAWritesToOwner));
    SHOW(cudaGetLastError());
}
