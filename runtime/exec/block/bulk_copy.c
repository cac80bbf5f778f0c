/* PTX's bulk and asynchronous copies: what they refuse. Compiled code makes the copies themselves.
 */
#include <stdint.h>

#include "base/attr.h"
#include "exec/state/entry.h"
#include "exec/report/fault.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

void cdp_abi_bulk_check(const void *to, const void *from, uint32_t bytes)
{
    enum { UNIT = 16 };
    uintptr_t bits = (uintptr_t)to | (uintptr_t)from | bytes;
    if (CDP_UNLIKELY(bits % UNIT != 0)) {
        cdp_fault_raise(CDP_FAULT_MISALIGNED, (const char *)__builtin_return_address(0) - 1,
                        "bulk copy of %u bytes from %p to %p: the size and both addresses must be "
                        "multiples of 16",
                        bytes, from, to);
    }
}

void cdp_abi_async_check(void)
{
    if (CDP_UNLIKELY(!cdp_grid_has_clusters(cdp_block_of(cdp_abi_self)->grid))) {
        cdp_fault_raise(CDP_FAULT_INSTRUCTION, (const char *)__builtin_return_address(0) - 1,
                        "st.async or red.async in a kernel that was launched without clusters: "
                        "use __cluster_dims__ or cudaLaunchAttributeClusterDimension");
    }
}
