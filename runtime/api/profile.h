/* What a device appears to be: properties and limits, by compute capability and model. */
#ifndef CDP_API_PROFILE_H
#define CDP_API_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/options.h"

/* The limits of a compute capability. */
struct cdp_capability {
    int major, minor;
    int threads, blocks; /* resident on a multiprocessor */
    int shared, optin;   /* bytes: of a multiprocessor; of a block by opting in */
    int reserved;        /* bytes of shared memory of each block beyond its own */
    int ratio;           /* of throughputs: float to double */
};

struct cdp_profile {
    const char *word; /* for CDP_DEVICE */
    const char *name; /* NULL: this machine */
    const struct cdp_capability *capability;
    int multiprocessors; /* 0: one for each worker */
    int clock_khz, memory_clock_khz, bus_bits, l2_bytes;
    size_t memory; /* bytes; 0: the machine's */
};

/* The profile of each device, by CDP_DEVICE. Sets options->devices to their number. A word that is
 * not known gets a message that lists the words. */
void cdp_profiles_choose(struct cdp_options *options,
                         const struct cdp_profile *out[CDP_MOST_DEVICES]);
/* That of the device that runs the calling code: the current one of a host thread, or that of a
 * grid. */
const struct cdp_profile *cdp_profile_here(void);

#endif
