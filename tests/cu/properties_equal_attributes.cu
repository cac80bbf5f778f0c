// env: CDP_DEVICES=2 CDP_DEVICE=t4,h100
// Every number of cudaDeviceProp that cudaDeviceGetAttribute() also gives is the same there.
#include <cstdio>

#include <cuda_runtime.h>

/* EACH(attribute after cudaDevAttr, member) */
#define PAIRS(EACH)                                                                                \
    EACH(MaxThreadsPerBlock, maxThreadsPerBlock)                                                   \
    EACH(MaxBlockDimX, maxThreadsDim[0])                                                           \
    EACH(MaxBlockDimY, maxThreadsDim[1])                                                           \
    EACH(MaxBlockDimZ, maxThreadsDim[2])                                                           \
    EACH(MaxGridDimX, maxGridSize[0])                                                              \
    EACH(MaxGridDimY, maxGridSize[1])                                                              \
    EACH(MaxGridDimZ, maxGridSize[2])                                                              \
    EACH(MaxSharedMemoryPerBlock, sharedMemPerBlock)                                               \
    EACH(TotalConstantMemory, totalConstMem)                                                       \
    EACH(WarpSize, warpSize)                                                                       \
    EACH(MaxPitch, memPitch)                                                                       \
    EACH(MaxRegistersPerBlock, regsPerBlock)                                                       \
    EACH(ClockRate, clockRate)                                                                     \
    EACH(TextureAlignment, textureAlignment)                                                       \
    EACH(TexturePitchAlignment, texturePitchAlignment)                                             \
    EACH(SurfaceAlignment, surfaceAlignment)                                                       \
    EACH(GpuOverlap, deviceOverlap)                                                                \
    EACH(MultiProcessorCount, multiProcessorCount)                                                 \
    EACH(KernelExecTimeout, kernelExecTimeoutEnabled)                                              \
    EACH(Integrated, integrated)                                                                   \
    EACH(CanMapHostMemory, canMapHostMemory)                                                       \
    EACH(ComputeMode, computeMode)                                                                 \
    EACH(ConcurrentKernels, concurrentKernels)                                                     \
    EACH(EccEnabled, ECCEnabled)                                                                   \
    EACH(PciBusId, pciBusID)                                                                       \
    EACH(PciDeviceId, pciDeviceID)                                                                 \
    EACH(PciDomainId, pciDomainID)                                                                 \
    EACH(TccDriver, tccDriver)                                                                     \
    EACH(MemoryClockRate, memoryClockRate)                                                         \
    EACH(GlobalMemoryBusWidth, memoryBusWidth)                                                     \
    EACH(L2CacheSize, l2CacheSize)                                                                 \
    EACH(MaxPersistingL2CacheSize, persistingL2CacheMaxSize)                                       \
    EACH(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)                                 \
    EACH(AsyncEngineCount, asyncEngineCount)                                                       \
    EACH(UnifiedAddressing, unifiedAddressing)                                                     \
    EACH(ComputeCapabilityMajor, major)                                                            \
    EACH(ComputeCapabilityMinor, minor)                                                            \
    EACH(StreamPrioritiesSupported, streamPrioritiesSupported)                                     \
    EACH(GlobalL1CacheSupported, globalL1CacheSupported)                                           \
    EACH(LocalL1CacheSupported, localL1CacheSupported)                                             \
    EACH(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)                             \
    EACH(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)                                     \
    EACH(ManagedMemory, managedMemory)                                                             \
    EACH(IsMultiGpuBoard, isMultiGpuBoard)                                                         \
    EACH(MultiGpuBoardGroupID, multiGpuBoardGroupID)                                               \
    EACH(HostNativeAtomicSupported, hostNativeAtomicSupported)                                     \
    EACH(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio)                       \
    EACH(PageableMemoryAccess, pageableMemoryAccess)                                               \
    EACH(ConcurrentManagedAccess, concurrentManagedAccess)                                         \
    EACH(ComputePreemptionSupported, computePreemptionSupported)                                   \
    EACH(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem)                     \
    EACH(CooperativeLaunch, cooperativeLaunch)                                                     \
    EACH(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)                               \
    EACH(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)                                     \
    EACH(HostRegisterSupported, hostRegisterSupported)                                             \
    EACH(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables)           \
    EACH(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost)                           \
    EACH(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)                                   \
    EACH(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize)                                     \
    EACH(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)                                  \
    EACH(SparseCudaArraySupported, sparseCudaArraySupported)                                       \
    EACH(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported)                             \
    EACH(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported)                     \
    EACH(MemoryPoolsSupported, memoryPoolsSupported)                                               \
    EACH(GPUDirectRDMASupported, gpuDirectRDMASupported)                                           \
    EACH(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions)                         \
    EACH(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering)                                 \
    EACH(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes)                           \
    EACH(ClusterLaunch, clusterLaunch)                                                             \
    EACH(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported)                     \
    EACH(IpcEventSupport, ipcEventSupported)                                                       \
    EACH(MaxTexture1DWidth, maxTexture1D)                                                          \
    EACH(MaxTexture1DLinearWidth, maxTexture1DLinear)                                              \
    EACH(MaxTexture2DWidth, maxTexture2D[0])                                                       \
    EACH(MaxTexture2DHeight, maxTexture2D[1])                                                      \
    EACH(MaxTexture3DDepth, maxTexture3D[2])                                                       \
    EACH(MaxSurface2DHeight, maxSurface2D[1])

int main()
{
    int devices = 0;
    int differ = 0;
    cudaGetDeviceCount(&devices);
    for (int device = 0; device < devices; device++) {
        cudaDeviceProp properties;
        cudaGetDeviceProperties(&properties, device);
#define EACH(attribute, member)                                                                    \
    {                                                                                              \
        int value = -12345;                                                                        \
        cudaError_t error = cudaDeviceGetAttribute(&value, cudaDevAttr##attribute, device);        \
        if (error != cudaSuccess || (long long)properties.member != value) {                       \
            printf(#attribute " %d (%s), " #member " %lld\n", value, cudaGetErrorName(error),      \
                   (long long)properties.member);                                                  \
            differ++;                                                                              \
        }                                                                                          \
    }
        PAIRS(EACH)
    }
    printf("%d device%s, %d differ\n", devices, devices == 1 ? "" : "s", differ);
    return differ != 0;
}
