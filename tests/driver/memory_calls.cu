// Registered, pinned and managed memory of the host, fills of rows, and the best size of blocks.
#include <cstdio>
#include <cstdlib>

#include <cudaProfiler.h>

#include "show.h"

__global__ void fill(int *p)
{
    p[threadIdx.x] = 1;
}

static int asked;

static size_t shared_of(int)
{
    asked++;
    return 0;
}

static unsigned flags_of(void *ptr)
{
    unsigned flags = 999;
    cuMemHostGetFlags(&flags, ptr);
    return flags;
}

static void host_memory()
{
    char *memory = (char *)aligned_alloc(4096, 8192);
    void *pinned;
    CUdeviceptr managed;
    SHOW(cuMemHostUnregister(NULL));
    SHOW(cuMemHostUnregister(memory));
    SHOW(cuMemHostRegister(memory, 8192, CU_MEMHOSTREGISTER_PORTABLE));
    SHOW(cuMemHostRegister(memory + 4096, 100, 0));
    printf("%u\n", flags_of(memory + 100));
    SHOW(cuMemHostUnregister(memory + 100));
    SHOW(cuMemHostUnregister(memory));
    SHOW(cuMemHostAlloc(&pinned, 4096, 0));
    printf("%u\n", flags_of(pinned));
    SHOW(cuMemHostRegister(pinned, 4096, 0));
    SHOW(cuMemHostUnregister(pinned));
    SHOW(cuMemFreeHost(pinned));
    SHOW(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    printf("%u\n", flags_of((void *)managed));
    SHOW(cuMemHostRegister((void *)managed, 4096, 0));
    SHOW(cuMemFree(managed));
    free(memory);
}

static void fills()
{
    CUdeviceptr memory;
    SHOW(cuMemAlloc(&memory, 1024));
    SHOW(cuMemsetD2D8(memory, 0, 1, 10, 1));
    SHOW(cuMemsetD2D8(memory, 0, 1, 10, 2));
    SHOW(cuMemsetD2D8(memory, 8, 1, 10, 2));
    SHOW(cuMemsetD2D8(memory, 8, 1, 0, 2));
    SHOW(cuMemsetD2D16(memory, 11, 1, 5, 1));
    SHOW(cuMemsetD2D16(memory, 11, 1, 5, 2));
    SHOW(cuMemsetD2D16(memory + 1, 12, 1, 5, 2));
    SHOW(cuMemFree(memory));
}

static void block_size(CUfunction function)
{
    int grid = 0, block = 0;
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, shared_of, 0, 0));
    printf("%d, asked %d\n", block, asked);
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, -5));
    SHOW(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 1 << 20, 0));
    printf("%d %d\n", grid, block);
}

static void levels()
{
    CUDA_ARRAY3D_DESCRIPTOR desc = {64, 32, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUmipmappedArray whole;
    CUarray level, again;
    SHOW(cuMipmappedArrayCreate(&whole, &desc, 4));
    SHOW(cuMipmappedArrayGetLevel(&level, whole, 1));
    SHOW(cuArrayDestroy(level));
    SHOW(cuMipmappedArrayGetLevel(&again, whole, 1));
    printf("%d\n", level == again);
    SHOW(cuMipmappedArrayDestroy(whole));
}

static void devices()
{
    CUdevice device = -1;
    char id[32];
    SHOW(cuDeviceGetPCIBusId(id, sizeof id, 0));
    for (const char *text : {"0000:00:00.0", "00:00.0", "0000:00:00", "0000:00:00.1", "0000:00:00.0z",
                             "0000:00:00.0 ", "0001:00:00.0", "00", ""}) {
        printf("%s: ", text);
        SHOW(cuDeviceGetByPCIBusId(&device, text));
    }
    int here = 0, there = 0, same = 0;
    for (int attr = 1; attr < 150; attr++) { // both APIs know the same attributes
        bool is = cuDeviceGetAttribute(&here, (CUdevice_attribute)attr, 0) == CUDA_SUCCESS;
        bool has = cudaDeviceGetAttribute(&there, (cudaDeviceAttr)attr, 0) == cudaSuccess;
        same += is == has && (!is || here == there);
    }
    printf("%d\n", same);
    SHOW(cuCtxEnablePeerAccess(NULL, 0));
    SHOW(cuCtxDisablePeerAccess(NULL));
    SHOW(cuProfilerStart());
    SHOW(cuProfilerStop());
}

static void pointers()
{
    CUdeviceptr a, b;
    unsigned on = 1, sync[2] = {7, 7}, type = 7;
    unsigned long long ids[2], again;
    int host = 0;
    SHOW(cuMemAlloc(&a, 100));
    SHOW(cuMemAlloc(&b, 100));
    SHOW(cuPointerGetAttribute(&ids[0], CU_POINTER_ATTRIBUTE_BUFFER_ID, a + 99));
    SHOW(cuPointerGetAttribute(&ids[1], CU_POINTER_ATTRIBUTE_BUFFER_ID, b));
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, a + 1));
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_IS_MANAGED, a));
    SHOW(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, (CUdeviceptr)&host));
    SHOW(cuPointerGetAttribute(&sync[0], CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, a));
    SHOW(cuPointerGetAttribute(&sync[1], CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, b));
    printf("%d %u %u\n", ids[0] != ids[1], sync[0], sync[1]);
    CUpointer_attribute attrs[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_BUFFER_ID};
    void *values[] = {&type, &again};
    SHOW(cuPointerGetAttributes(2, attrs, values, a));
    printf("%d %d\n", type == CU_MEMORYTYPE_DEVICE, again == ids[0]);
    SHOW(cuPointerGetAttributes(2, attrs, values, (CUdeviceptr)&host)); // no error, and no type
    printf("%u %llu\n", type, again);
    CUdeviceptr managed;
    int ordinal = 7;
    void *address = NULL, *found[] = {&ordinal, &address};
    CUpointer_attribute where[] = {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_HOST_POINTER};
    SHOW(cuPointerGetAttributes(2, where, found, (CUdeviceptr)&host));
    printf("%d %d\n", ordinal, address == &host);
    SHOW(cuMemAllocManaged(&managed, 100, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuPointerGetAttribute(&sync[0], CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    unsigned off = 0;
    SHOW(cuPointerSetAttribute(&off, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    SHOW(cuPointerGetAttribute(&sync[1], CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, managed));
    printf("%u %u\n", sync[0], sync[1]);
    SHOW(cuMemFree(managed));
    SHOW(cuMemFree(a));
    SHOW(cuMemAlloc(&a, 100));
    SHOW(cuPointerGetAttributes(2, attrs, values, a));
    SHOW(cuPointerGetAttribute(&sync[0], CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, a));
    printf("%d %u\n", again == ids[0], sync[0]);
    SHOW(cuMemFree(a));
    SHOW(cuMemFree(b));
}

// No array here is sparse, or has planes or mapped memory.
static void parts_of_arrays()
{
    CUarray array, plane;
    CUmipmappedArray levels;
    CUDA_ARRAY_SPARSE_PROPERTIES properties;
    CUDA_ARRAY_MEMORY_REQUIREMENTS requirements;
    CUDA_ARRAY3D_DESCRIPTOR desc = {};
    desc.Width = desc.Height = 8;
    desc.Format = CU_AD_FORMAT_FLOAT;
    desc.NumChannels = 1;
    SHOW(cuArray3DCreate(&array, &desc));
    SHOW(cuMipmappedArrayCreate(&levels, &desc, 2));
    SHOW(cuArrayGetSparseProperties(&properties, array));
    SHOW(cuMipmappedArrayGetSparseProperties(&properties, levels));
    SHOW(cuArrayGetMemoryRequirements(&requirements, array, 0));
    SHOW(cuMipmappedArrayGetMemoryRequirements(&requirements, levels, 0));
    SHOW(cuArrayGetPlane(&plane, array, 0));
    size_t most = 0;
    SHOW(cuDeviceGetTexture1DLinearMaxWidth(&most, CU_AD_FORMAT_FLOAT, 4, 0));
    printf("%zu\n", most);
    SHOW(cuDeviceGetTexture1DLinearMaxWidth(&most, CU_AD_FORMAT_FLOAT, 3, 0));
    SHOW(cuMipmappedArrayDestroy(levels));
    SHOW(cuArrayDestroy(array));
    SHOW(cuArrayGetPlane(&plane, array, 0));
    for (unsigned flags : {CUDA_ARRAY3D_SPARSE, CUDA_ARRAY3D_DEFERRED_MAPPING}) {
        desc.Flags = flags;
        SHOW(cuArray3DCreate(&array, &desc));
    }
}

static void batches()
{
    CUdeviceptr a, b;
    CUstream stream;
    char text[8] = "batches", back[8] = "";
    SHOW(cuMemAlloc(&a, 8));
    SHOW(cuMemAlloc(&b, 8));
    SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CUmemcpyAttributes attributes = {};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    CUdeviceptr to[] = {a, a + 3}, from[] = {(CUdeviceptr)text, (CUdeviceptr)(text + 3)};
    size_t sizes[] = {3, 5}, first = 0, failed = 77;
    SHOW(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, &failed, stream));
    to[1] = 0;
    SHOW(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, &failed, stream));
    printf("%zu\n", failed);
    CUDA_MEMCPY3D_BATCH_OP box = {};
    box.src.type = box.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    box.src.op.ptr.ptr = a;
    box.dst.op.ptr.ptr = b;
    box.extent = {4, 2, 1};
    box.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    SHOW(cuMemcpy3DBatchAsync(1, &box, &failed, 0, stream));
    SHOW(cuMemcpyDtoHAsync(back, b, 8, stream));
    SHOW(cuStreamSynchronize(stream));
    printf("%s\n", back);
    SHOW(cuStreamDestroy(stream));
    SHOW(cuMemFree(a));
    SHOW(cuMemFree(b));
}

int main()
{
    CUcontext context;
    cudaFunction_t function;
    SHOW(cuInit(0));
    SHOW(cuDevicePrimaryCtxRetain(&context, 0));
    SHOW(cuCtxSetCurrent(context));
    host_memory();
    fills();
    levels();
    devices();
    pointers();
    parts_of_arrays();
    batches();
    cudaGetFuncBySymbol(&function, (const void *)fill);
    block_size(function);
}
