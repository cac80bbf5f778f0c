/* A part of each program that is linked with cdpcc --lab: the run ends if nothing happens for a
 * while, and its status tells of a mistake. The environment overrides these values. */
#include "abi/cdp_abi.h"

/* Before any constructor of the user's that starts the runtime. */
__attribute__((constructor(101))) static void set_defaults(void)
{
    cdp_abi_default_option("CDP_TIMEOUT", "30");
    cdp_abi_default_option("CDP_CHECK_EXIT", "1");
    cdp_abi_default_option("CDP_ERROR_EXIT", "1");
}
