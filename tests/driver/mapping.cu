// Virtual memory management: reserved addresses, memory, mappings, access.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <unistd.h>

#define SHOW(call)                                                                                 \
    do {                                                                                           \
        const CUresult result = (call);                                                            \
        const char *name = "?";                                                                    \
        cuGetErrorName(result, &name);                                                             \
        printf("%s -> %s\n", #call, name);                                                         \
    } while (0)

static CUmemAllocationProp prop;
static CUmemAccessDesc both;
static size_t g;

static void arguments()
{
    puts("== arguments");
    CUdeviceptr a = 0, b = 0;
    CUmemGenericAllocationHandle h = 0;
    size_t recommended = 0;
    SHOW(cuMemGetAllocationGranularity(&g, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    SHOW(cuMemGetAllocationGranularity(&recommended, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    printf("%zu %zu\n", g, recommended);
    SHOW(cuMemGetAllocationGranularity(nullptr, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    SHOW(cuMemGetAllocationGranularity(&g, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    SHOW(cuMemGetAllocationGranularity(&g, &prop, (CUmemAllocationGranularity_flags)5));
    SHOW(cuMemAddressReserve(&a, g + 1, 0, 0, 0));
    SHOW(cuMemAddressReserve(&a, 0, 0, 0, 0));
    SHOW(cuMemAddressReserve(&a, g, 3, 0, 0));
    SHOW(cuMemAddressReserve(&a, g, 0, 0, 1));
    SHOW(cuMemAddressReserve(nullptr, g, 0, 0, 0));
    SHOW(cuMemAddressReserve(&a, g, 16 * g, 0, 0));
    SHOW(cuMemAddressReserve(&b, g, 0, a, 0));
    printf("aligned %d, apart %d\n", a % (16 * g) == 0, a != b);
    SHOW(cuMemAddressFree(a, 4096));
    SHOW(cuMemAddressFree(a + g, g));
    SHOW(cuMemAddressFree(a, 2 * g));
    SHOW(cuMemAddressFree(a, g));
    SHOW(cuMemAddressFree(a, g));
    SHOW(cuMemAddressFree(b, g));
    SHOW(cuMemCreate(&h, g + 1, &prop, 0));
    SHOW(cuMemCreate(&h, 0, &prop, 0));
    SHOW(cuMemCreate(nullptr, g, &prop, 0));
    SHOW(cuMemCreate(&h, g, nullptr, 0));
    SHOW(cuMemCreate(&h, g, &prop, 1));
    SHOW(cuMemCreate(&h, (size_t)1 << 44, &prop, 0));
    CUmemAllocationProp other = prop;
    other.location.id = 9;
    SHOW(cuMemCreate(&h, g, &other, 0));
    SHOW(cuMemRelease(h));
    size_t before, after, total;
    cuMemGetInfo(&before, &total);
    cuMemCreate(&h, g, &prop, 0);
    cuMemGetInfo(&after, &total);
    cuMemRelease(h);
    printf("counted: %d\n", before - after == g);
}

__global__ void fill(int *p, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        p[i] += i;
    }
}

static void mappings()
{
    puts("== mappings");
    CUdeviceptr a = 0, base = 0;
    CUmemGenericAllocationHandle one = 0, two = 0, again = 0;
    SHOW(cuMemAddressReserve(&a, 4 * g, 0, 0, 0));
    SHOW(cuMemCreate(&one, g, &prop, 0));
    SHOW(cuMemCreate(&two, 2 * g, &prop, 0));
    SHOW(cuMemSetAccess(a, g, &both, 1));
    SHOW(cuMemMap(a, 3 * g, 0, two, 0));
    SHOW(cuMemMap(a + 4 * g, g, 0, one, 0));
    SHOW(cuMemMap(a, g, g, one, 0));
    SHOW(cuMemMap(a, g, 0, 12345, 0));
    SHOW(cuMemMap(a + 1, g, 0, one, 0));
    SHOW(cuMemMap(a, g, 0, one, 0));
    SHOW(cuMemMap(a, g, 0, one, 0));
    SHOW(cuMemMap(a + g, 2 * g, 0, two, 0));
    SHOW(cuMemsetD32(a, 1, 16));
    SHOW(cuMemSetAccess(a, 2 * g, &both, 1));
    SHOW(cuMemSetAccess(a, 4 * g, &both, 1));
    SHOW(cuMemSetAccess(a, 3 * g, &both, 1));
    // Across both mappings.
    SHOW(cuMemsetD32(a, 1, 3 * g / 4));
    SHOW(cuMemsetD32(a, 1, 3 * g / 4 + 1));
    fill<<<8, 256>>>((int *)a, 3 * g / 4);
    int value = 0;
    SHOW(cuMemcpyDtoH(&value, a + g + 400, sizeof value));
    printf("%d\n", value - (int)(g / 4));
    size_t size = 0;
    CUmemorytype type = CU_MEMORYTYPE_HOST;
    SHOW(cuMemGetAddressRange(&base, &size, a + 5));
    SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a + 2 * g));
    printf("%d %d\n", base == a, type == CU_MEMORYTYPE_DEVICE);
    SHOW(cuMemFree(a));
    unsigned long long flags = 9;
    SHOW(cuMemGetAccess(&flags, &both.location, a + g));
    printf("%llu\n", flags);
    SHOW(cuMemGetAccess(&flags, &both.location, a + 3 * g));
    SHOW(cuMemRetainAllocationHandle(&again, (void *)(a + 2 * g)));
    SHOW(cuMemRetainAllocationHandle(&again, (void *)(a + 3 * g)));
    printf("%d\n", again == two);
    SHOW(cuMemRelease(again));
    SHOW(cuMemRelease(two));
    SHOW(cuMemRelease(two));
    // Released memory stays while it is mapped.
    SHOW(cuMemcpyDtoH(&value, a + g + 400, sizeof value));
    SHOW(cuMemUnmap(a, g / 2));
    SHOW(cuMemUnmap(a, 2 * g));
    SHOW(cuMemAddressFree(a, 4 * g));
    SHOW(cuMemUnmap(a + g, 2 * g));
    SHOW(cuMemcpyDtoH(&value, a + g, sizeof value));
    SHOW(cuMemcpyDtoH(&value, a + 400, sizeof value));
    printf("%d\n", value);
    // The same memory at another address.
    SHOW(cuMemMap(a + 3 * g, g, 0, one, 0));
    SHOW(cuMemSetAccess(a + 3 * g, g, &both, 1));
    SHOW(cuMemsetD32(a + 3 * g, 7, 1));
    SHOW(cuMemcpyDtoH(&value, a, sizeof value));
    printf("%d\n", value);
    SHOW(cuMemUnmap(a, g));
    SHOW(cuMemUnmap(a + 3 * g, g));
    SHOW(cuMemUnmap(a, g));
    SHOW(cuMemRelease(one));
    SHOW(cuMemAddressFree(a, 4 * g));
}

static void shared()
{
    puts("== by a descriptor");
    CUdeviceptr a = 0;
    CUmemGenericAllocationHandle made = 0, got = 0;
    int fd = -1, value = 0;
    CUmemAllocationProp own = prop;
    SHOW(cuMemCreate(&made, g, &prop, 0));
    SHOW(cuMemExportToShareableHandle(&fd, made, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SHOW(cuMemRelease(made));
    own.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    SHOW(cuMemCreate(&made, g, &own, 0));
    SHOW(cuMemExportToShareableHandle(&fd, made, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SHOW(cuMemImportFromShareableHandle(&got, (void *)(size_t)9999,
                                        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    SHOW(cuMemImportFromShareableHandle(&got, (void *)(size_t)fd,
                                        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(fd);
    cuMemAddressReserve(&a, 2 * g, 0, 0, 0);
    cuMemMap(a, g, 0, made, 0);
    cuMemMap(a + g, g, 0, got, 0);
    cuMemSetAccess(a, 2 * g, &both, 1);
    cuMemsetD32(a, 11, 1);
    SHOW(cuMemcpyDtoH(&value, a + g, sizeof value));
    printf("%d\n", value);
    cuMemUnmap(a, 2 * g);
    cuMemAddressFree(a, 2 * g);
    SHOW(cuMemGetAllocationPropertiesFromHandle(&own, got));
    SHOW(cuMemRelease(made));
    SHOW(cuMemRelease(got));
}

// Without access, and read-only: a fault.
static void access()
{
    puts("== access");
    CUdeviceptr a = 0;
    CUmemGenericAllocationHandle h = 0;
    cuMemCreate(&h, g, &prop, 0);
    cuMemAddressReserve(&a, g, 0, 0, 0);
    cuMemMap(a, g, 0, h, 0);
    CUmemAccessDesc read = both;
    read.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    SHOW(cuMemSetAccess(a, g, &read, 1));
    read.flags = (CUmemAccess_flags)2;
    SHOW(cuMemSetAccess(a, g, &read, 1));
    int value = 5;
    SHOW(cuMemcpyHtoD(a, &value, sizeof value));
    SHOW(cuMemsetD32(a, 1, 1));
    SHOW(cuMemcpyDtoH(&value, a, sizeof value));
    printf("%d\n", value);
    fill<<<1, 1>>>((int *)a, 100);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main()
{
    CUcontext context;
    int supported = 0;
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    SHOW(cuMemGetAllocationGranularity(&g, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    cuInit(0);
    SHOW(cuMemGetAllocationGranularity(&g, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM)); // no context
    cuCtxCreate(&context, 0, 0);
    cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0);
    printf("%d\n", supported);
    both.location = prop.location;
    both.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    arguments();
    mappings();
    shared();
    access();
}
