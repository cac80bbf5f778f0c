/* The memory of devices in all processes of this machine, and their processor time: for NVML.
 *
 * A process shows where its memory of a device is by the name of a mapping (cdp_os_show), and
 * counts in that page what cudaMalloc has allocated (cdp_heap_count_in). The system tells how much
 * of the memory is in use, to the same user and to root. */
#ifndef CDP_MODEL_OWNED_H
#define CDP_MODEL_OWNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"

enum { CDP_OWNED_NAME = 64 };
void cdp_owned_name(char out[CDP_OWNED_NAME], unsigned device, const void *lo, size_t size);

/* A process that has started the runtime. */
struct cdp_owned_process {
    unsigned id;
    bool has[CDP_MOST_DEVICES];
    uint64_t bytes[CDP_MOST_DEVICES]; /* of each device: in use, or allocated if that is more */
    uint64_t ticks;                   /* processor time, in units of 1/100 s */
};

/* Fills out, and returns the number of processes, which may be greater than most. */
unsigned cdp_owned_list(struct cdp_owned_process *out, unsigned most);
/* The number without the bytes in use. */
unsigned cdp_owned_ticks(struct cdp_owned_process *out, unsigned most);

#endif
