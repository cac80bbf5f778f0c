/* Graphs in device code. */
#include <stdatomic.h>
#include <stdio.h>

#include "api/device.h"
#include "api/graph_condition.h"

static void say_no_condition(cudaGraphConditionalHandle handle)
{
    static _Atomic int said;
    enum { MOST_SAID = 5 };
    if (atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) < MOST_SAID) {
        fprintf(stderr,
                "cdp: cudaErrorInvalidValue: cudaGraphSetConditional: %#llx is not the handle of a "
                "condition, or its graph was destroyed\n",
                handle);
        cdp_fault_print_position(cdp_device_block(), cdp_abi_self);
    }
}

/* CUDA's call has no result. */
void cdp_abi_cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
{
    if (!cdp_condition_set(handle, value)) {
        say_no_condition(handle);
        (void)cdp_device_fail(cudaErrorInvalidValue);
    }
}
