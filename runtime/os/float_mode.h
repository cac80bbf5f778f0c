/* How device code and host code have the floating-point unit. */
#ifndef CDP_OS_FLOAT_MODE_H
#define CDP_OS_FLOAT_MODE_H

#include <fenv.h>
#include <stdint.h>

#include "base/attr.h"

/* The floating-point mode of this OS thread: rounding, traps and denormals. */
struct cdp_os_float_mode {
#if defined(__x86_64__)
    uint32_t control;
#else
    fenv_t environment;
#endif
};

/* Sets the mode of a thread that has never changed it: round to nearest, no traps, denormals kept.
 * Device code runs in this mode, whatever mode the host's threads have set. */
static inline struct cdp_os_float_mode cdp_os_float_enter(void)
{
    struct cdp_os_float_mode old;
#if defined(__x86_64__)
    const uint32_t standard = 0x1f80, flags = 0x3f;
    old.control = __builtin_ia32_stmxcsr();
    if (CDP_UNLIKELY((old.control & ~flags) != standard)) {
        __builtin_ia32_ldmxcsr(standard);
    }
#else
    fegetenv(&old.environment);
    fesetenv(FE_DFL_ENV);
#endif
    return old;
}

/* Restores the mode that cdp_os_float_enter() returned. */
static inline void cdp_os_float_leave(const struct cdp_os_float_mode *old)
{
#if defined(__x86_64__)
    if (CDP_UNLIKELY(__builtin_ia32_stmxcsr() != old->control)) {
        __builtin_ia32_ldmxcsr(old->control);
    }
#else
    fesetenv(&old->environment);
#endif
}

#endif
