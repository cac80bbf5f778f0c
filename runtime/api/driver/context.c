/* Contexts, and the stack of current contexts of each thread.
 *
 * A context is a handle with flags: all contexts of a device share its memory and streams, and all
 * contexts share the modules. What a program made in a context stays when the context is destroyed.
 * After calls of the runtime API the primary context of the thread's device is current for threads
 * without another one. The device of the current context is the thread's device of the runtime API;
 * cudaSetDevice hides a context of another device. */
#include "api/driver/driver.h"

#include <pthread.h>
#include <stdatomic.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "model/visible.h"

enum {
    CONTEXT_TAG = 0x43, /* 'C' */
    API_VERSION = 3020, /* of contexts of cuCtxCreate_v2 */
};

/* Life: until it is destroyed; the primary one for ever. */
struct context {
    unsigned flags, device;
    unsigned long long id; /* 1, 2, ... */
    bool is_primary;
};

struct entry {
    uint64_t handle; /* of a context */
    unsigned before; /* the thread's device before the entry was pushed */
};

/* A thread's current contexts. Owned by the thread. */
struct stack {
    size_t count, capacity;
    struct entry *items; /* owned; the last one is current */
};

static struct {
    struct cdp_lock lock;            /* guards all of this */
    struct cdp_handle_table handles; /* of struct context */
    unsigned long long made;         /* contexts */
    struct primary {                 /* of each device */
        struct context context;
        uint64_t handle; /* 0: not yet retained */
        unsigned count;  /* of cuDevicePrimaryCtxRetain */
        bool is_reset;   /* since it was last retained */
    } primary[CDP_MOST_DEVICES];
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_DRIVER), .handles = {.tag = CONTEXT_TAG}};

static _Atomic bool is_initialized;
static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_stack(void *data)
{
    struct stack *stack = data;
    cdp_free(stack->items);
    cdp_free(stack);
}

static void make_key(void)
{
    (void)pthread_key_create(&stack_key, free_stack);
}

/* The calling thread's stack; NULL: no memory. */
static struct stack *own_stack(void)
{
    pthread_once(&stack_once, make_key);
    struct stack *stack = pthread_getspecific(stack_key);
    if (stack == NULL && (stack = cdp_alloc_zero(sizeof *stack)) != NULL &&
        pthread_setspecific(stack_key, stack) != 0) {
        cdp_free(stack);
        stack = NULL;
    }
    return stack;
}

static bool push(uint64_t handle, unsigned device)
{
    struct stack *stack = own_stack();
    if (stack == NULL) {
        return false;
    }
    if (stack->count == stack->capacity) {
        size_t more = stack->capacity == 0 ? 4 : 2 * stack->capacity;
        struct entry *larger = cdp_realloc(stack->items, more * sizeof *larger);
        if (larger == NULL) {
            return false;
        }
        stack->items = larger;
        stack->capacity = more;
    }
    stack->items[stack->count++] = (struct entry){.handle = handle, .before = cdp_device_number};
    cdp_device_number = device;
    return true;
}

static void drop_top(struct stack *stack)
{
    cdp_device_number = stack->items[--stack->count].before;
}

static uint64_t handle_of(CUcontext context)
{
    return (uintptr_t)(void *)context;
}

static CUcontext context_of(uint64_t handle)
{
    return (CUcontext)(void *)(uintptr_t)handle;
}

/* Whether the context exists; then *device is its device. */
static bool is_live(uint64_t handle, unsigned *device)
{
    cdp_lock_acquire(&all.lock);
    const struct context *context = cdp_handle_find(&all.handles, handle);
    if (context != NULL) {
        *device = context->device;
    }
    cdp_lock_release(&all.lock);
    return context != NULL;
}

/* 0: no memory. */
static uint64_t primary(unsigned device)
{
    cdp_lock_acquire(&all.lock);
    struct primary *own = &all.primary[device];
    if (own->handle == 0) {
        own->context.is_primary = true;
        own->context.device = device;
        own->context.id = ++all.made;
        own->handle = cdp_handle_create(&all.handles, &own->context);
    }
    uint64_t handle = own->handle;
    cdp_lock_release(&all.lock);
    return handle;
}

CUcontext cdp_context_current(void)
{
    const struct stack *stack = own_stack();
    unsigned device = cdp_device_number;
    if (stack != NULL && stack->count > 0) {
        uint64_t handle = stack->items[stack->count - 1].handle;
        bool live = is_live(handle, &device);
        if (!live || device == cdp_device_number) {
            return live ? context_of(handle) : NULL;
        }
    }
    return atomic_load(&cdp_api_is_used) ? context_of(primary(cdp_device_number)) : NULL;
}

bool cdp_context_device(CUcontext context, CUdevice *device)
{
    unsigned number = cdp_device_number;
    bool is = context == NULL || is_live(handle_of(context), &number);
    *device = (CUdevice)number;
    return is;
}

/* ---- Initialization ---- */

bool cdp_driver_is_initialized(void)
{
    return atomic_load(&is_initialized) ||
           (atomic_load(&cdp_api_is_used) && cdp_runtime_running() != NULL);
}

/* A context exists only if the device works. */
static CUresult start_runtime(void)
{
    struct cdp_runtime *runtime;
    struct cdp_driver_call call = cdp_driver_call_now();
    return cdp_driver_end(&call, cdp_api_enter_any(&runtime));
}

CUresult cuInit(unsigned int flags)
{
    if (flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = cdp_visible_is_set() ? start_runtime() : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) {
        atomic_store(&is_initialized, true);
    }
    return result;
}

/* ---- Contexts ---- */

/* One way to wait, and other flags. */
static bool are_flags(unsigned flags)
{
    unsigned mode = flags & CU_CTX_SCHED_MASK;
    return (flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0 && (mode & (mode - 1)) == 0;
}

CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result == CUDA_SUCCESS && (context == NULL || !are_flags(flags))) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    result = result == CUDA_SUCCESS ? cdp_driver_check_device(&call, device) : result;
    result = result == CUDA_SUCCESS ? start_runtime() : result;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    struct context *made = cdp_alloc_zero(sizeof *made);
    if (made == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    made->flags = flags;
    made->device = (unsigned)device;
    cdp_lock_acquire(&all.lock);
    made->id = ++all.made;
    uint64_t handle = cdp_handle_create(&all.handles, made);
    cdp_lock_release(&all.lock);
    if (handle == 0 || !push(handle, (unsigned)device)) {
        if (handle != 0) {
            (void)cuCtxDestroy(context_of(handle));
        } else {
            cdp_free(made);
        }
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *context = context_of(handle);
    return CUDA_SUCCESS;
}

/* A context has the whole device, as without NVIDIA's multi-process service. */
CUresult cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *affinities, int count,
                        unsigned int flags, CUdevice device)
{
    if (affinities == NULL && count == 0) {
        return cuCtxCreate(context, flags, device);
    }
    return affinities == NULL || count <= 0 ? CUDA_ERROR_INVALID_VALUE
                                            : CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}

/* There are no graphics. */
CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *params, unsigned int flags,
                        CUdevice device)
{
    if (params == NULL) {
        return cuCtxCreate(context, flags, device);
    }
    return params->cigParams != NULL ? CUDA_ERROR_NOT_SUPPORTED
                                     : cuCtxCreate_v3(context, params->execAffinityParams,
                                                      params->numExecAffinityParams, flags, device);
}

/* Work that is pending ends first. */
CUresult cuCtxDestroy(CUcontext context)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    struct context *found = cdp_handle_find(&all.handles, handle_of(context));
    bool may = found != NULL && !found->is_primary;
    if (may) {
        cdp_handle_remove(&all.handles, handle_of(context));
    }
    cdp_lock_release(&all.lock);
    if (!may) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    unsigned device = cdp_device_number;
    cdp_device_number = found->device;
    (void)cudaDeviceSynchronize();
    cdp_device_number = device;
    cdp_free(found);
    struct stack *stack = own_stack();
    if (stack != NULL && stack->count > 0 &&
        stack->items[stack->count - 1].handle == handle_of(context)) {
        drop_top(stack);
    }
    return cdp_driver_end(&call, cudaSuccess);
}

CUresult cuCtxPushCurrent(CUcontext context)
{
    struct cdp_driver_call call;
    unsigned device;
    CUresult result = cdp_driver_begin_any(&call);
    if (result == CUDA_SUCCESS && !is_live(handle_of(context), &device)) {
        result = context == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_CONTEXT;
    }
    return result == CUDA_SUCCESS && !push(handle_of(context), device) ? CUDA_ERROR_OUT_OF_MEMORY
                                                                       : result;
}

CUresult cuCtxPopCurrent(CUcontext *context)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    struct stack *stack = own_stack();
    if (result != CUDA_SUCCESS || stack == NULL || stack->count == 0) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_CONTEXT;
    }
    uint64_t handle = stack->items[stack->count - 1].handle;
    drop_top(stack);
    if (context != NULL) {
        *context = context_of(handle);
    }
    return CUDA_SUCCESS;
}

/* Replaces the current context; NULL only removes it. */
CUresult cuCtxSetCurrent(CUcontext context)
{
    struct cdp_driver_call call;
    unsigned device = 0;
    CUresult result = cdp_driver_begin_any(&call);
    if (result == CUDA_SUCCESS && context != NULL && !is_live(handle_of(context), &device)) {
        result = CUDA_ERROR_INVALID_CONTEXT;
    }
    struct stack *stack = own_stack();
    if (result != CUDA_SUCCESS || stack == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (stack->count > 0) {
        drop_top(stack);
    }
    return context == NULL || push(handle_of(context), device) ? CUDA_SUCCESS
                                                               : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result != CUDA_SUCCESS || context == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *context = cdp_context_current();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || device == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *device = (CUdevice)cdp_device_number;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || flags == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    uint64_t handle = handle_of(cdp_context_current());
    cdp_lock_acquire(&all.lock);
    const struct context *context = cdp_handle_find(&all.handles, handle);
    *flags = context != NULL ? context->flags : 0;
    if (context != NULL && context->is_primary) { /* it always may */
        *flags |= CU_CTX_MAP_HOST;
    }
    cdp_lock_release(&all.lock);
    return CUDA_SUCCESS;
}

/* The other flags are only taken. */
CUresult cuCtxSetFlags(unsigned int flags)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || !are_flags(flags)) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    uint64_t handle = handle_of(cdp_context_current());
    cdp_lock_acquire(&all.lock);
    struct context *context = cdp_handle_find(&all.handles, handle);
    if (context != NULL) {
        context->flags =
            flags & (CU_CTX_SCHED_MASK | CU_CTX_LMEM_RESIZE_TO_MAX | CU_CTX_SYNC_MEMOPS);
    }
    cdp_lock_release(&all.lock);
    return CUDA_SUCCESS;
}

/* The start of a question about a context; NULL: the current one. */
static CUresult begin_of(CUcontext *context)
{
    struct cdp_driver_call call;
    CUdevice device;
    CUresult result = *context == NULL ? cdp_driver_begin(&call) : cdp_driver_begin_any(&call);
    *context = result == CUDA_SUCCESS && *context == NULL ? cdp_context_current() : *context;
    return result == CUDA_SUCCESS && !cdp_context_device(*context, &device)
               ? CUDA_ERROR_INVALID_CONTEXT
               : result;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long *id)
{
    CUresult result = begin_of(&context);
    if (result != CUDA_SUCCESS || id == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cdp_lock_acquire(&all.lock);
    const struct context *found = cdp_handle_find(&all.handles, handle_of(context));
    *id = found != NULL ? found->id : 0;
    cdp_lock_release(&all.lock);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
    CUresult result = begin_of(&context);
    if (result != CUDA_SUCCESS || version == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *version = API_VERSION;
    return CUDA_SUCCESS;
}

/* ---- The primary context ---- */

static CUresult begin_primary(CUdevice device, struct cdp_driver_call *call)
{
    CUresult result = cdp_driver_begin_any(call);
    return result == CUDA_SUCCESS ? cdp_driver_check_device(call, device) : result;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = begin_primary(device, &call);
    if (result == CUDA_SUCCESS && context == NULL) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    result = result == CUDA_SUCCESS ? start_runtime() : result;
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *context = context_of(primary((unsigned)device));
    cdp_lock_acquire(&all.lock);
    all.primary[device].count++;
    all.primary[device].is_reset = false;
    cdp_lock_release(&all.lock);
    return *context != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = begin_primary(device, &call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    bool was_retained = all.primary[device].count > 0;
    all.primary[device].count -= was_retained ? 1 : 0;
    cdp_lock_release(&all.lock);
    return was_retained ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    struct cdp_driver_call call;
    CUresult result = begin_primary(device, &call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    unsigned current = cdp_device_number;
    cdp_device_number = (unsigned)device;
    cudaError_t error = cudaDeviceReset();
    cdp_device_number = current;
    cdp_lock_acquire(&all.lock);
    all.primary[device].context.flags = 0;
    all.primary[device].is_reset = true;
    cdp_lock_release(&all.lock);
    if ((unsigned)device == current) {
        call.is_used = false; /* until the next call of the runtime API */
    }
    return cdp_driver_end(&call, error);
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags)
{
    struct cdp_driver_call call;
    CUresult result = begin_primary(device, &call);
    if (result == CUDA_SUCCESS && (!are_flags(flags) || (flags & CU_CTX_MAP_HOST) != 0)) {
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS) {
        cdp_lock_acquire(&all.lock);
        all.primary[device].context.flags = flags;
        cdp_lock_release(&all.lock);
    }
    return result;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *is_active)
{
    struct cdp_driver_call call;
    CUresult result = begin_primary(device, &call);
    if (result != CUDA_SUCCESS || flags == NULL || is_active == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    cdp_lock_acquire(&all.lock);
    *flags = all.primary[device].context.flags;
    bool is_used = call.is_used && (device == 0 || (unsigned)device == cdp_device_number);
    *is_active = is_used || (all.primary[device].count > 0 && !all.primary[device].is_reset);
    cdp_lock_release(&all.lock);
    return CUDA_SUCCESS;
}
