/* The latest launch that the host has not waited for, for --check=api. */
#ifndef CDP_API_UNWAITED_H
#define CDP_API_UNWAITED_H

#include <stdatomic.h>
#include <stddef.h>

#include "abi/cdp_abi.h"

/* Return address of the latest launch after the last wait; NULL: there is none. Any host thread
 * sets it. */
extern _Atomic(const void *) cdp_unwaited_site;

/* The host has launched the kernel. */
void cdp_unwaited_launched(const struct cdp_abi_kernel *kernel, const void *site);
/* The host waits for something. It counts as a wait for all launches, because the order of streams
 * is not known here. */
static inline void cdp_unwaited_clear(void)
{
    if (__builtin_expect(atomic_load_explicit(&cdp_unwaited_site, memory_order_relaxed) != NULL,
                         0)) {
        atomic_store_explicit(&cdp_unwaited_site, NULL, memory_order_relaxed);
    }
}
/* At the end of the program: reports the launch, if there is one. */
void cdp_unwaited_report(void);

#endif
