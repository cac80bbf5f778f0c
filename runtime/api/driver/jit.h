/* The options of cuModuleLoadDataEx and cuLinkCreate. Only the logs have an effect: device code is
 * compiled already. */
#ifndef CDP_API_DRIVER_JIT_H
#define CDP_API_DRIVER_JIT_H

#include "api/driver/driver.h"

/* A buffer of the program for messages; text is NULL if there is none. */
struct cdp_jit_log {
    char *text;
    size_t capacity, used; /* used: without the final zero */
    void **size_value;     /* where the program reads used; may be NULL */
};

/* Borrows the program's arrays, which live until the link is destroyed, as CUDA requires. */
struct cdp_jit {
    struct cdp_jit_log info, error;
    void **wall_time; /* a float in the program's array of values; may be NULL */
};

/* CUDA_ERROR_INVALID_VALUE: an array is missing, or an option does not exist. */
CUresult cdp_jit_begin(struct cdp_jit *jit, unsigned count, const CUjit_option *options,
                       void **values) CDP_MUST_CHECK;
/* Appends to the log of errors what fits. */
void cdp_jit_say(struct cdp_jit *jit, const char *text);

#endif
