/* The check of memory: the functions that checked code calls. See abi/cdp_check.h.
 *
 * bounds.c finds the object that contains an address. memory.c judges accesses and reports them.
 * recursion.c counts the stack of recursions. host.c has the callbacks of host code. */
#ifndef CDP_CHECK_MEMORY_H
#define CDP_CHECK_MEMORY_H

#include <stdint.h>

#include "abi/cdp_check.h"
#include "base/attr.h"

CDP_EXPORT struct cdp_abi_bounds cdp_abi_bounds(const void *base);
CDP_EXPORT void cdp_abi_memory_fault(const struct cdp_abi_site *site, const void *address,
                                     uint64_t size, const void *base, uint64_t variable_size);
CDP_EXPORT void cdp_abi_recurse(const struct cdp_abi_site *site, uint64_t bytes);
CDP_EXPORT void cdp_abi_recurse_back(uint64_t bytes);

#endif
