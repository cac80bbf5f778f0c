/* Private memory: shared memory of a block, and local memory of a thread.
 *
 * Both are in one range of addresses, so one compare shows whether a pointer points to private
 * memory.  A launch tests each pointer in its parameters.  Code that was built with --check=space
 * tests each access (cdp_abi_check_access).  CDP_ILLEGAL_POINTERS sets what happens then. */
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
    CDP_ILLEGAL_TRAP,     /* a launch with such a pointer fails the launch tree */
    CDP_ILLEGAL_WARN,     /* such launches and accesses are reported; nothing fails */
    CDP_ILLEGAL_HARDWARE, /* such launches are allowed; accesses fail the launch tree */
};

/* A launch with a pointer to private memory in its parameters. */
struct cdp_handover {
    struct cdp_engine *engine;
    unsigned device;                     /* on which it is launched */
    const struct cdp_block *block;       /* the launching block; NULL: the host launches */
    const struct cdp_abi_kernel *kernel; /* the launched kernel */
    const void *params;
    const void *site; /* return address of the launch */
};

static inline bool cdp_private_contains(struct cdp_private_range range, uintptr_t address)
{
    return address - range.low < range.size;
}

/* Whether a pointer in the kernel's parameters points to private memory.  Every launch calls this,
 * so it has only one compare for each pointer. */
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

/* Reports such pointers, and fails the launch tree if CDP_ILLEGAL_POINTERS says so. */
CDP_COLD void cdp_space_report_launch(const struct cdp_handover *launch,
                                      struct cdp_private_range range);

CDP_EXPORT void cdp_abi_check_access(const void *address, uint64_t size, uint32_t flags);

#endif
