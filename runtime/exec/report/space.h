/* Memory that is somebody's own: shared memory of a block, local memory of a thread.
 *
 * Both lie in one range of addresses, so "may this pointer be handed on?" is one compare.
 * A launch asks it of each pointer in its parameters; code built with --check=space asks
 * before it follows one (cdp_abi_check_access).  What happens then is CDP_ILLEGAL_POINTERS. */
#ifndef CDP_EXEC_REPORT_SPACE_H
#define CDP_EXEC_REPORT_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "exec/state/engine.h"

struct cdp_block;
struct cdp_engine;

/* The values of the option illegal_pointers. */
enum cdp_illegal_pointers {
    CDP_ILLEGAL_TRAP,     /* to hand one to a kernel fails the launch tree */
    CDP_ILLEGAL_WARN,     /* is reported, and so is following one; nothing fails */
    CDP_ILLEGAL_HARDWARE, /* is allowed; following one fails the tree */
};

/* A launch that hands on somebody's own memory. */
struct cdp_handover {
    struct cdp_engine *engine;
    const struct cdp_block *block;       /* the launching one; NULL: the host launches */
    const struct cdp_abi_kernel *kernel; /* that is launched */
    const void *params;
    const void *site; /* return address of the launch */
};

static inline bool cdp_private_contains(struct cdp_private_range range, uintptr_t address)
{
    return address - range.low < range.size;
}

/* Whether a pointer in the kernel's parameters leads to private memory.  On the way of
 * every launch: one compare for each pointer. */
__attribute__((always_inline)) static inline bool
cdp_space_hands_on(const struct cdp_abi_kernel *kernel, const void *params,
                   struct cdp_private_range range)
{
    const struct cdp_abi_pointer *pointer = kernel->pointers;
    const struct cdp_abi_pointer *end = pointer + kernel->pointer_count;
    for (; pointer != end; pointer++) {
        uintptr_t word;
        memcpy(&word, (const char *)params + pointer->offset, sizeof word);
        if (CDP_UNLIKELY(cdp_private_contains(range, word))) {
            return true;
        }
    }
    return false;
}

/* It does: reports it, and fails the tree where that is wanted. */
CDP_COLD void cdp_space_handed_on(const struct cdp_handover *launch,
                                  struct cdp_private_range range);

CDP_EXPORT void cdp_abi_check_access(const void *address, uint64_t size, uint32_t flags);

#endif
