/* "Would a GPU agree?": what a checked run relied on and hardware does not guarantee. */
#ifndef CDP_API_AGREEMENT_H
#define CDP_API_AGREEMENT_H

#include "api/check.h"

struct cdp_runtime;

/* The host has launched the kernel. For checked programs. */
void cdp_agreement_launched(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape);
/* At the end of the program: one remark, or nothing. */
void cdp_agreement_tell(struct cdp_runtime *runtime);

#endif
