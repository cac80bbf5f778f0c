/* Time, traps and assertions of device code. */
#include "exec/state/entry.h"

#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "exec/block/block.h"
#include "exec/block/poll.h"
#include "exec/report/fault.h"
#include "exec/report/names.h"
#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "os/code.h"
#include "os/os.h"

uint32_t cdp_abi_smid(void)
{
    return cdp_block_of(cdp_abi_self)->executor->worker.index;
}

/* The same number as in the device's properties: each worker is a multiprocessor. */
uint32_t cdp_abi_nsmid(void)
{
    return cdp_block_of(cdp_abi_self)->executor->engine->worker_count;
}

uint64_t cdp_abi_globaltimer(void)
{
    struct cdp_executor *executor = cdp_block_of(cdp_abi_self)->executor;
    return executor->schedule->wall_clock(executor);
}

long long cdp_abi_clock64(void)
{
    struct cdp_executor *executor = cdp_block_of(cdp_abi_self)->executor;
    return (long long)executor->schedule->clock(executor);
}

clock_t cdp_abi_clock(void)
{
    return (clock_t)cdp_abi_clock64();
}

/* A serialized child waits for nobody, and until it has ended no other thread of the block may
 * launch: the child is in no stream, so their grids would not wait for it. */
void cdp_abi_yield(void)
{
    if (cdp_abi_self->serial != NULL) {
        return;
    }
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    cdp_fault_check_stack(self);
    self->site = __builtin_return_address(0);
    cdp_poll_yield(cdp_block_of(&self->thread)->executor, self);
}

/* A sleep is treated as polling, because other threads must run meanwhile. */
void cdp_abi_nanosleep(uint32_t nanoseconds)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_executor *executor = cdp_block_of(&self->thread)->executor;
    if (executor->schedule->sleep != NULL) {
        cdp_fault_check_stack(self);
        executor->schedule->sleep(executor, self, nanoseconds);
        return;
    }
    uint64_t end = cdp_os_now() + nanoseconds;
    do {
        cdp_abi_yield();
    } while (cdp_os_now() < end);
}

void cdp_abi_trap(void)
{
    cdp_fault_raise(CDP_FAULT_LAUNCH, (const char *)__builtin_return_address(0) - 1, "trap");
}

/* PTX's exit: the thread ends, and its block continues. */
void cdp_abi_exit(void)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    cdp_block_abort_thread(cdp_block_of(&self->thread), self);
}

void cdp_abi_pure_virtual(void)
{
    cdp_fault_raise(CDP_FAULT_LAUNCH, (const char *)__builtin_return_address(0) - 1,
                    "pure virtual function called");
}

/* The memory above the caller's arrays was overwritten, so the caller cannot return.  The call has
 * no line number, so the report has the line of the function. */
void cdp_abi_stack_overrun(void)
{
    const char *pc = (const char *)__builtin_return_address(0) - 1;
    struct cdp_os_range function;
    char arrays[400];
    cdp_names_arrays(pc, arrays, sizeof arrays);
    if (cdp_os_function_at((uintptr_t)pc, &function)) {
        pc = (const char *)function.low;
    }
    cdp_fault_raise(CDP_FAULT_ADDRESS, pc,
                    "the stack was overwritten: an array of this function was written to beyond "
                    "its end%s%s",
                    *arrays != '\0' ? ": " : "", arrays);
}

void cdp_abi_brkpt(void)
{
    if (cdp_os_break()) {
        return;
    }
    cdp_fault_raise(CDP_FAULT_LAUNCH, NULL, "breakpoint (brkpt), and no debugger");
}

/* CUDA writes template arguments as "[with T = int]", and clang as "[T = int]".  Returns the text
 * after the bracket, "" if there are none. head is the number of characters before it. */
static const char *template_arguments(const char *function, int *head)
{
    size_t length = strlen(function);
    const char *found = function + length;
    for (const char *p = function; length > 0 && function[length - 1] == ']' && *p != '\0'; p++) {
        found = p[0] == ' ' && p[1] == '[' ? p + 1 : found;
    }
    *head = (int)(found - function);
    return *found != '\0' ? found + 1 : found;
}

/* Prints CUDA's message, one for each thread that fails.  The other threads of the block still run.
 * The launch fails when the block ends.  A block entry itself deactivates the lane. */
void cdp_abi_assert_lane(const char *text, const char *file, uint32_t line, const char *function)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_block *block = cdp_block_of(&self->thread);
    cdp_fault_check_stack(self);
    const uint32_t *b = block->view.block_idx, *t = self->thread.thread_idx;
    int head;
    const char *tail = template_arguments(function, &head);
    fprintf(stderr,
            "%s:%u: %.*s%s%s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file,
            line, head, function, *tail != '\0' ? "[with " : "", tail, b[0], b[1], b[2], t[0], t[1],
            t[2], text);
    block->flags.asserted = true;
    self->thread.launch_failed = 0; /* only the assertion is reported */
}

/* Block entries call this once for each thread that has an unread error. */
void cdp_abi_unread_error(void)
{
    struct cdp_abi_thread *thread = cdp_abi_self;
    cdp_block_unread_error(cdp_block_of(thread), thread);
    thread->launch_failed = 0;
}

void cdp_abi_assert_fail(const char *text, const char *file, uint32_t line, const char *function)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    cdp_abi_assert_lane(text, file, line, function);
    cdp_block_abort_thread(cdp_block_of(&self->thread), self);
}
