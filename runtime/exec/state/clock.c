/* The device's clock from the processor's counter. */
#include "exec/state/clock.h"

#include "base/attr.h"
#include "os/os.h"

enum { MEASURE_NS = 1000000 };

void cdp_clock_init(struct cdp_clock *clock)
{
    clock->start_ns = cdp_os_now();
    clock->start_ticks = cdp_os_ticks();
    atomic_init(&clock->scale, 0);
}

/* Threads that measure at the same time may differ in the last digits.  The first result is
 * used. */
CDP_COLD static uint64_t measure(struct cdp_clock *clock)
{
    const double clocks_per_ns = (double)CDP_CLOCK_KHZ / 1e6, one = 4294967296.;
    uint64_t ns, ticks, before = 0;
    do {
        cdp_os_pause();
        ns = cdp_os_now() - clock->start_ns;
        ticks = cdp_os_ticks() - clock->start_ticks;
    } while (ns < MEASURE_NS || ticks == 0);
    uint64_t scale = (uint64_t)((double)ns * clocks_per_ns / (double)ticks * one);
    return atomic_compare_exchange_strong(&clock->scale, &before, scale) ? scale : before;
}

uint64_t cdp_clock_read(struct cdp_clock *clock)
{
    /* Relaxed: the number does not publish other data. */
    uint64_t scale = atomic_load_explicit(&clock->scale, memory_order_relaxed);
    if (CDP_UNLIKELY(scale == 0)) {
        scale = measure(clock);
    }
    return (uint64_t)((unsigned __int128)cdp_os_ticks() * scale >> 32);
}
