/* Converts cdp_status to cudaError_t, and stores each host thread's last error.
 *
 * Every host call returns through cdp_api_return or cdp_api_fail, which store an error for the
 * calling thread's cudaGetLastError. A fault of device code is sticky: until cudaDeviceReset every
 * call that needs the device returns it, and so stores it again. docs/errors.md lists the calls
 * that do not. */
#ifndef CDP_API_ERROR_H
#define CDP_API_ERROR_H

#include <stdbool.h>

#include "driver_types.h"

#include "base/attr.h"
#include "base/status.h"

/* The CUDA error for a status: the only place that relates the two. */
cudaError_t cdp_error_of(enum cdp_status status);
/* "cudaErrorInvalidValue" and "invalid argument"; "unrecognized error code". */
const char *cdp_error_name(cudaError_t error);
const char *cdp_error_text(cudaError_t error);
/* The CUDA name of a status, for the engine's reports. */
const char *cdp_error_name_of(enum cdp_status status);

/* Stores an error as the calling thread's last one; cudaSuccess and cudaErrorNotReady are not
 * stored. */
cudaError_t cdp_api_fail(cudaError_t error);
/* The same for a status. For an invalid handle it also prints a message on stderr. */
cudaError_t cdp_api_fail_status(enum cdp_status status);
static inline cudaError_t cdp_api_return(enum cdp_status status)
{
    return CDP_LIKELY(status == CDP_OK) ? cudaSuccess : cdp_api_fail_status(status);
}

/* The calling thread's last error; this does not count as reading it. */
cudaError_t cdp_error_last(void);
/* Gives the calling thread the last error that it had before a call of another API. */
void cdp_error_restore_last(cudaError_t error);
/* The calling thread has no last error any more. The program has not read it: a launch that failed
 * is still reported at the end. */
void cdp_error_forget_last(void);

/* While the calling thread runs a user's stream callback, only error queries are permitted. */
void cdp_api_set_in_callback(bool in_callback);
bool cdp_api_in_callback(void);

#endif
