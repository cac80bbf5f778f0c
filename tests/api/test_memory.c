/* Allocation, copies and fills, from the host. */
#include "support/suite.h"
#include "support/kernels.h"

#include <stdint.h>
#include <string.h>

CDP_TEST(allocations_are_aligned_and_do_not_overlap)
{
    char *blocks[200];
    for (size_t i = 0; i < 200; i++) {
        ck_ok(cudaMalloc((void **)&blocks[i], 1 + i * 37));
        ck_assert_uint_eq((uintptr_t)blocks[i] % 256, 0);
        ck_ok(cudaMemset(blocks[i], (int)i, 1 + i * 37));
    }
    for (size_t i = 0; i < 200; i++) {
        for (size_t j = 0; j < 1 + i * 37; j++) {
            ck_assert_int_eq((unsigned char)blocks[i][j], (int)i);
        }
        ck_ok(cudaFree(blocks[i]));
    }
}

CDP_TEST(sizes_of_zero_and_too_large_sizes_differ)
{
    void *ptr = &ptr;
    ck_ok(cudaMalloc(&ptr, 0));
    ck_assert_ptr_null(ptr);
    ck_ok(cudaFree(NULL));
    ck_ok(cudaFreeHost(NULL));
    ck_cuda(cudaErrorMemoryAllocation, cudaMalloc(&ptr, (size_t)1 << 50));
    ck_cuda(cudaErrorMemoryAllocation, cudaMalloc(&ptr, SIZE_MAX));
    ck_cuda(cudaErrorMemoryAllocation, cudaGetLastError());
    ck_ok(cudaGetLastError());
    ck_cuda(cudaErrorInvalidValue, cudaMalloc(NULL, 1));
    ptr = &ptr;
    ck_ok(cudaMallocManaged(&ptr, 0, cudaMemAttachGlobal));
    ck_assert_ptr_null(ptr);
    ck_cuda(cudaErrorInvalidValue, cudaMallocManaged(NULL, 0, cudaMemAttachGlobal));
    ck_cuda(cudaErrorInvalidValue, cudaMallocManaged(&ptr, 1, 7));
    ck_cuda(cudaErrorInvalidValue, cudaHostAlloc(&ptr, 1, 0x80));
    size_t pitch;
    ck_cuda(cudaErrorMemoryAllocation, cudaMallocPitch(&ptr, &pitch, SIZE_MAX / 2, 8));
    ck_ok(cudaMalloc(&ptr, 1));
    ck_ok(cudaFree(ptr));
}

CDP_TEST(device_memory_runs_out_and_recovers)
{
    size_t free_bytes, total;
    ck_ok(cudaMemGetInfo(&free_bytes, &total));
    ck_assert_uint_le(free_bytes, total);
    void *most, *more;
    ck_ok(cudaMalloc(&most, free_bytes - (1 << 20)));
    ck_cuda(cudaErrorMemoryAllocation, cudaMalloc(&more, 2 << 20));
    size_t left;
    ck_ok(cudaMemGetInfo(&left, &total));
    ck_assert_uint_lt(left, 2 << 20);
    ck_ok(cudaFree(most));
    ck_ok(cudaMalloc(&more, 2 << 20));
    ck_ok(cudaFree(more));
    ck_ok(cudaMemGetInfo(&left, &total));
    ck_assert_uint_eq(left, free_bytes);
}

CDP_TEST(s37_wrong_frees_are_refused)
{
    char *device, *pinned, *managed_memory, local = 0;
    ck_ok(cudaMalloc((void **)&device, 1000));
    ck_ok(cudaMallocHost((void **)&pinned, 1000));
    ck_ok(cudaMallocManaged((void **)&managed_memory, 1000, cudaMemAttachGlobal));
    ck_cuda(cudaErrorInvalidValue, cudaFree(&local));
    ck_cuda(cudaErrorInvalidValue, cudaFree(device + 256));
    ck_cuda(cudaErrorInvalidValue, cudaFree(pinned));
    ck_cuda(cudaErrorInvalidValue, cudaFreeHost(device));
    ck_cuda(cudaErrorInvalidValue, cudaFreeHost(managed_memory));
    ck_ok(cudaFree(device));
    ck_cuda(cudaErrorInvalidValue, cudaFree(device));
    ck_ok(cudaFree(managed_memory));
    ck_ok(cudaFreeHost(pinned));
}

static void allocate_on_device(void **out)
{
    if (cdp_abi_cudaMalloc(out, 1024) != cudaSuccess) {
        *out = NULL;
    }
}

CDP_TEST(s37_host_cannot_free_the_device_heap)
{
    static ffi_type *types[] = {&ffi_type_pointer};
    const void *kernel = make_kernel("allocate", (void (*)(void))allocate_on_device, types, 1);
    void **out = managed(sizeof *out);
    void *args[] = {&out};
    ck_ok(launch_one(kernel, args, NULL));
    ck_ok(cudaDeviceSynchronize());
    ck_assert_ptr_nonnull(*out);
    ck_cuda(cudaErrorInvalidValue, cudaFree(*out));
    ck_cuda(cudaErrorInvalidValue, cudaGetLastError());
}

CDP_TEST(pointers_are_classified)
{
    struct cudaPointerAttributes attr;
    char *ptr, local = 0;
    ck_ok(cudaMalloc((void **)&ptr, 100));
    ck_ok(cudaPointerGetAttributes(&attr, ptr + 50));
    ck_assert(attr.type == cudaMemoryTypeDevice && attr.device == 0);
    ck_assert(attr.devicePointer == ptr + 50 && attr.hostPointer == NULL);
    ck_ok(cudaFree(ptr));
    ck_ok(cudaPointerGetAttributes(&attr, ptr));
    ck_assert(attr.type == cudaMemoryTypeUnregistered);
    ck_ok(cudaMallocHost((void **)&ptr, 100));
    ck_ok(cudaPointerGetAttributes(&attr, ptr));
    ck_assert(attr.type == cudaMemoryTypeHost && attr.hostPointer == ptr);
    ck_ok(cudaMallocManaged((void **)&ptr, 100, cudaMemAttachGlobal));
    ck_ok(cudaPointerGetAttributes(&attr, ptr));
    ck_assert(attr.type == cudaMemoryTypeManaged);
    ck_ok(cudaPointerGetAttributes(&attr, &local));
    ck_assert(attr.type == cudaMemoryTypeUnregistered && attr.device == cudaInvalidDeviceId);
    ck_cuda(cudaErrorInvalidValue, cudaPointerGetAttributes(NULL, ptr));
}

CDP_TEST(host_memory_is_registered_once)
{
    static char memory[4096];
    void *device;
    unsigned flags;
    ck_cuda(cudaErrorInvalidValue, cudaHostGetDevicePointer(&device, memory, 0));
    ck_ok(cudaHostRegister(memory, 4096, cudaHostRegisterPortable));
    ck_cuda(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(memory + 100, 10, 0));
    ck_ok(cudaHostGetDevicePointer(&device, memory + 5, 0));
    ck_assert_ptr_eq(device, memory + 5);
    ck_ok(cudaHostGetFlags(&flags, memory));
    ck_assert_uint_eq(flags, cudaHostRegisterPortable | cudaHostRegisterMapped);
    ck_cuda(cudaErrorInvalidValue, cudaHostUnregister(memory + 1));
    ck_ok(cudaHostUnregister(memory));
    ck_cuda(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory));
    ck_cuda(cudaErrorInvalidValue, cudaHostRegister(NULL, 10, 0));
    ck_cuda(cudaErrorInvalidValue, cudaHostRegister(memory, 0, 0));
}

CDP_TEST(copies_go_both_ways_and_check_their_range)
{
    char host[256], back[256], *device;
    for (int i = 0; i < 256; i++) {
        host[i] = (char)i;
    }
    ck_ok(cudaMalloc((void **)&device, 256));
    ck_ok(cudaMemcpy(device, host, 256, cudaMemcpyHostToDevice));
    ck_ok(cudaMemcpy(back, device, 256, cudaMemcpyDeviceToHost));
    ck_assert_mem_eq(host, back, 256);
    memset(back, 0, 256);
    ck_ok(cudaMemcpy(back, device + 100, 156, cudaMemcpyDefault));
    ck_assert_mem_eq(host + 100, back, 156);
    ck_cuda(cudaErrorInvalidValue, cudaMemcpy(device, host, 257, cudaMemcpyHostToDevice));
    ck_cuda(cudaErrorInvalidValue, cudaMemcpy(device + 1, host, 256, cudaMemcpyHostToDevice));
    ck_cuda(cudaErrorInvalidValue, cudaMemcpy(back, device - 1, 1, cudaMemcpyDeviceToHost));
    ck_cuda(cudaErrorInvalidValue, cudaMemcpy(back, host, 1, cudaMemcpyHostToDevice));
    ck_cuda(cudaErrorInvalidValue, cudaMemcpy(NULL, device, 1, cudaMemcpyDeviceToHost));
    ck_cuda(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 1, (enum cudaMemcpyKind)9));
    ck_ok(cudaMemcpy(device, NULL, 0, cudaMemcpyHostToDevice));
    ck_ok(cudaMemcpy(back, host, 10, cudaMemcpyHostToHost));
    ck_cuda(cudaErrorInvalidValue, cudaMemset(host, 0, 1));
    ck_cuda(cudaErrorInvalidValue, cudaMemset(device, 0, 257));
    ck_cuda(cudaErrorInvalidDevice, cudaMemcpyPeer(device, 0, device, 1, 1));
}

CDP_TEST(rows_and_slices_are_copied)
{
    enum { WIDTH = 10, HEIGHT = 4, DEPTH = 3 };
    char host[DEPTH][HEIGHT][WIDTH], back[DEPTH][HEIGHT][WIDTH];
    for (size_t i = 0; i < sizeof host; i++) {
        ((char *)host)[i] = (char)(i + 1);
    }
    struct cudaPitchedPtr device;
    ck_ok(cudaMalloc3D(&device, (struct cudaExtent){WIDTH, HEIGHT, DEPTH}));
    ck_assert_uint_ge(device.pitch, WIDTH);
    struct cudaMemcpy3DParms up = {
        .srcPtr = {.ptr = host, .pitch = WIDTH, .xsize = WIDTH, .ysize = HEIGHT},
        .dstPtr = device,
        .extent = {WIDTH, HEIGHT, DEPTH},
        .kind = cudaMemcpyHostToDevice};
    ck_ok(cudaMemcpy3D(&up));
    struct cudaMemcpy3DParms down = {
        .srcPtr = device,
        .srcPos = {1, 1, 1},
        .dstPtr = {.ptr = back, .pitch = WIDTH, .xsize = WIDTH, .ysize = HEIGHT},
        .extent = {WIDTH - 1, HEIGHT - 1, DEPTH - 1},
        .kind = cudaMemcpyDeviceToHost};
    ck_ok(cudaMemcpy3D(&down));
    ck_assert_int_eq(back[1][2][8], host[2][3][9]);
    down.extent.depth = DEPTH + 1;
    ck_cuda(cudaErrorInvalidValue, cudaMemcpy3D(&down));
    ck_cuda(cudaErrorInvalidValue, cudaMemcpy3D(NULL));
    up.dstArray = (cudaArray_t)(void *)host;
    ck_cuda(cudaErrorInvalidResourceHandle, cudaMemcpy3D(&up));

    ck_ok(cudaMemset2D(device.ptr, device.pitch, 0x55, 3, 2));
    ck_ok(
        cudaMemcpy2D(back, WIDTH, device.ptr, device.pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
    ck_assert(back[0][1][2] == 0x55 && back[0][1][3] == host[0][1][3]);
    ck_assert(back[0][2][0] == host[0][2][0]);
    ck_cuda(cudaErrorInvalidPitchValue, cudaMemcpy2D(back, WIDTH - 1, device.ptr, device.pitch,
                                                     WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
    ck_ok(cudaMemset3D(device, 0x33, (struct cudaExtent){WIDTH, HEIGHT, DEPTH}));
    ck_ok(cudaMemcpy3D(&(struct cudaMemcpy3DParms){.srcPtr = device,
                                                   .dstPtr = up.srcPtr,
                                                   .extent = {WIDTH, HEIGHT, DEPTH},
                                                   .kind = cudaMemcpyDefault}));
    ck_assert_int_eq(host[2][3][9], 0x33);
}

/* If the rows or slices were counted one by one, this would take years. */
CDP_TEST(transfers_of_nothing_return_at_once_whatever_their_shape)
{
    const size_t huge = (size_t)1 << 60;
    char host[16] = {0}, *device;
    cudaStream_t stream;
    ck_ok(cudaMalloc((void **)&device, 16));
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(cudaMemset2D(device, 0, 1, 0, huge));
    ck_ok(cudaMemset2D(device, huge, 1, huge, 0));
    ck_ok(cudaMemset2DAsync(device, 0, 1, 0, huge, stream));
    struct cudaPitchedPtr box = {.ptr = device, .pitch = 0, .xsize = 0, .ysize = 0};
    struct cudaExtent empty[] = {{0, huge, 1}, {0, huge, huge}, {1, 0, huge}, {huge, huge, 0}};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        ck_ok(cudaMemset3D(box, 1, empty[i]));
        ck_ok(cudaMemset3DAsync(box, 1, empty[i], stream));
        struct cudaMemcpy3DParms copy = {.srcPtr = {.ptr = host},
                                         .dstPtr = box,
                                         .extent = empty[i],
                                         .kind = cudaMemcpyHostToDevice};
        ck_ok(cudaMemcpy3D(&copy));
        ck_ok(cudaMemcpy3DAsync(&copy, stream));
    }
    ck_ok(cudaMemcpy2D(device, 0, host, 0, 0, huge, cudaMemcpyHostToDevice));
    ck_ok(cudaMemcpy2DAsync(device, 0, host, 0, 0, huge, cudaMemcpyHostToDevice, stream));
    ck_ok(cudaStreamSynchronize(stream));
    ck_ok(cudaStreamDestroy(stream));
    ck_ok(cudaFree(device));
}

CDP_TEST(asynchronous_copies_keep_stream_order)
{
    atomic_int *gate = managed(sizeof *gate);
    int *pinned, *device;
    ck_ok(cudaMallocHost((void **)&pinned, 1 << 20));
    ck_ok(cudaMalloc((void **)&device, 1 << 20));
    memset(pinned, 0, 1 << 20);
    cudaStream_t stream;
    ck_ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    int value = 42;
    void *args[] = {&gate, &device, &value};
    ck_ok(cudaMemsetAsync(device, 1, 1 << 20, stream));
    ck_ok(launch_one(make_gate(), args, stream));
    ck_ok(cudaMemcpyAsync(pinned, device, 1 << 20, cudaMemcpyDeviceToHost, stream));
    ck_cuda(cudaErrorNotReady, cudaStreamQuery(stream));
    ck_assert_int_eq(pinned[0], 0);
    atomic_store(gate, 1);
    ck_ok(cudaStreamSynchronize(stream));
    ck_assert_int_eq(pinned[0], 42);
    ck_assert_int_eq(pinned[1], 0x01010101);
}

CDP_TEST(pageable_memory_may_be_reused_after_the_call)
{
    int *device, back = 0;
    ck_ok(cudaMalloc((void **)&device, 40));
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    for (int i = 0; i < 10; i++) {
        int local = i;
        ck_ok(cudaMemcpyAsync(device + i, &local, 4, cudaMemcpyHostToDevice, stream));
        local = -1;
    }
    ck_ok(cudaMemcpyAsync(&back, device + 9, 4, cudaMemcpyDeviceToHost, stream));
    ck_assert_int_eq(back, 9);
}

CDP_TEST(stream_ordered_allocation_frees_in_order)
{
    atomic_int *gate = managed(sizeof *gate);
    int value = 5, *memory;
    cudaStream_t stream;
    ck_ok(cudaStreamCreate(&stream));
    ck_ok(cudaMallocAsync((void **)&memory, 1 << 20, stream));
    void *args[] = {&gate, &memory, &value};
    ck_ok(launch_one(make_gate(), args, stream));
    ck_ok(cudaFreeAsync(memory, stream));
    struct cudaPointerAttributes attr;
    ck_ok(cudaPointerGetAttributes(&attr, memory));
    ck_assert(attr.type == cudaMemoryTypeDevice);
    atomic_store(gate, 1);
    ck_ok(cudaStreamSynchronize(stream));
    ck_ok(cudaPointerGetAttributes(&attr, memory));
    ck_assert(attr.type == cudaMemoryTypeUnregistered);
    ck_cuda(cudaErrorInvalidValue, cudaFreeAsync(memory, stream));
    ck_cuda(cudaErrorInvalidResourceHandle,
            cudaMallocAsync((void **)&memory, 1, (cudaStream_t)(void *)0x77));
    cudaMemPool_t pool;
    ck_ok(cudaDeviceGetDefaultMemPool(&pool, 0));
    uint64_t threshold = 12345, got = 0;
    ck_ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    ck_ok(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
    ck_assert_uint_eq(got, 12345);
    ck_cuda(cudaErrorInvalidValue, cudaMemPoolTrimTo(NULL, 0));
}

CDP_TEST(free_waits_for_running_work)
{
    atomic_int *gate = managed(sizeof *gate);
    int value = 5, *memory;
    ck_ok(cudaMalloc((void **)&memory, 4));
    void *args[] = {&gate, &memory, &value};
    ck_ok(launch_one(make_gate(), args, NULL));
    atomic_store(gate, 1);
    ck_ok(cudaFree(memory));
    ck_ok(cudaStreamQuery(NULL));
}

CDP_TEST(advice_is_for_managed_memory)
{
    void *memory = managed(4096), *device;
    ck_ok(cudaMalloc(&device, 4096));
    ck_ok(cudaMemAdvise(memory, 4096, cudaMemAdviseSetReadMostly, 0));
    ck_ok(cudaMemPrefetchAsync(memory, 4096, cudaCpuDeviceId, NULL));
    ck_cuda(cudaErrorInvalidValue, cudaMemAdvise(device, 10, cudaMemAdviseSetReadMostly, 0));
    ck_cuda(cudaErrorInvalidValue, cudaMemPrefetchAsync(memory, 4097, 0, NULL));
    ck_cuda(cudaErrorInvalidDevice, cudaMemPrefetchAsync(memory, 4096, 3, NULL));
}

enum { ADVISED_PAGES = 48, PAGE_BYTES = 4096 };

/* The attribute of pages from first to before end. */
static int attribute(const char *memory, int first, int end, enum cudaMemRangeAttribute attr)
{
    int value = -9;
    ck_ok(cudaMemRangeGetAttribute(&value, sizeof value, attr,
                                   memory + (ptrdiff_t)first * PAGE_BYTES,
                                   (size_t)(end - first) * PAGE_BYTES));
    return value;
}

/* The same by the advice for each page. */
static int expected(const int *pages, int first, int end, int mixed)
{
    for (int i = first; i < end; i++) {
        if (pages[i] != pages[first]) {
            return mixed;
        }
    }
    return pages[first];
}

/* Ranges of advice are cut, joined and removed.  Each page still has its own. */
CDP_TEST(advice_for_overlapping_ranges_is_that_of_each_page)
{
    const char *memory = managed((size_t)ADVISED_PAGES * PAGE_BYTES);
    int mostly[ADVISED_PAGES] = {0}, places[ADVISED_PAGES];
    for (int i = 0; i < ADVISED_PAGES; i++) {
        places[i] = cudaInvalidDeviceId;
    }
    uint32_t random = 1;
    for (int round = 0; round < 3000; round++) {
        random = random * 1664525 + 1013904223;
        int first = (int)(random >> 8) % ADVISED_PAGES;
        int end = first + 1 + (int)(random >> 16) % 7;
        end = end < ADVISED_PAGES ? end : ADVISED_PAGES;
        enum cudaMemoryAdvise advice = 1 + (random >> 28) % 4; /* the first four */
        int place = (random >> 24 & 1) != 0 ? 0 : cudaCpuDeviceId;
        ck_ok(cudaMemAdvise(memory + (ptrdiff_t)first * PAGE_BYTES,
                            (size_t)(end - first) * PAGE_BYTES, advice, place));
        for (int i = first; i < end; i++) {
            mostly[i] = advice == cudaMemAdviseSetReadMostly     ? 1
                        : advice == cudaMemAdviseUnsetReadMostly ? 0
                                                                 : mostly[i];
            places[i] = advice == cudaMemAdviseSetPreferredLocation     ? place
                        : advice == cudaMemAdviseUnsetPreferredLocation ? cudaInvalidDeviceId
                                                                        : places[i];
        }
        int from = (int)(random >> 12) % ADVISED_PAGES, to = from + 1 + (int)(random >> 20) % 4;
        to = to < ADVISED_PAGES ? to : ADVISED_PAGES;
        ck_assert_int_eq(attribute(memory, from, to, cudaMemRangeAttributeReadMostly),
                         expected(mostly, from, to, 0));
        ck_assert_int_eq(attribute(memory, from, to, cudaMemRangeAttributePreferredLocation),
                         expected(places, from, to, cudaInvalidDeviceId));
    }
}

CDP_TEST_MAIN("memory", 60)
