/* Faults of device code: how they are caught and reported, and how the rest of the launch tree is
 * abandoned while the process continues.
 *
 * The first fault of a device is its sticky status.  After it, blocks of that device complete
 * without running, and waiting blocks are killed when they would continue.  All counts stay
 * correct, so the host's wait ends. */
#ifndef CDP_EXEC_REPORT_FAULT_H
#define CDP_EXEC_REPORT_FAULT_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/status.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* Installs the signal handlers, once per process; later calls do nothing. */
void cdp_fault_install(void);
/* Gives a signal stack to the calling OS thread, which will run the executor. */
void cdp_fault_thread_init(struct cdp_executor *executor);
void cdp_fault_thread_finish(struct cdp_executor *executor);

/* CUDA's name of the error that a program gets for the status, or another name. */
const char *cdp_fault_error_name(const struct cdp_engine *engine, enum cdp_status status);
/* Makes status the sticky fault of the device and prints the text, if it has no fault yet. */
void cdp_fault_set(struct cdp_engine *engine, unsigned device, enum cdp_status status,
                   const char *format, ...) CDP_PRINTF(4, 5);
/* One line: kernel, block and thread. */
void cdp_fault_print_position(const struct cdp_block *block, const struct cdp_abi_thread *thread);
/* One line per level, from the block's grid up to the host. */
void cdp_fault_print_launches(const struct cdp_block *block);
/* Called by the running CUDA thread.  Reports the fault and its place, kills the thread's block and
 * abandons the fiber. pc is inside the instruction that caused the fault.  NULL: it is not
 * known. */
CDP_NORETURN void cdp_fault_raise(enum cdp_status status, const void *pc, const char *format, ...)
    CDP_PRINTF(3, 4);

/* The same for a mistake that a check has reported already. text: for the host's error. */
CDP_NORETURN void cdp_fault_fail(enum cdp_status status, const char *text);

/* Threads of a block, by number. */
struct cdp_fault_threads {
    uint32_t first, last;
};
/* The threads that are active in a block entry, as far as known. thread is the context that they
 * share. */
struct cdp_fault_threads cdp_fault_active_threads(const struct cdp_block *block,
                                                  const struct cdp_abi_thread *thread);

/* The place of a fault. */
struct cdp_fault_position {
    const struct cdp_block *block;       /* NULL: in host code */
    const struct cdp_abi_thread *thread; /* of the block */
    const void *pc;                      /* inside the instruction; may be NULL */
};
/* Makes status the sticky fault of the device and reports it, if it has no fault yet.  True if it
 * did. */
bool cdp_fault_report(struct cdp_engine *engine, unsigned device, enum cdp_status status,
                      const struct cdp_fault_position *place, const char *text);
/* Prints the same report as a warning. */
void cdp_fault_warn(const struct cdp_engine *engine, enum cdp_status status,
                    const struct cdp_fault_position *place, const char *text);

/* Prints a note about a thread that has a problem and continues. */
void cdp_fault_note(const struct cdp_block *block, const struct cdp_abi_thread *thread,
                    const char *format, ...) CDP_PRINTF(3, 4);

/* The running CUDA thread has too little stack left.  Reports the same as an access to its guard
 * page. */
CDP_NORETURN void cdp_fault_stack_short(struct cdp_fiber *self, const void *pc);

/* Functions that device code calls and that change the runtime's state call this first.  A stack
 * overflow inside such a function would leave a lock held or a count wrong. */
__attribute__((always_inline)) static inline void cdp_fault_check_stack(struct cdp_fiber *self)
{
    if (CDP_UNLIKELY((char *)__builtin_frame_address(0) < self->floor)) {
        cdp_fault_stack_short(self, __builtin_return_address(0));
    }
}

/* Called in a signal handler on the OS thread that runs the executor.  Records the trap, and makes
 * the return from the handler continue on another fiber.  False if there is none. */
bool cdp_fault_divert(struct cdp_executor *executor, const struct cdp_trap *trap, void *context);
/* The loop calls this after a signal handler has caught a trap. */
void cdp_fault_landed(struct cdp_executor *executor);
/* Sets the fault when a block with a failed assertion has ended. */
void cdp_fault_asserted(struct cdp_block *block);
/* Reports that a thread ended with an error that it never read.  Children may not have run. */
void cdp_fault_unread_error(struct cdp_block *block, const struct cdp_abi_thread *thread);

#endif
