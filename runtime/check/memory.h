/* The check of memory: the functions that checked code calls. See abi/cdp_check.h.
 *
 * bounds.c finds the object that contains an address. memory.c judges accesses and reports them.
 * recursion.c counts the stack of recursions. host.c has the callbacks of host code. */
#ifndef CDP_CHECK_MEMORY_H
#define CDP_CHECK_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_check.h"
#include "base/attr.h"

struct cdp_memory;

/* What an address in the calling thread's local memory belongs to. */
enum cdp_bounds_kind {
    CDP_LOCAL_OTHER,    /* it is not known */
    CDP_LOCAL_VARIABLE, /* a listed variable */
    CDP_LOCAL_GAP,      /* nothing: it follows a listed variable */
    CDP_LOCAL_DEAD,     /* nothing: its function has returned */
};
struct cdp_bounds_local {
    enum cdp_bounds_kind kind;
    const char *name;               /* of the variable; may be NULL */
    struct cdp_abi_bounds variable; /* size 0: none */
};

/* stack: the lowest address of the checked code's frame. */
struct cdp_bounds_local cdp_bounds_local(uintptr_t address, uintptr_t stack);
bool cdp_bounds_is_local(uintptr_t address);
/* Whether it is memory of a device to which the calling thread's device has no access. */
bool cdp_bounds_is_foreign(const struct cdp_memory *memory);
/* Whether it is memory of the host that device code may only read (cudaHostRegisterReadOnly). It
 * has no bounds. */
bool cdp_bounds_is_read_only(const struct cdp_memory *memory);
struct cdp_abi_bounds cdp_bounds_find(const void *base, uintptr_t stack);

CDP_EXPORT struct cdp_abi_bounds cdp_abi_bounds(const void *base);
CDP_EXPORT void cdp_abi_memory_fault(const struct cdp_abi_site *site, const void *address,
                                     uint64_t size, const void *base, uint64_t variable_size);
CDP_EXPORT void cdp_abi_recurse(const struct cdp_abi_site *site, uint64_t bytes);
CDP_EXPORT void cdp_abi_recurse_back(uint64_t bytes);

#endif
