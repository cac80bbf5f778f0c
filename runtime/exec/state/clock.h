/* The device's clock: clock() and clock64() of device code.
 *
 * It runs at one rate on all machines, which the device's properties tell: programs divide by that.
 * It is made of a fast counter whose rate is that of the processor, and which the system
 * mostly does not tell; so that is measured once, over a millisecond since the engine's start. */
#ifndef CDP_EXEC_STATE_CLOCK_H
#define CDP_EXEC_STATE_CLOCK_H

#include <stdatomic.h>
#include <stdint.h>

/* As compute capability 9.0 has it. */
enum { CDP_CLOCK_KHZ = 1980000 };

/* Part of the engine, read by all workers. */
struct cdp_clock {
    uint64_t start_ticks, start_ns; /* at the same time; const after init */
    _Atomic uint64_t scale;         /* clocks for a tick, times 2^32; 0: not measured yet; who asks
                                       first sets it, and then it stays */
};

void cdp_clock_init(struct cdp_clock *clock);
/* Now.  The first call may take a millisecond. */
uint64_t cdp_clock_read(struct cdp_clock *clock);

#endif
