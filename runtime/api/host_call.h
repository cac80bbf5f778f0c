/* Host functions in streams. */
#ifndef CDP_API_HOST_CALL_H
#define CDP_API_HOST_CALL_H

#include <stdint.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"

struct cdp_runtime;

/* Queues a call of a function of the program. */
enum cdp_status cdp_host_call_queue(struct cdp_runtime *runtime, uint64_t stream,
                                    const struct cudaHostNodeParams *params) CDP_MUST_CHECK;

#endif
