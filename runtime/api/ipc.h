/* Memory of other processes, for the calls of handles and those of pools. */
#ifndef CDP_API_IPC_H
#define CDP_API_IPC_H

#include <stdbool.h>

#include "driver_types.h"

#include "mem/share.h"

struct cdp_runtime;

/* Shares an allocation of a device's memory, after all pending work. Sets the last error. */
cudaError_t cdp_ipc_share(struct cdp_runtime *runtime, const void *ptr,
                          struct cdp_share_name *name);
/* The device here to which the memory belongs: that of the same number, or the current one. */
unsigned cdp_ipc_device(const struct cdp_runtime *runtime, const struct cdp_share_name *name);
/* Closes memory of another process, after all pending work, or in the order of a stream. Sets the
 * last error. */
cudaError_t cdp_ipc_close(struct cdp_runtime *runtime, void *ptr);
cudaError_t cdp_ipc_close_async(struct cdp_runtime *runtime, void *ptr, cudaStream_t stream);
/* Whether it is the start of memory that came from a pool of another process. */
bool cdp_ipc_is_of_pool(const void *ptr);

#endif
