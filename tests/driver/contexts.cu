// Flags, identities and affinity of contexts, calls without a context, limits, and handles of memory.
#include <cstdio>

#include "show.h"

static CUcontext made, other;

static unsigned flags_now()
{
    unsigned flags = 999;
    cuCtxGetFlags(&flags);
    return flags;
}

static void without_context()
{
    unsigned long long id;
    unsigned version;
    SHOW(cuMemFree(0));
    SHOW(cuMemFreeHost(NULL));
    SHOW(cuCtxSetFlags(0));
    SHOW(cuCtxGetId(NULL, &id));
    SHOW(cuCtxGetApiVersion(NULL, &version));
    SHOW(cuCtxPushCurrent(NULL));
}

static void primary_flags()
{
    unsigned flags = 0;
    int active = 0;
    CUcontext primary;
    SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_SYNC_MEMOPS));
    SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_MAP_HOST));
    SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD));
    SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("%#x %d\n", flags, active);
    SHOW(cuDevicePrimaryCtxRetain(&primary, 0));
    SHOW(cuCtxSetCurrent(primary));
    printf("%#x\n", flags_now());
    SHOW(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
    printf("%#x\n", flags_now());
    SHOW(cuDevicePrimaryCtxReset(0));
    SHOW(cuDevicePrimaryCtxGetState(0, &flags, &active));
    printf("%#x %d\n", flags, active);
    SHOW(cuCtxSetCurrent(NULL));
    SHOW(cuDevicePrimaryCtxRelease(0));
    SHOW(cuDevicePrimaryCtxRelease(0));
}

static void own_flags()
{
    unsigned long long id = 0, later = 0;
    SHOW(cuCtxCreate_v2(&made, CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD, 0));
    SHOW(cuCtxCreate_v2(&made, CU_CTX_SCHED_YIELD | CU_CTX_LMEM_RESIZE_TO_MAX, 0));
    printf("%#x\n", flags_now());
    for (unsigned flags : {1, 4, 8, 0x11, 0x80, 3, 0x100}) {
        printf("%#x: ", flags);
        SHOW(cuCtxSetFlags(flags));
        printf("%#x\n", flags_now());
    }
    SHOW(cuCtxGetId(NULL, &id));
    SHOW(cuCtxCreate_v2(&other, 0, 0));
    SHOW(cuCtxGetId(other, &later));
    printf("%d\n", id > 0 && later > id);
    SHOW(cuCtxGetId(other, NULL));
    SHOW(cuCtxGetId((CUcontext)&id, &later));
    SHOW(cuCtxDestroy(other));
}

static void affinity()
{
    int is = -1, all = 0;
    CUexecAffinityParam part = {CU_EXEC_AFFINITY_TYPE_SM_COUNT, {{8}}};
    SHOW(cuDeviceGetExecAffinitySupport(&is, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
    printf("%d\n", is);
    SHOW(cuDeviceGetExecAffinitySupport(&is, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 99));
    SHOW(cuCtxCreate_v3(&other, &part, 1, 0, 0));
    SHOW(cuCtxCreate_v3(&other, &part, 0, 0, 0));
    SHOW(cuCtxResetPersistingL2Cache());
    SHOW(cuCtxGetExecAffinity(&part, CU_EXEC_AFFINITY_TYPE_SM_COUNT));
    cuDeviceGetAttribute(&all, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
    printf("%d\n", part.param.smCount.val == (unsigned)all);
    SHOW(cuCtxGetExecAffinity(&part, CU_EXEC_AFFINITY_TYPE_MAX));
}

static void limits()
{
    size_t value = 1;
    CUsharedconfig banks;
    SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 100));
    cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE);
    printf("%zu\n", value);
    SHOW(cuCtxSetLimit(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, 0));
    cuCtxGetLimit(&value, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT);
    printf("%zu\n", value);
    SHOW(cuCtxSetLimit(CU_LIMIT_SHMEM_SIZE, 4096));
    SHOW(cuCtxGetLimit(&value, CU_LIMIT_CIG_ENABLED));
    printf("%zu\n", value);
    SHOW(cuCtxSetLimit(CU_LIMIT_CIG_ENABLED, 1));
    SHOW(cuCtxGetLimit(&value, CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED));
    SHOW(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    SHOW(cuCtxGetSharedMemConfig(&banks));
    printf("%d\n", banks);
    SHOW(cuCtxSetSharedMemConfig((CUsharedconfig)3));
}

static CUresult create(CUmemGenericAllocationHandle *handle, int types)
{
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.requestedHandleTypes = (CUmemAllocationHandleType)types;
    return cuMemCreate(handle, 2 << 20, &prop, 0);
}

static void handles()
{
    const CUmemAllocationHandleType posix = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle handle, same;
    int fd = -5;
    SHOW(create(&handle, CU_MEM_HANDLE_TYPE_WIN32));
    SHOW(create(&handle, CU_MEM_HANDLE_TYPE_WIN32_KMT | posix));
    SHOW(create(&handle, CU_MEM_HANDLE_TYPE_FABRIC));
    SHOW(create(&handle, 0x10)); // no type has this bit
    SHOW(cuMemExportToShareableHandle(&fd, handle, posix, 0));
    SHOW(cuMemExportToShareableHandle(&fd, handle, CU_MEM_HANDLE_TYPE_NONE, 0));
    printf("%d\n", fd);
    SHOW(cuMemRelease(handle));
    SHOW(cuMemImportFromShareableHandle(&same, (void *)-1, posix));
    SHOW(cuMemImportFromShareableHandle(&same, (void *)3, (CUmemAllocationHandleType)3));
    SHOW(cuMemImportFromShareableHandle(&same, (void *)3, CU_MEM_HANDLE_TYPE_FABRIC));
}

int main()
{
    SHOW(cuInit(0));
    without_context();
    primary_flags();
    own_flags();
    affinity();
    limits();
    handles();
    SHOW(cuCtxDestroy(made));
}
