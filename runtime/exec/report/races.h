/* The race check in device code: the accesses of threads, the events that order them, and reports.
 *
 * The functions are called only if engine->modes.races is set. Then block->races is not NULL while
 * threads of the block run. */
#ifndef CDP_EXEC_REPORT_RACES_H
#define CDP_EXEC_REPORT_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "races/history.h"
#include "exec/state/block.h"
#include "exec/state/grid.h"

struct cdp_engine;

/* At the engine's start, when its memory is reserved. Without memory for the tables the check is
 * off, with a message. */
void cdp_races_start(struct cdp_engine *engine);
/* After the engine's workers have ended. */
void cdp_races_stop(struct cdp_engine *engine);
/* At the end of the program: says how much was forgotten. */
void cdp_races_finish(void);

/* A block starts; its threads have ended. */
void cdp_races_block_starts(struct cdp_block *block);
void cdp_races_block_ends(struct cdp_block *block);

/* The running thread launches a grid, which has no number yet. key and clock: of the stream, 0 and
 * NULL if it has none. Returns the launch's number, which is also in the grid's record. */
uint32_t cdp_races_launch(struct cdp_block *block, struct cdp_grid *grid,
                          enum cdp_history_kind kind, uintptr_t key, struct cdp_race_clock *clock);
/* The running thread launches a graph. Returns the launch's number. */
uint32_t cdp_races_launch_graph(struct cdp_block *block, const void *site);
/* What identifies the block's NULL stream. */
static inline uintptr_t cdp_races_null_key(const struct cdp_block *block)
{
    return (uintptr_t)block->races->run << 1 | 1; /* no address is odd */
}

/* The running thread, or an operation of the host's streams that the calling thread executes, or
 * the host, accesses memory. what: the access in words, such as "a copy"; NULL: site names it. */
struct cdp_races_range {
    const void *address;
    size_t size;
    bool writes;
    const char *what;
    uint32_t site; /* 0: none */
    bool is_atomic;
    bool is_plain; /* a load of host code that must not see a write at the same time, however small
                    */
};
void cdp_races_access(const struct cdp_races_range *range);

/* Compiled host code accesses memory; a poll is a volatile or atomic load. site: the return address
 * of the access. Any thread may call it at any time. */
enum cdp_races_host_kind { CDP_RACES_READ, CDP_RACES_POLL, CDP_RACES_WRITE };
void cdp_races_host_access(const void *address, size_t size, enum cdp_races_host_kind kind,
                           const void *site);

/* At the start of a host call that copies or fills: where the program calls it. For reports;
 * written and read by the calling thread. */
extern __thread const void *cdp_races_call_site CDP_TLS_INITIAL_EXEC;
#define CDP_RACES_CALL() ((void)(cdp_races_call_site = __builtin_return_address(0)))

/* The calling OS thread executes the operation with that number until it calls this with 0. */
void cdp_races_operation(uint32_t number);
/* An operation of a host's stream, by its number, writes a value for those that wait for it. */
void cdp_races_wrote(const void *address, size_t size, uint32_t number);
/* The operation is a function of the host, which begins now. */
void cdp_races_host_function(void);

#endif
