/* Lazy start of all parts, in the order of their dependences. */
#include "api/runtime.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "api/error.h"
#include "api/exit.h"
#include "api/last_thread.h"
#include "api/profile.h"
#include "api/properties.h"
#include "api/unwaited.h"
#include "base/alloc.h"
#include "races/shadow.h"
#include "exec/report/finding.h"
#include "exec/state/engine.h"
#include "mem/memmap.h"
#include "os/os.h"

static struct cdp_runtime runtime = {
    .registry = {.lock = CDP_LOCK_INITIAL(CDP_RANK_REGISTRY)},
};
static pthread_once_t start_once = PTHREAD_ONCE_INIT;
static enum cdp_status start_status;
static _Atomic bool is_running;

static bool add_heap(const struct cdp_heap *heap)
{
    return cdp_shadow_add_range(heap->lo, heap->reserved);
}

/* With the race check: shadow memory of the heaps. */
static enum cdp_status add_shadow(const struct cdp_engine *engine)
{
    bool ok = true;
    for (unsigned i = 0; engine->modes.races && ok && i < runtime.device_count; i++) {
        const struct cdp_device *device = &runtime.devices[i];
        ok = add_heap(&device->memory) && add_heap(&device->device_heap);
    }
    return ok ? CDP_OK : CDP_NO_MEMORY;
}

static enum cdp_status map_engine(struct cdp_engine *engine)
{
    struct cdp_engine_ranges ranges;
    cdp_engine_ranges(engine, &ranges);
    enum cdp_status status =
        cdp_memmap_add_range(CDP_SPACE_SHARED, (void *)(uintptr_t)ranges.shared_low,
                             (void *)(uintptr_t)ranges.shared_high);
    if (status != CDP_OK) {
        return status;
    }
    return cdp_memmap_add_range(CDP_SPACE_LOCAL, (void *)(uintptr_t)ranges.local_low,
                                (void *)(uintptr_t)ranges.local_high);
}

static const char *name_of_number(int error)
{
    return cdp_error_name((cudaError_t)error);
}

static pthread_once_t count_once = PTHREAD_ONCE_INIT;

static void count_allocations(void)
{
    cdp_alloc_set_failure(cdp_options_fail_alloc(), cdp_options_fail_alloc_times());
}

void cdp_runtime_count_allocations(void)
{
    pthread_once(&count_once, count_allocations);
}

static enum cdp_status start_all(void)
{
    cdp_options_read(&runtime.options);
    cdp_finding_start(&runtime.options);
    cdp_runtime_count_allocations();
    if (atomic_load(&runtime.registry.has_lost)) {
        return CDP_NO_MEMORY;
    }
    cdp_texture_table_init(&runtime.textures);
    enum cdp_status status = cdp_devices_start(&runtime);
    if (status != CDP_OK) {
        return status;
    }
    status = cdp_engine_start(&runtime.options, &runtime.engine);
    if (status != CDP_OK) {
        return status;
    }
    status = add_shadow(runtime.engine);
    if (status != CDP_OK) {
        return status;
    }
    status = cdp_streams_create(runtime.engine, &runtime.streams);
    if (status != CDP_OK) {
        return status;
    }
    cdp_engine_set_error_name(runtime.engine, cdp_error_name_of);
    cdp_engine_set_device_error_name(runtime.engine, name_of_number);
    for (unsigned i = 0; i < runtime.device_count; i++) {
        struct cdp_device *device = &runtime.devices[i];
        cdp_property_reset_limits(&runtime, device);
        cdp_engine_set_clock(runtime.engine, i, (uint32_t)device->profile->clock_khz);
    }
    return map_engine(runtime.engine);
}

/* The workers stay in the parent. Calls in the child fail, as with CUDA, rather than wait for
 * them. */
static void end_in_child(void)
{
    start_status = CDP_NOT_PERMITTED;
    atomic_store_explicit(&is_running, false, memory_order_release);
}

static void say_why_not(void)
{
    char limit[300];
    cdp_os_describe_memory_limit(limit, sizeof limit);
    bool is_memory = start_status == CDP_NO_MEMORY;
    fprintf(stderr, "cdp: the runtime cannot start: %s%s%s%s\n", cdp_status_text(start_status),
            is_memory ? " (" : "", is_memory ? limit : "", is_memory ? ")" : "");
}

/* This holds the registry's lock.  If a join comes before, the engine gets the end of the shared
 * segments here.  A later join finds the runtime running, and sets the end itself. */
static void publish(void)
{
    cdp_lock_acquire(&runtime.registry.lock);
    cdp_engine_set_shared_segments(runtime.engine, runtime.registry.segments_end);
    /* Release pairs with the acquire in cdp_runtime_running. */
    atomic_store_explicit(&is_running, true, memory_order_release);
    cdp_lock_release(&runtime.registry.lock);
}

static void start(void)
{
    start_status = start_all();
    if (start_status == CDP_NO_DEVICE || start_status == CDP_INVALID_DEVICE) {
        return; /* the first is how programs are told to do without, the second has been said */
    }
    if (start_status != CDP_OK) {
        say_why_not();
        return;
    }
    (void)pthread_atfork(NULL, NULL, end_in_child); /* no memory: only a child may hang */
    publish();
    cdp_exit_prepare();
}

/* Starts the runtime if necessary.  NULL if that failed; then status is the reason.  Code that
 * cannot fail uses cdp_runtime_running. */
static struct cdp_runtime *get_started(enum cdp_status *status)
{
    struct cdp_runtime *running = cdp_runtime_running();
    if (CDP_LIKELY(running != NULL)) {
        return running;
    }
    pthread_once(&start_once, start);
    *status = start_status;
    return cdp_runtime_running();
}

struct cdp_runtime *cdp_runtime_running(void)
{
    /* Acquire pairs with the release in publish: a thread that sees it running sees it complete. */
    return atomic_load_explicit(&is_running, memory_order_acquire) ? &runtime : NULL;
}

struct cdp_registry *cdp_runtime_registry(void)
{
    return &runtime.registry;
}

_Atomic bool cdp_api_is_used;

static cudaError_t error_of_start(enum cdp_status status)
{
    bool is_known =
        status == CDP_NO_MEMORY || status == CDP_NO_DEVICE || status == CDP_INVALID_DEVICE;
    return is_known ? cdp_error_of(status) : cudaErrorInitializationError;
}

/* Each host call starts with this, so its time matters. */
__attribute__((always_inline)) static inline cudaError_t enter_any(struct cdp_runtime **out)
{
    /* Device code must not call either, which kernels in C could try: its wait would never end. */
    if (CDP_UNLIKELY(cdp_api_in_callback() || cdp_abi_self != NULL)) {
        return cdp_api_fail(cudaErrorNotPermitted);
    }
    cdp_last_thread_note();
    /* Relaxed: it is only compared with calls of the same thread, or of threads that wait for it.
     */
    if (CDP_UNLIKELY(!atomic_load_explicit(&cdp_api_is_used, memory_order_relaxed))) {
        atomic_store_explicit(&cdp_api_is_used, true, memory_order_relaxed);
    }
    enum cdp_status status = CDP_OK;
    *out = get_started(&status);
    if (CDP_UNLIKELY(*out == NULL)) {
        return cdp_api_fail(error_of_start(status));
    }
    cdp_engine_lend((*out)->engine);
    return cudaSuccess;
}

cudaError_t cdp_api_enter_any(struct cdp_runtime **out)
{
    return enter_any(out);
}

cudaError_t cdp_api_enter(struct cdp_runtime **out)
{
    cudaError_t error = enter_any(out);
    if (CDP_LIKELY(error == cudaSuccess) &&
        CDP_UNLIKELY(cdp_engine_fault((*out)->engine, cdp_device_number, NULL) != CDP_OK)) {
        return cdp_api_waited(*out); /* with the earlier results of device code */
    }
    return error;
}

cudaError_t cdp_api_waited(struct cdp_runtime *running)
{
    cdp_engine_flush_output(running->engine, cdp_device_number);
    cdp_unwaited_clear();
    return cdp_api_return(cdp_engine_fault(running->engine, cdp_device_number, NULL));
}

cudaError_t cdp_api_synchronized(struct cdp_runtime *running, enum cdp_status status)
{
    cudaError_t error = cdp_api_waited(running);
    if (CDP_UNLIKELY(error != cudaSuccess)) {
        return error;
    }
    _Atomic uint32_t *deferred = &cdp_device_current(running)->deferred_error;
    /* Relaxed: a thread that waited for the device code that set it sees it. */
    if (CDP_LIKELY(status == CDP_OK && atomic_load_explicit(deferred, memory_order_relaxed) == 0)) {
        return cudaSuccess;
    }
    return status != CDP_OK ? cdp_api_fail_status(status)
                            : cdp_api_fail((cudaError_t)atomic_exchange(deferred, 0));
}
