/* The process ends with the last thread that does not belong to the runtime.
 *
 * When main calls pthread_exit, the C library ends the process once no thread is left. The workers
 * are threads too. They wait for ever and take no signals. Without this module the process could
 * neither end nor be terminated by a signal. */
#ifndef CDP_API_LAST_THREAD_H
#define CDP_API_LAST_THREAD_H

#include <stdbool.h>

#include "base/attr.h"

extern __thread bool cdp_last_thread_is_counted CDP_TLS_INITIAL_EXEC;

/* Counts the calling thread as a user of the runtime, until it ends. */
CDP_COLD void cdp_last_thread_count(void);

/* To be called by every host call. */
static inline void cdp_last_thread_note(void)
{
    if (CDP_UNLIKELY(!cdp_last_thread_is_counted)) {
        cdp_last_thread_count();
    }
}

/* How many threads the runtime has besides the engine's. They do not count either. */
void cdp_last_thread_set_own(unsigned count);

#endif
