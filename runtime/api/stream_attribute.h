/* Attributes of streams. */
#ifndef CDP_API_STREAM_ATTRIBUTE_H
#define CDP_API_STREAM_ATTRIBUTE_H

#include <stdbool.h>

#include "driver_types.h"

/* The priority that a stream gets if the program asks for this one. */
int cdp_stream_priority(int asked);
/* Whether it is one that CUDA's documents allow. The size is not checked: devices without a limit
 * for windows report 0. */
bool cdp_access_window_is_valid(const struct cudaAccessPolicyWindow *window);

#endif
