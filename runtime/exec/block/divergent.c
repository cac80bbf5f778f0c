/* Reports, once for each kernel, that threads of a warp wait at different barriers. */
#include "exec/block/divergent.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/block/sync_check.h"
#include "exec/report/fault.h"
#include "exec/state/entry.h"
#include "os/code.h"

void cdp_divergent_destroy(struct cdp_block *block)
{
    cdp_free(block->places);
    block->places = NULL;
}

/* The compiler may duplicate a barrier.  So places are compared by line and column, too. */
bool cdp_divergent_is_same(const struct cdp_abi_position *a, const struct cdp_abi_position *b)
{
    return a == b || (a->file != NULL && b->file != NULL && a->line == b->line &&
                      a->column == b->column && strcmp(a->file, b->file) == 0);
}

/* Whether the kernel is to be reported now: at its first call for the kernel, and for at most
 * MOST_KERNELS kernels. */
static bool is_first_of(const struct cdp_abi_kernel *kernel)
{
    enum { MOST_KERNELS = 32 };
    static _Atomic(const struct cdp_abi_kernel *) reported[MOST_KERNELS];
    for (int i = 0; i < MOST_KERNELS; i++) {
        const struct cdp_abi_kernel *found = NULL;
        if (atomic_compare_exchange_strong(&reported[i], &found, kernel)) {
            return true;
        }
        if (found == kernel) {
            return false;
        }
    }
    return false;
}

static void name_place(const struct cdp_abi_position *place, char *out, size_t size)
{
    if (place->file == NULL) {
        snprintf(out, size, "a line that is not known");
    } else {
        snprintf(out, size, "%s:%u:%u", place->file, place->line, place->column);
    }
}

static void report(const struct cdp_block *block, const struct cdp_warp_position *first,
                   const struct cdp_warp_position *other)
{
    char name[256], places[2][512];
    const uint32_t *b = block->view.block_idx;
    cdp_os_demangle(block->grid->kernel->name, name, sizeof name);
    name_place(first->place, places[0], sizeof places[0]);
    name_place(other->place, places[1], sizeof places[1]);
    fprintf(stderr,
            "cdp: kernel %s, block (%u,%u,%u): threads %u and %u of one warp wait at different "
            "__syncthreads(), at %s and %s: here they meet, but a GPU may hang; move the barrier "
            "out of the branch\n",
            name, b[0], b[1], b[2], first->thread, other->thread, places[0], places[1]);
}

/* NULL without memory: then nothing is reported. */
static struct cdp_barrier_positions *places_of(struct cdp_block *block)
{
    if (CDP_UNLIKELY(block->places == NULL)) {
        block->places = cdp_alloc_zero(sizeof *block->places);
    }
    return block->places;
}

void cdp_abi_at_barrier(const struct cdp_abi_position *place)
{
    const struct cdp_abi_thread *thread = cdp_abi_self;
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    struct cdp_block *block = cdp_block_of(thread);
    struct cdp_barrier_positions *places = places_of(block);
    struct cdp_warp_position now = {
        .place = place, .turn = block->barrier.turn, .thread = thread->linear};
    if (places == NULL) {
        return;
    }
    if (CDP_UNLIKELY(cdp_finding_is_on(CDP_CHECKS_SYNC))) {
        cdp_sync_check_barrier(block, &(struct cdp_barrier_arrival){
                                          .place = place,
                                          .pc = (const char *)__builtin_return_address(0) - 1,
                                          .thread = thread->linear});
        return;
    }
    struct cdp_warp_position *first = &places->warps[thread->linear / CDP_LANES];
    if (first->turn != now.turn) {
        *first = now;
    } else if (CDP_UNLIKELY(first->place != place) && !cdp_divergent_is_same(first->place, place) &&
               is_first_of(block->grid->kernel)) {
        report(block, first, &now);
    }
}
