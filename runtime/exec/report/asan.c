/* The head of AddressSanitizer's reports:
 *
 *     cdp: AddressSanitizer found a mistake in device code (its report follows)
 *     cdp:   in kernel child, block (0,0,0), thread (0,0,0)
 *     cdp:   child was launched by block (0,0,0) at parent (list.cu:6:45)
 *     cdp:   address 0x7f... is 0 bytes beyond the end of 400 bytes allocated at main (list.cu:9:5)
 */
#include "exec/report/asan.h"

#include "fiber/sanitizer.h"

#if CDP_ASAN

#include <stdio.h>

#include "base/attr.h"
#include "exec/report/fault.h"
#include "exec/state/executor.h"
#include "mem/describe.h"

/* AddressSanitizer calls it at the start of a report, on the thread that made the mistake. */
CDP_EXPORT void __asan_on_error(void);

static _Thread_local const char *description;

/* The running CUDA thread; NULL in host code and in the runtime. */
static struct cdp_abi_thread *running_thread(void)
{
    struct cdp_abi_thread *self = cdp_abi_self;
    return cdp_executor_here != NULL && self != NULL && cdp_fiber_of(self)->busy ? self : NULL;
}

void __asan_on_error(void)
{
    const struct cdp_abi_thread *thread = running_thread();
    char what[1200];
    if (thread == NULL) {
        return;
    }
    fprintf(stderr, "cdp: AddressSanitizer found a mistake in device code (its report follows)\n");
    cdp_fault_print_position(cdp_block_of(thread), thread);
    cdp_fault_print_launches(cdp_block_of(thread));
    const void *address = __asan_get_report_address();
    if (description != NULL) {
        fprintf(stderr, "cdp:   %s\n", description);
    } else if (cdp_describe_address(address, what, sizeof what)) {
        fprintf(stderr, "cdp:   address %p is %s\n", address, what);
    }
}

void cdp_asan_says(const char *text)
{
    description = text;
}

#endif

void cdp_asan_install(void)
{
}
