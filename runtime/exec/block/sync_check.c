/* Findings about barriers and warp operations.
 *
 * A barrier counts threads, so it opens here whatever the lines are at which they wait.  CUDA
 * requires that all threads of a block reach the same __syncthreads().  So the places are compared
 * with that of the first thread to arrive, in each phase.  A thread that has ended does not come to
 * the barrier any more. */
#include "exec/block/sync_check.h"

#include <stdio.h>

#include "base/attr.h"
#include "exec/report/deadlock.h"
#include "os/code.h"

enum { TITLE = 400, NAMES = 200 };

/* ---- Places ---- */

/* A barrier in a header of cdpcc has the line of the user's call, which only the code address
 * knows. site: for the place, in the caller's memory. */
static void set_arrival(struct cdp_finding_place *place, struct cdp_abi_site *site,
                        const struct cdp_block *block, const struct cdp_barrier_arrival *arrival)
{
    uint32_t thread[3];
    cdp_index_of(block->view.block_dim, arrival->thread, thread);
    cdp_finding_place_of(place, block, thread);
    place->pc = arrival->pc;
    const struct cdp_abi_position *at = arrival->place;
    if (at->file != NULL && !cdp_os_is_own_header(at->file)) {
        *site = (struct cdp_abi_site){.file = at->file, .line = at->line, .column = at->column};
        place->site = site;
    }
}

static void set_fiber(struct cdp_finding_place *place, const struct cdp_block *block,
                      const struct cdp_fiber *fiber)
{
    cdp_finding_place_of(place, block, fiber->thread.thread_idx);
    /* The site is the return address.  The byte before it is inside the call. */
    place->pc = (const char *)fiber->site - 1;
}

static void name_thread(const struct cdp_finding_place *place, char *out, size_t size)
{
    const uint32_t *t = place->thread;
    snprintf(out, size, "thread (%u,%u,%u)", t[0], t[1], t[2]);
}

/* "lane 5", "lanes 16-31", "lanes 1, 3, ...". */
static void name_lanes(uint32_t lanes, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "lane%s", (lanes & (lanes - 1)) != 0 ? "s" : "");
    const char *separator = " ";
    for (uint32_t first = 0; first < CDP_LANES && used < size; first++) {
        if ((lanes >> first & 1) == 0) {
            continue;
        }
        uint32_t last = first;
        while (last + 1 < CDP_LANES && (lanes >> (last + 1) & 1) != 0) {
            last++;
        }
        used += (size_t)snprintf(out + used, size - used, first == last ? "%s%u" : "%s%u-%u",
                                 separator, first, last);
        separator = ", ";
        first = last;
    }
}

/* ---- Barriers ---- */

/* The lower line comes first, so that a pair is reported once. */
static bool is_before(const struct cdp_abi_position *a, const struct cdp_abi_position *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

static CDP_NOINLINE void report_different(struct cdp_block *block,
                                          const struct cdp_barrier_arrival *one,
                                          const struct cdp_barrier_arrival *other)
{
    if (is_before(other->place, one->place)) {
        const struct cdp_barrier_arrival *swapped = one;
        one = other;
        other = swapped;
    }
    struct cdp_abi_site sites[2];
    struct cdp_finding finding = {
        .check = CDP_CHECKS_SYNC,
        .other = {.what = "the other barrier"},
        .help = "let all threads of the block come to the same __syncthreads(): move it out of the "
                "branch or loop"};
    set_arrival(&finding.at, &sites[0], block, one);
    set_arrival(&finding.other, &sites[1], block, other);
    char names[2][64], title[TITLE];
    name_thread(&finding.at, names[0], sizeof names[0]);
    name_thread(&finding.other, names[1], sizeof names[1]);
    snprintf(title, sizeof title, "%s and %s of one block wait at different __syncthreads()",
             names[0], names[1]);
    finding.title = title;
    cdp_finding_report(&finding);
}

/* running: a thread that has not ended although it is in no queue; or NULL. */
static CDP_NOINLINE void report_ended(struct cdp_block *block,
                                      const struct cdp_barrier_arrival *arrival,
                                      const struct cdp_fiber *running)
{
    struct cdp_abi_site site;
    struct cdp_finding finding = {
        .check = CDP_CHECKS_SYNC,
        .help = "let all threads of the block come to the barrier: make only the work conditional; "
                "do not return before the barrier"};
    set_arrival(&finding.at, &site, block, arrival);
    char name[64], ended[NAMES], title[TITLE];
    name_thread(&finding.at, name, sizeof name);
    cdp_deadlock_name_ended(block, running, ended, sizeof ended);
    snprintf(title, sizeof title,
             "%s waits at __syncthreads() although %s of its block ended before it", name, ended);
    finding.title = title;
    cdp_finding_report(&finding);
}

void cdp_sync_check_barrier(struct cdp_block *block, const struct cdp_barrier_arrival *now)
{
    struct cdp_barrier_positions *places = block->places;
    uint32_t turn = block->barrier.turn;
    if (places->first_turn != turn) {
        places->first_turn = turn;
        places->first = *now;
    } else if (!cdp_divergent_is_same(places->first.place, now->place)) {
        report_different(block, &places->first, now);
    }
    if (block->threads.alive != block->view.thread_count && !places->told_ended) {
        places->told_ended = true;
        report_ended(block, now, cdp_fiber_of(cdp_abi_self));
    }
}

void cdp_sync_check_ended(struct cdp_block *block)
{
    struct cdp_barrier_positions *places = block->places;
    if (cdp_finding_is_on(CDP_CHECKS_SYNC) && places->first_turn == block->barrier.turn &&
        !places->told_ended) {
        places->told_ended = true;
        report_ended(block, &places->first, NULL);
    }
}

/* ---- Warp operations ---- */

static void report_lane(struct cdp_block *block, const struct cdp_fiber *fiber, const char *title,
                        const char *help)
{
    struct cdp_finding finding = {.check = CDP_CHECKS_SYNC, .title = title, .help = help};
    set_fiber(&finding.at, block, fiber);
    cdp_finding_report(&finding);
}

void cdp_sync_check_unnamed(struct cdp_block *block, const char *operation, uint32_t mask)
{
    const struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    char title[TITLE];
    snprintf(title, sizeof title, "mask 0x%08x of %s does not name the calling lane %u", mask,
             operation, self->thread.linear % CDP_LANES);
    report_lane(block, self, title,
                "let the mask name all lanes that execute the call, and no others");
}

/* A lane that waits in another meeting for the calling lane, and for which the calling lane is
 * about to wait: they wait for each other. */
static const struct cdp_meeting *find_conflict(const struct cdp_warp *warp,
                                               const struct cdp_meeting *mine, uint32_t lane,
                                               uint32_t *other)
{
    for (const struct cdp_meeting *m = warp->meetings; m != NULL; m = m->next) {
        uint32_t waiting = m->arrived & mine->mask;
        if ((m->mask >> lane & 1) != 0 && waiting != 0 &&
            (m->mask != mine->mask || m->kind != mine->kind ||
             (m->kind == MEET_SHUFFLE && m->mode != mine->mode))) {
            *other = (uint32_t)__builtin_ctz(waiting);
            return m;
        }
    }
    return NULL;
}

static CDP_NOINLINE void report_conflict(struct cdp_block *block, const struct cdp_meeting *mine,
                                         const struct cdp_meeting *open, uint32_t other)
{
    const struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    struct cdp_finding finding = {
        .check = CDP_CHECKS_SYNC,
        .other = {.what = "the other operation"},
        .help = "let all lanes of a mask execute the same warp operation with the same mask"};
    set_fiber(&finding.at, block, self);
    set_fiber(&finding.other, block, open->fibers[other]);
    char title[TITLE];
    snprintf(title, sizeof title,
             "lane %u executes %s with mask 0x%08x while lane %u waits for it in %s with mask "
             "0x%08x",
             self->thread.linear % CDP_LANES, cdp_meeting_operation(mine), mine->mask, other,
             cdp_meeting_operation(open), open->mask);
    finding.title = title;
    cdp_finding_report(&finding);
}

void cdp_sync_check_mask(struct cdp_block *block, const struct cdp_warp *warp,
                         const struct cdp_meeting *mine, uint32_t mask)
{
    uint32_t lane = cdp_abi_self->linear % CDP_LANES, other;
    if ((mask >> lane & 1) == 0) {
        cdp_sync_check_unnamed(block, cdp_meeting_operation(mine), mask);
    }
    const struct cdp_meeting *open = find_conflict(warp, mine, lane, &other);
    if (open != NULL) {
        report_conflict(block, mine, open, other);
    }
}

/* The fiber of a lane that has arrived. */
static const struct cdp_fiber *fiber_of(const struct cdp_meeting *meeting, uint32_t lane,
                                        const struct cdp_fiber *last)
{
    return meeting->fibers[lane] != NULL ? meeting->fibers[lane] : last;
}

/* Lanes that the block has in this warp. */
static uint32_t existing_lanes(const struct cdp_block *block, const struct cdp_warp *warp)
{
    uint32_t lanes = block->view.thread_count - (uint32_t)(warp - block->warps) * CDP_LANES;
    return lanes >= CDP_LANES ? ~0u : (1u << lanes) - 1;
}

/* Lanes beyond the block's end do not count: a full mask is usual in a block that does not fill its
 * last warp. */
static bool check_ended(struct cdp_block *block, const struct cdp_warp *warp,
                        const struct cdp_meeting *meeting, const struct cdp_fiber *last)
{
    uint32_t ended = meeting->mask & existing_lanes(block, warp) & ~warp->live & ~meeting->arrived;
    if (ended == 0) {
        return false;
    }
    char title[TITLE], lanes[NAMES];
    name_lanes(ended, lanes, sizeof lanes);
    snprintf(title, sizeof title, "mask 0x%08x of %s names %s, which ended without executing it",
             meeting->mask, cdp_meeting_operation(meeting), lanes);
    uint32_t lane = (uint32_t)__builtin_ctz(meeting->arrived);
    report_lane(block, fiber_of(meeting, lane, last), title,
                "let the mask name only lanes that execute the call: take it by __ballot_sync() "
                "before the branch");
    return true;
}

static void check_reads(struct cdp_block *block, const struct cdp_meeting *meeting,
                        const struct cdp_fiber *last)
{
    for (uint32_t lane = 0; lane < CDP_LANES; lane++) {
        uint32_t source;
        if ((meeting->arrived >> lane & 1) == 0 || !cdp_meeting_source(meeting, lane, &source) ||
            (meeting->arrived >> source & 1) != 0) {
            continue;
        }
        char title[TITLE];
        snprintf(title, sizeof title,
                 "lane %u reads from lane %u in %s, but lane %u does not execute it: the value is "
                 "undefined",
                 lane, source, cdp_meeting_operation(meeting), source);
        report_lane(block, fiber_of(meeting, lane, last), title,
                    "let the lanes read only from lanes that the mask names and that execute the "
                    "call");
        return;
    }
}

void cdp_sync_check_meeting(struct cdp_block *block, const struct cdp_warp *warp,
                            const struct cdp_meeting *meeting, const struct cdp_fiber *last)
{
    if (!check_ended(block, warp, meeting, last) && meeting->kind == MEET_SHUFFLE) {
        check_reads(block, meeting, last);
    }
}
