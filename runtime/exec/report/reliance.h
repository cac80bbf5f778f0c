/* What device code of a checked run relied on and hardware does not guarantee. Written by tests of
 * compiled code, read at the end of the program (api/agreement.c). */
#ifndef CDP_EXEC_REPORT_RELIANCE_H
#define CDP_EXEC_REPORT_RELIANCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_check.h"

struct cdp_abi_kernel;

/* The largest amount, and where it was. Any worker may write it at any time: the place is that of
 * some amount which was the largest for a while. */
struct cdp_reliance {
    _Atomic uint64_t amount; /* 0: nothing */
    _Atomic(const struct cdp_abi_site *) site;
    _Atomic(const struct cdp_abi_kernel *) kernel;
};

extern struct cdp_reliance cdp_reliance_host_memory; /* amount: 1 */
extern struct cdp_reliance cdp_reliance_stack;       /* amount: bytes of a thread */

/* The running CUDA thread relies on the amount. */
void cdp_reliance_note(struct cdp_reliance *reliance, uint64_t amount,
                       const struct cdp_abi_site *site);

#endif
