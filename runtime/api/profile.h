/* The profiles of the runtime's devices. */
#ifndef CDP_API_PROFILE_H
#define CDP_API_PROFILE_H

#include "model/profile.h"

/* That of the device that runs the calling code: the current one of a host thread, or that of a
 * grid. */
const struct cdp_profile *cdp_profile_here(void);

#endif
