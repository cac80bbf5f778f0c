/* cdp_status -> cudaError_t, and the errors that a host thread last saw.
 *
 * Every host call returns through cdp_api_return or cdp_api_fail, which remember an
 * error for the calling thread's cudaGetLastError.  A fault of device code is sticky:
 * every call that needs the device returns it, and so records it anew, until
 * cudaDeviceReset; docs/errors.md lists those that do not. */
#ifndef CDP_API_ERROR_H
#define CDP_API_ERROR_H

#include <stdbool.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"

/* The CUDA error for a status: the only place where the two meet. */
cudaError_t cdp_error_of(enum cdp_status status);
/* "cudaErrorInvalidValue" and "invalid argument"; "unrecognized error code". */
const char *cdp_error_name(cudaError_t error);
const char *cdp_error_text(cudaError_t error);
/* The CUDA name of a status, for the engine's reports. */
const char *cdp_error_name_of(enum cdp_status status);

/* Remembers an error as the calling thread's last one; cudaSuccess and cudaErrorNotReady
 * are none. */
cudaError_t cdp_api_fail(cudaError_t error);
/* Likewise for a status, with a sentence on stderr for a handle that is none. */
cudaError_t cdp_api_fail_status(enum cdp_status status);
static inline cudaError_t cdp_api_return(enum cdp_status status)
{
    return CDP_LIKELY(status == CDP_OK) ? cudaSuccess : cdp_api_fail_status(status);
}

/* While the calling thread runs a user's stream callback, no call but error queries is
 * permitted. */
void cdp_api_set_in_callback(bool in_callback);
bool cdp_api_in_callback(void);

#endif
