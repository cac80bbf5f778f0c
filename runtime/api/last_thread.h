/* The process ends with its last thread that is not the runtime's.
 *
 * When main calls pthread_exit, the C library ends the process once no thread is left.  The
 * workers are threads too, which wait for ever and take no signals: so without this the process
 * could neither end nor be asked to. */
#ifndef CDP_API_LAST_THREAD_H
#define CDP_API_LAST_THREAD_H

#include <stdbool.h>

#include "base/attr.h"

extern __thread bool cdp_last_thread_knows CDP_TLS_INITIAL_EXEC;

/* Counts the calling thread among those that use the runtime, until it ends. */
CDP_COLD void cdp_last_thread_count(void);

/* What every call of the host does. */
static inline void cdp_last_thread_note(void)
{
    if (CDP_UNLIKELY(!cdp_last_thread_knows)) {
        cdp_last_thread_count();
    }
}

#endif
