/* Device variables from the host. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/symbol.h"

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/register.h"
#include "api/runtime.h"
#include "base/lock.h"
#include "exec/report/guard.h"
#include "exec/report/profile.h"
#include "exec/report/races.h"
#include "os/code.h"

static cudaError_t find(const void *symbol, const struct cdp_abi_variable **variable)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    *variable = cdp_registry_find_variable(symbol);
    if (*variable != NULL) {
        return cudaSuccess;
    }
    return cdp_api_fail(cdp_registry_is_whole() ? cudaErrorInvalidSymbol
                                                : cudaErrorMemoryAllocation);
}

cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol)
{
    CDP_PROFILE_CALL();
    const struct cdp_abi_variable *variable;
    cudaError_t error = find(symbol, &variable);
    if (error != cudaSuccess) {
        return error;
    }
    if (ptr == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *ptr = variable->address;
    return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    CDP_PROFILE_CALL();
    const struct cdp_abi_variable *variable;
    cudaError_t error = find(symbol, &variable);
    if (error != cudaSuccess) {
        return error;
    }
    if (size == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *size = variable->size;
    return cudaSuccess;
}

cudaError_t cdp_symbol_address(const struct cdp_symbol_part *part, char **address)
{
    const struct cdp_abi_variable *variable;
    cudaError_t error = find(part->symbol, &variable);
    if (error != cudaSuccess) {
        return error;
    }
    if (part->kind != part->one_way && part->kind != cudaMemcpyDeviceToDevice &&
        part->kind != cudaMemcpyDefault) {
        return cdp_api_fail(cudaErrorInvalidMemcpyDirection);
    }
    if (part->offset > variable->size || part->size > variable->size - part->offset) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *address = (char *)variable->address + part->offset;
    return cudaSuccess;
}

/* ---- With several devices ----
 *
 * CUDA has one instance of a variable for each device, and here there is one for all. A program
 * that gives them different values gets wrong results, so it is told, once. */

/* A write by a host's copy. */
struct written {
    const struct cdp_abi_variable *variable; /* NULL: unused */
    unsigned device;                         /* the current one of the copy */
};
static struct {
    struct cdp_lock lock;
    struct written latest[64] CDP_GUARDED_BY(&lock); /* by variable; a collision forgets one */
} writes = {.lock = CDP_LOCK_INITIAL(CDP_RANK_OUTPUT)};
static atomic_flag was_told = ATOMIC_FLAG_INIT;

struct comparison {
    const void *left, *right;
    size_t size;
    bool differs;
};

static void compare(void *data)
{
    struct comparison *comparison = data;
    comparison->differs = memcmp(comparison->left, comparison->right, comparison->size) != 0;
}

/* The number of the device that has written the variable last, or that of the caller. */
static unsigned note_writer(const struct cdp_abi_variable *variable)
{
    enum { SLOTS = sizeof writes.latest / sizeof *writes.latest };
    size_t slot = (uintptr_t)variable / sizeof *variable % SLOTS;
    unsigned before = cdp_device_number;
    cdp_lock_acquire(&writes.lock);
    if (writes.latest[slot].variable == variable) {
        before = writes.latest[slot].device;
    }
    writes.latest[slot] = (struct written){.variable = variable, .device = cdp_device_number};
    cdp_lock_release(&writes.lock);
    return before;
}

CDP_COLD static void check_instances(const struct cdp_symbol_part *part, const char *address,
                                     const void *src)
{
    const struct cdp_abi_variable *variable = cdp_registry_find_variable(part->symbol);
    const void *wrong;
    struct comparison comparison = {.left = address, .right = src, .size = part->size};
    unsigned before = note_writer(variable);
    if ((variable->flags & CDP_VARIABLE_MANAGED) == 0 && before != cdp_device_number &&
        cdp_guard_run(compare, &comparison, &wrong) && comparison.differs &&
        !atomic_flag_test_and_set(&was_told)) {
        char name[256];
        cdp_os_demangle(variable->name, name, sizeof name);
        fprintf(
            stderr,
            "cdp: device %u writes other values to '%s' than device %u did: device variables "
            "have one instance, which all devices share, so kernels of device %u see them, too\n",
            cdp_device_number, name, before, before);
    }
}

static void note_copy(const struct cdp_symbol_part *part, const char *address, const void *src)
{
    if (CDP_UNLIKELY(cdp_runtime_running()->device_count > 1)) {
        check_instances(part, address, src);
    }
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t size, size_t offset,
                               enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyHostToDevice};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    if (error != cudaSuccess) {
        return error;
    }
    note_copy(&part, address, src);
    return cudaMemcpy(address, src, size, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyHostToDevice};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    if (error != cudaSuccess) {
        return error;
    }
    note_copy(&part, address, src);
    return cudaMemcpyAsync(address, src, size, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyDeviceToHost};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess ? error : cudaMemcpy(dst, address, size, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    CDP_RACES_CALL();
    struct cdp_symbol_part part = {symbol, size, offset, kind, cudaMemcpyDeviceToHost};
    char *address;
    cudaError_t error = cdp_symbol_address(&part, &address);
    return error != cudaSuccess ? error : cudaMemcpyAsync(dst, address, size, kind, stream);
}
