/* Faults of device code: what traps it, what is reported, and how the rest of the
 * launch tree is abandoned while the process lives on.
 *
 * The first fault is the engine's sticky status.  From then on blocks complete
 * without running, waiting ones are killed when their turn comes, and every count
 * comes out right, so the host's wait ends. */
#ifndef CDP_EXEC_REPORT_FAULT_H
#define CDP_EXEC_REPORT_FAULT_H

#include <stdbool.h>

#include "base/attr.h"
#include "base/status.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"

/* Installs the signal handlers, once per process; later calls do nothing. */
void cdp_fault_install(void);
/* Gives the calling OS thread, which will run the executor, its signal stack. */
void cdp_fault_thread_init(struct cdp_executor *executor);
void cdp_fault_thread_finish(struct cdp_executor *executor);

/* Makes status the sticky fault if there is none yet, and prints the sentence. */
void cdp_fault_set(struct cdp_engine *engine, enum cdp_status status, const char *format, ...)
    CDP_PRINTF(3, 4);
/* One line per level, from the block's grid up to the host. */
void cdp_fault_print_launches(const struct cdp_block *block);
/* From the running CUDA thread: reports where it stands, kills its block, leaves. If the code to
 * blame is known, pc lies within its instruction; NULL: it is where the thread stands. */
CDP_NORETURN void cdp_fault_raise(enum cdp_status status, const void *pc, const char *format, ...)
    CDP_PRINTF(3, 4);

/* Threads of a block, by number. */
struct cdp_fault_threads {
    uint32_t first, last;
};
/* Which threads a block entry may work for; the thread is the context of all. */
struct cdp_fault_threads cdp_fault_threads_at_work(const struct cdp_block *block,
                                                   const struct cdp_abi_thread *thread);

/* Where something went wrong. */
struct cdp_fault_place {
    const struct cdp_block *block;       /* NULL: in host code */
    const struct cdp_abi_thread *thread; /* of the block */
    const void *pc;                      /* within the instruction; may be NULL */
};
/* The sticky fault if there is none yet, and then a report of it, and true. */
bool cdp_fault_report(struct cdp_engine *engine, enum cdp_status status,
                      const struct cdp_fault_place *place, const char *text);
/* The report alone, as a warning. */
void cdp_fault_warn(const struct cdp_engine *engine, enum cdp_status status,
                    const struct cdp_fault_place *place, const char *text);

/* A sentence of a thread that did something odd, and goes on. */
void cdp_fault_note(const struct cdp_block *block, const struct cdp_abi_thread *thread,
                    const char *format, ...) CDP_PRINTF(3, 4);

/* The running CUDA thread has too little stack left: as if it had met its guard page. */
CDP_NORETURN void cdp_fault_stack_short(struct cdp_fiber *self, const void *pc);

/* What every function that device code calls and that changes the runtime's state does
 * first: an overflow within would leave a lock held or a count wrong. */
__attribute__((always_inline)) static inline void cdp_fault_check_stack(struct cdp_fiber *self)
{
    if (CDP_UNLIKELY((char *)__builtin_frame_address(0) < self->floor)) {
        cdp_fault_stack_short(self, __builtin_return_address(0));
    }
}

/* In a signal handler on the OS thread that runs executor: notes the trap, and makes the
 * return from the handler go on with another fiber.  False if there is none. */
bool cdp_fault_divert(struct cdp_executor *executor, const struct cdp_trap *trap, void *context);
/* The loop goes on after a signal handler caught a trap. */
void cdp_fault_landed(struct cdp_executor *executor);
/* A block in which an assertion failed has ended. */
void cdp_fault_asserted(struct cdp_block *block);
/* A thread ended with an error it never read: children may be missing. */
void cdp_fault_unread_error(struct cdp_block *block, const struct cdp_abi_thread *thread);

#endif
