/* The profile of the device that runs the calling code. */
#include "api/profile.h"

#include "abi/cdp_abi.h"
#include "api/check.h"
#include "api/runtime.h"
#include "exec/state/block.h"
#include "exec/state/grid.h"

const struct cdp_profile *cdp_profile_here(void)
{
    const struct cdp_runtime *running = cdp_runtime_running();
    if (running == NULL) {
        return cdp_profile_cpu();
    }
    const struct cdp_abi_thread *self = cdp_abi_self;
    return running
        ->devices[self != NULL ? cdp_grid_device(cdp_block_of(self)->grid) : cdp_device_number]
        .profile;
}
