/* Device variables from the host. */
#include <stdint.h>

#include "cuda_runtime_api.h"

#include "api/error.h"
#include "api/register.h"
#include "api/runtime.h"
#include "exec/report/races.h"

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

/* The part of a variable that a copy names. one_way is the only valid direction besides
 * device-to-device and default. */
struct part {
    const void *symbol;
    size_t size, offset;
    enum cudaMemcpyKind kind, one_way;
};

static cudaError_t address_of(const struct part *part, char **address)
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

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t size, size_t offset,
                               enum cudaMemcpyKind kind)
{
    CDP_RACES_CALL();
    struct part part = {symbol, size, offset, kind, cudaMemcpyHostToDevice};
    char *address;
    cudaError_t error = address_of(&part, &address);
    return error != cudaSuccess ? error : cudaMemcpy(address, src, size, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_RACES_CALL();
    struct part part = {symbol, size, offset, kind, cudaMemcpyHostToDevice};
    char *address;
    cudaError_t error = address_of(&part, &address);
    return error != cudaSuccess ? error : cudaMemcpyAsync(address, src, size, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    CDP_RACES_CALL();
    struct part part = {symbol, size, offset, kind, cudaMemcpyDeviceToHost};
    char *address;
    cudaError_t error = address_of(&part, &address);
    return error != cudaSuccess ? error : cudaMemcpy(dst, address, size, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    CDP_RACES_CALL();
    struct part part = {symbol, size, offset, kind, cudaMemcpyDeviceToHost};
    char *address;
    cudaError_t error = address_of(&part, &address);
    return error != cudaSuccess ? error : cudaMemcpyAsync(dst, address, size, kind, stream);
}
