/* Device variables by their symbols, for copies of the host and nodes of graphs. */
#ifndef CDP_API_SYMBOL_H
#define CDP_API_SYMBOL_H

#include <stddef.h>

#include "cuda_runtime_api.h"

#include "base/attr.h"

/* The part of a variable that a copy names. one_way is the only valid direction besides
 * device-to-device and default. */
struct cdp_symbol_part {
    const void *symbol;
    size_t size, offset;
    enum cudaMemcpyKind kind, one_way;
};
/* cudaErrorInvalidSymbol; cudaErrorInvalidMemcpyDirection; cudaErrorInvalidValue: the part is not
 * within the variable. */
cudaError_t cdp_symbol_address(const struct cdp_symbol_part *part, char **address) CDP_MUST_CHECK;

#endif
