/* Programs that end while device code may still have to run. */
#include "api/unwaited.h"

#include <stdio.h>

#include "exec/report/finding.h"
#include "os/code.h"

_Atomic(const void *) cdp_unwaited_site;
static _Atomic(const struct cdp_abi_kernel *) unwaited_kernel; /* of that launch or a later one */

void cdp_unwaited_launched(const struct cdp_abi_kernel *kernel, const void *site)
{
    atomic_store_explicit(&unwaited_kernel, kernel, memory_order_relaxed);
    atomic_store_explicit(&cdp_unwaited_site, site, memory_order_relaxed);
}

void cdp_unwaited_report(void)
{
    const void *site = atomic_load_explicit(&cdp_unwaited_site, memory_order_relaxed);
    if (site == NULL) {
        return;
    }
    char name[256], title[400];
    cdp_os_demangle(atomic_load_explicit(&unwaited_kernel, memory_order_relaxed)->name, name,
                    sizeof name);
    snprintf(title, sizeof title, "the program ends and has not waited for its launch of %s", name);
    struct cdp_finding finding = {
        .check = CDP_CHECKS_API,
        .title = title,
        .at = {.pc = (const char *)site - 1},
        .help = "call cudaDeviceSynchronize() before the end: else the kernel may not run, and its "
                "printf output is lost",
    };
    (void)cdp_finding_report(&finding);
}
