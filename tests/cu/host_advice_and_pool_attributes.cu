// workers: 1
// What is returned of advice for managed memory, and what pools say about their memory. An H100 printed
// the same.
#include "show.h"

enum { PAGE = 4096, PAGES = 8 };

static char *managed;
__managed__ int managed_variable[2 * PAGE];
__device__ int device_variable[PAGE];

static int attribute(cudaMemRangeAttribute attr, int first, int count)
{
    int value = 7;
    cudaError_t error =
        cudaMemRangeGetAttribute(&value, sizeof value, attr, managed + first * PAGE, count * PAGE);
    return error == cudaSuccess ? value : 1000 + (int)error;
}

static void show(const char *name, int first, int count)
{
    int by[3] = {7, 7, 7};
    cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, managed + first * PAGE,
                             count * PAGE);
    printf("%s: read mostly %d, preferred %d, prefetched %d, accessed by %d %d %d\n", name,
           attribute(cudaMemRangeAttributeReadMostly, first, count),
           attribute(cudaMemRangeAttributePreferredLocation, first, count),
           attribute(cudaMemRangeAttributeLastPrefetchLocation, first, count), by[0], by[1], by[2]);
}

static void advise(cudaMemoryAdvise advice, int first, int count, int device)
{
    SHOW(cudaMemAdvise(managed + first * PAGE, count * PAGE, advice, device));
}

static void show_pool(const char *name, cudaMemPool_t pool)
{
    const cudaMemPoolAttr attrs[] = {cudaMemPoolAttrReservedMemCurrent,
                                     cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent,
                                     cudaMemPoolAttrUsedMemHigh};
    printf("%s:", name);
    for (cudaMemPoolAttr attr : attrs) {
        unsigned long long value = 7;
        cudaMemPoolGetAttribute(pool, attr, &value);
        printf(" %llu", value);
    }
    puts("");
}

static int pools()
{
    cudaStream_t stream;
    cudaMemPool_t pool;
    void *small, *large, *other;
    unsigned long long none = 0, some = 5, all = ~0ull;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
    MUST(cudaMalloc(&other, 12345)); // not of the pool
    show_pool("before", pool);
    MUST(cudaMallocAsync(&small, 1000, stream));
    MUST(cudaMallocAsync(&large, 40 << 20, stream));
    show_pool("two", pool);
    MUST(cudaFreeAsync(large, stream));
    MUST(cudaStreamSynchronize(stream));
    show_pool("one", pool);
    MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none));
    MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &none));
    SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &some));
    show_pool("reset", pool);
    MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
    MUST(cudaMallocAsync(&large, 40 << 20, stream));
    MUST(cudaFreeAsync(large, stream));
    MUST(cudaStreamSynchronize(stream));
    show_pool("kept", pool);
    MUST(cudaMemPoolTrimTo(pool, 0));
    show_pool("trimmed", pool);
    MUST(cudaFreeAsync(small, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaMemPoolTrimTo(pool, 0));
    show_pool("none", pool);
    MUST(cudaFree(other));
    return 0;
}

// Before the first launch.
static int variables()
{
    void *address;
    cudaPointerAttributes attributes = {};
    int value = 7;
    MUST(cudaPointerGetAttributes(&attributes, managed_variable));
    printf("managed variable: type %d\n", attributes.type == cudaMemoryTypeManaged);
    SHOW(cudaMemAdvise(managed_variable, sizeof managed_variable, cudaMemAdviseSetReadMostly, 0));
    SHOW(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly,
                                  managed_variable, sizeof managed_variable));
    printf("read mostly %d\n", value);
    MUST(cudaGetSymbolAddress(&address, device_variable));
    SHOW(cudaMemAdvise(address, sizeof device_variable, cudaMemAdviseSetReadMostly, 0));
    SHOW(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, address,
                                  sizeof device_variable));
    return 0;
}

int main()
{
    if (variables() != 0) {
        return 1;
    }
    MUST(cudaMallocManaged(&managed, PAGES * PAGE));
    show("new", 0, PAGES);
    advise(cudaMemAdviseSetReadMostly, 0, PAGES, 0);
    advise(cudaMemAdviseUnsetReadMostly, 3, 1, 0);
    advise(cudaMemAdviseSetPreferredLocation, 2, 4, 0);
    advise(cudaMemAdviseSetPreferredLocation, 4, 1, cudaCpuDeviceId);
    advise(cudaMemAdviseSetAccessedBy, 0, 6, 0);
    SHOW(cudaMemPrefetchAsync(managed, 2 * PAGE, 0));
    SHOW(cudaMemPrefetchAsync(managed + 2 * PAGE, PAGE, cudaCpuDeviceId));
    MUST(cudaDeviceSynchronize());
    show("all", 0, PAGES);
    show("0 to 1", 0, 2);
    show("0 to 2", 0, 3);
    show("2", 2, 1);
    show("2 to 3", 2, 2);
    show("4", 4, 1);
    show("6", 6, 2);
    advise(cudaMemAdviseUnsetPreferredLocation, 0, PAGES, 0);
    advise(cudaMemAdviseUnsetAccessedBy, 0, 1, 0);
    show("0", 0, 1);
    show("1", 1, 1);
    MUST(cudaFree(managed));
    MUST(cudaMallocManaged(&managed, PAGES * PAGE)); // perhaps at the same address
    show("again", 0, PAGES);
    return pools();
}
