/* The device's clock: clock() and clock64() of device code.
 *
 * It runs at the same rate on all machines.  The device's properties report this rate, and programs
 * divide by it.  The clock is computed from the processor's fast counter.  Most systems do not
 * report the rate of that counter.  So the rate is measured once, over at least a millisecond after
 * the engine's start. */
#ifndef CDP_EXEC_STATE_CLOCK_H
#define CDP_EXEC_STATE_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>

#include "model/profile.h"

/* Part of the engine, read by all workers. */
struct cdp_clock {
    uint64_t start_ticks, start_ns; /* read at the same time; const after init */
    _Atomic uint64_t scale; /* clocks per tick, times 2^32; 0: not measured yet; the first reader
                               sets it, then it is const */
};

void cdp_clock_init(struct cdp_clock *clock);
/* The current time.  The first call may take a millisecond. */
uint64_t cdp_clock_read(struct cdp_clock *clock);

#endif
