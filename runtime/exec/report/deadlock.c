/* Reports of the states of a block's threads.  Threads that wait for the same event at the same
 * source line are one group, which is printed as ranges of threads. */
#include "exec/report/deadlock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/report/fault.h"
#include "exec/report/finding.h"
#include "exec/report/wait.h"
#include "exec/state/engine.h"
#include "exec/state/named_barrier.h"
#include "os/code.h"

enum { MOST_GROUPS = 24, MOST_RANGES = 12 };

/* Threads of a block, by linear number. */
struct set {
    uint32_t words[CDP_WARPS];
};

struct group {
    struct cdp_wait wait; /* that of one of the threads */
    const void *site;
    char place[300];
    struct set threads;
    struct set missing; /* threads that they wait for, if known */
};

struct standing {
    const struct cdp_block *block;
    struct group groups[MOST_GROUPS];
    unsigned count;
    struct set waiting; /* threads that are in a group or left out */
    /* threads that have arrived at the block's own barrier, but do not wait */
    struct set arrive_only;
    bool left_out;
};

static void add(struct set *set, uint32_t thread)
{
    set->words[thread / 32] |= 1u << thread % 32;
}

static bool has(const struct set *set, uint32_t thread)
{
    return (set->words[thread / 32] >> thread % 32 & 1) != 0;
}

static void add_all(struct set *set, const struct set *more)
{
    for (int i = 0; i < CDP_WARPS; i++) {
        set->words[i] |= more->words[i];
    }
}

/* ---- Grouping ---- */

static bool is_alike(const struct cdp_wait *a, const struct cdp_wait *b)
{
    return a->kind == b->kind && a->operation == b->operation && a->mask == b->mask &&
           a->unnamed == b->unnamed && a->barrier == b->barrier && a->again == b->again;
}

static struct group *group_of(struct standing *standing, const struct cdp_wait *wait)
{
    for (unsigned i = 0; i < standing->count; i++) {
        struct group *group = &standing->groups[i];
        if (group->site == wait->fiber->site && is_alike(&group->wait, wait)) {
            return group;
        }
    }
    if (standing->count == MOST_GROUPS) {
        return NULL;
    }
    struct group *group = &standing->groups[standing->count++];
    memset(group, 0, sizeof *group);
    group->wait = *wait;
    group->site = wait->fiber->site;
    return group;
}

static void visit(void *arg, const struct cdp_wait *wait)
{
    struct standing *standing = arg;
    uint32_t thread = wait->fiber->thread.linear;
    add(&standing->waiting, thread);
    if (wait->fiber->arrived_turn == standing->block->barrier.turn) {
        add(&standing->arrive_only, thread);
    }
    struct group *group = group_of(standing, wait);
    if (group == NULL) {
        standing->left_out = true;
        return;
    }
    add(&group->threads, thread);
    group->missing.words[thread / CDP_LANES] |= wait->missing;
}

static void visit_queue(const struct cdp_wait_visitor *visitor, const struct cdp_fiber_queue *queue,
                        enum cdp_wait_kind kind)
{
    struct cdp_wait wait = {.kind = kind};
    for (wait.fiber = queue->head; wait.fiber != NULL; wait.fiber = wait.fiber->next) {
        visitor->visit(visitor->arg, &wait);
    }
}

static void visit_ring(const struct cdp_wait_visitor *visitor, const struct cdp_ring *ring)
{
    cdp_ring_publish(ring);
    for (const struct cdp_ring_entry *entry = ring->start; entry != ring->end; entry++) {
        struct cdp_wait wait = {.kind = entry < ring->at ? CDP_WAIT_BARRIER : CDP_WAIT_TURN,
                                .fiber = cdp_fiber_of(entry->thread)};
        visitor->visit(visitor->arg, &wait);
    }
}

/* Visits the threads that have started and not ended, except the running one. */
static void visit_all(const struct cdp_block *block, const struct cdp_wait_visitor *visitor)
{
    visit_queue(visitor, &block->barrier.waiting, CDP_WAIT_BARRIER);
    visit_ring(visitor, &block->ring);
    block->executor->engine->operations->visit_waiting(block, visitor);
    visit_queue(visitor, &block->converge, CDP_WAIT_CONVERGE);
    visit_queue(visitor, &block->children.waiting, CDP_WAIT_CHILDREN);
    visit_queue(visitor, &block->ready, CDP_WAIT_TURN);
    visit_queue(visitor, &block->polling, CDP_WAIT_TURN);
}

/* Merges groups of the same source line.  They have several addresses, for example in an unrolled
 * loop. */
static void merge(struct standing *standing)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < standing->count; i++) {
        struct group *group = &standing->groups[i], *same = standing->groups;
        while (same < standing->groups + kept &&
               !(strcmp(same->place, group->place) == 0 && is_alike(&same->wait, &group->wait))) {
            same++;
        }
        if (same == standing->groups + kept) {
            standing->groups[kept++] = *group;
        } else {
            add_all(&same->threads, &group->threads);
            add_all(&same->missing, &group->missing);
        }
    }
    standing->count = kept;
}

static void find_places(struct standing *standing)
{
    for (unsigned i = 0; i < standing->count; i++) {
        struct group *group = &standing->groups[i];
        /* The site is the return address.  The byte before it is inside the call. */
        cdp_os_symbolize(group->site != NULL ? (const char *)group->site - 1 : NULL, group->place,
                         sizeof group->place);
    }
}

static uint32_t first_of(const struct set *set)
{
    uint32_t thread = 0;
    while (!has(set, thread)) {
        thread++;
    }
    return thread;
}

static int compare(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    return first_of(&a->threads) < first_of(&b->threads) ? -1 : 1;
}

/* A block entry runs many threads on one fiber: adds the active ones. */
static void add_active(struct standing *standing, const struct cdp_fiber *running)
{
    struct cdp_fault_threads threads = cdp_fault_active_threads(standing->block, &running->thread);
    struct set *set = &standing->groups[0].threads;
    memset(set, 0, sizeof *set);
    for (uint32_t thread = threads.first; thread <= threads.last; thread++) {
        add(set, thread);
    }
    standing->waiting = *set;
}

static void collect(struct standing *standing, const struct cdp_block *block,
                    const struct cdp_fiber *running)
{
    memset(standing, 0, sizeof *standing);
    standing->block = block;
    struct cdp_wait_visitor visitor = {.visit = visit, .arg = standing};
    visit_all(block, &visitor);
    if (running != NULL) {
        visit(standing, &(struct cdp_wait){.kind = CDP_WAIT_NOTHING, .fiber = running});
        if (block->flags.is_whole) {
            add_active(standing, running);
        }
    }
    find_places(standing);
    merge(standing);
    qsort(standing->groups, standing->count, sizeof standing->groups[0], compare);
}

/* ---- Printing ---- */

/* Text in the caller's memory.  What does not fit is left out. */
struct text {
    char *out;
    size_t size, used;
};

static void append(struct text *text, const char *format, ...) CDP_PRINTF(2, 3);
static void append(struct text *text, const char *format, ...)
{
    if (text->used >= text->size) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->out + text->used, text->size - text->used, format, arguments);
    va_end(arguments);
    text->used += length > 0 ? (size_t)length : 0;
}

static void append_thread(struct text *text, const struct cdp_block *block, uint32_t thread)
{
    const uint32_t *dim = block->view.block_dim;
    if (dim[1] == 1 && dim[2] == 1) {
        append(text, "%u", thread);
    } else {
        uint32_t index[3];
        cdp_index_of(dim, thread, index);
        append(text, "(%u,%u,%u)", index[0], index[1], index[2]);
    }
}

/* Appends "thread 5" or "threads 0-15, 17".  Returns the number of threads. */
static uint32_t append_threads(struct text *text, const struct cdp_block *block,
                               const struct set *set)
{
    uint32_t end = block->view.thread_count, count = 0, ranges = 0;
    for (uint32_t thread = 0; thread < end; thread++) {
        count += has(set, thread);
    }
    append(text, count == 1 ? "thread " : "threads ");
    for (uint32_t first = 0; first < end; first++) {
        if (!has(set, first)) {
            continue;
        }
        if (ranges++ == MOST_RANGES) {
            append(text, " ... (%u in all)", count);
            break;
        }
        uint32_t last = first;
        while (last + 1 < end && has(set, last + 1)) {
            last++;
        }
        append(text, ranges > 1 ? ", " : "");
        append_thread(text, block, first);
        if (last != first) {
            append(text, "-");
            append_thread(text, block, last);
        }
        first = last;
    }
    return count;
}

static uint32_t print_threads(const struct cdp_block *block, const struct set *set)
{
    char bytes[1000];
    struct text text = {.out = bytes, .size = sizeof bytes};
    uint32_t count = append_threads(&text, block, set);
    fputs(bytes, stderr);
    return count;
}

static void print_named(const struct cdp_named_barrier *barrier)
{
    if (barrier->id >= CDP_BARRIERS) {
        fprintf(stderr, "the barrier of a tile");
    } else {
        fprintf(stderr, "barrier %u", barrier->id);
    }
    if (barrier->threads != 0) {
        fprintf(stderr, " for %u threads", barrier->threads);
    }
    fprintf(stderr, ", where %u arrived,", barrier->came);
}

static void print_operation(const struct group *group, bool many)
{
    const struct cdp_wait *wait = &group->wait;
    const char *s = many ? "" : "s";
    switch (wait->kind) {
    case CDP_WAIT_TURN:
        fprintf(stderr, "could continue");
        break;
    case CDP_WAIT_NOTHING:
        fprintf(stderr, "run%s", s);
        break;
    case CDP_WAIT_BARRIER:
        fprintf(stderr, "wait%s in __syncthreads()", s);
        break;
    case CDP_WAIT_NAMED:
        fprintf(stderr, wait->again ? "wait%s to arrive once more at " : "wait%s at ", s);
        print_named(wait->barrier);
        break;
    case CDP_WAIT_CLUSTER:
        fprintf(stderr, "wait%s at the barrier of the cluster", s);
        break;
    case CDP_WAIT_WARP:
        fprintf(stderr, "wait%s in %s (mask 0x%08x)", s, wait->operation, wait->mask);
        break;
    case CDP_WAIT_CONVERGE:
        fprintf(stderr, "wait%s in __activemask()", s);
        break;
    case CDP_WAIT_CHILDREN:
        fprintf(stderr, "wait%s in cudaDeviceSynchronize() for child grids", s);
        break;
    }
}

static bool is_empty(const struct set *set)
{
    uint32_t any = 0;
    for (int i = 0; i < CDP_WARPS; i++) {
        any |= set->words[i];
    }
    return any == 0;
}

static void print_group(const struct standing *standing, struct group *group)
{
    fprintf(stderr, "cdp:   ");
    bool many = print_threads(standing->block, &group->threads) > 1;
    fprintf(stderr, ": ");
    print_operation(group, many);
    fprintf(stderr, " at %s", group->place);
    if (!is_empty(&group->missing)) {
        fprintf(stderr, ", for ");
        print_threads(standing->block, &group->missing);
    }
    if (group->wait.unnamed) {
        fprintf(stderr, "; the mask does not name the lane itself");
    }
    fprintf(stderr, "\n");
}

/* A running thread may run a serialized child. */
static void print_serial_child(const struct cdp_wait *wait)
{
    const struct cdp_abi_thread *thread = &wait->fiber->thread;
    if (wait->kind != CDP_WAIT_NOTHING || thread->serial == NULL) {
        return;
    }
    char name[256];
    cdp_os_demangle(thread->serial->kernel->name, name, sizeof name);
    bool is_known = *thread->serial->site != '\0';
    fprintf(stderr, "cdp:   it runs its child %s: block (%u,0,0), thread (%u,0,0)%s%s\n", name,
            thread->serial_index / thread->serial_block_dim,
            thread->serial_index % thread->serial_block_dim, is_known ? ", launched at " : "",
            thread->serial->site);
}

/* The threads that have arrived at the block's own barrier. */
static struct set at_barrier(const struct standing *standing)
{
    struct set set = standing->arrive_only;
    for (unsigned i = 0; i < standing->count; i++) {
        if (standing->groups[i].wait.kind == CDP_WAIT_BARRIER) {
            add_all(&set, &standing->groups[i].threads);
        }
    }
    return set;
}

/* A barrier without a thread count waits for all threads that have not ended and not arrived. */
static void set_missing(struct standing *standing)
{
    struct set at_own = at_barrier(standing);
    for (unsigned i = 0; i < standing->count; i++) {
        struct group *group = &standing->groups[i];
        const struct cdp_named_barrier *barrier = group->wait.barrier;
        bool own = group->wait.kind == CDP_WAIT_BARRIER;
        if (!own && (barrier == NULL || barrier->threads != 0)) {
            continue;
        }
        for (int w = 0; w < CDP_WARPS; w++) {
            uint32_t come = own ? at_own.words[w] : barrier->lanes[w];
            bool member = own || (barrier->members >> w & 1) != 0;
            group->missing.words[w] = member ? standing->waiting.words[w] & ~come : 0;
        }
    }
}

static void print_others(const struct standing *standing, const struct set *set, const char *one,
                         const char *many)
{
    if (!is_empty(set)) {
        fprintf(stderr, "cdp:   ");
        fprintf(stderr, ": %s\n", print_threads(standing->block, set) == 1 ? one : many);
    }
}

/* started: the threads that have started and not ended.  unstarted and ended are empty. */
static void find_absent(const struct cdp_block *block, const struct set *started,
                        struct set *unstarted, struct set *ended)
{
    for (uint32_t turn = block->threads.next; turn < block->view.thread_count; turn++) {
        add(unstarted, cdp_block_thread_at(block, turn));
    }
    for (uint32_t thread = 0; thread < block->view.thread_count; thread++) {
        if (!has(started, thread) && !has(unstarted, thread)) {
            add(ended, thread);
        }
    }
}

/* Prints the threads that have not started, and those that have ended. */
static void print_absent(const struct standing *standing)
{
    const struct cdp_block *block = standing->block;
    struct set unstarted = {{0}}, ended = {{0}};
    find_absent(block, &standing->waiting, &unstarted, &ended);
    if (block->flags.is_whole) {
        static const char around[] =
            "run before or after them; CDP_ENTRY=thread shows where each of them is";
        print_others(standing, &ended, around, around);
        return;
    }
    print_others(standing, &unstarted, "has not started", "have not started");
    print_others(standing, &ended, "has ended", "have ended");
}

static const char *advice(const struct standing *standing)
{
    bool barrier = false, warp = false;
    for (unsigned i = 0; i < standing->count; i++) {
        enum cdp_wait_kind kind = standing->groups[i].wait.kind;
        barrier |= kind == CDP_WAIT_BARRIER || kind == CDP_WAIT_NAMED;
        warp |= kind == CDP_WAIT_WARP;
    }
    if (barrier && warp) {
        return "let all threads of the block come to the barrier, and masks name only lanes that "
               "come to the same warp operation";
    }
    return barrier ? "let all threads that the barrier counts come to it: move it out of the "
                     "branch, or correct the count"
                   : "let masks name only lanes that come to the same warp operation: take them "
                     "by __ballot_sync() before the branch";
}

static void print(struct standing *standing)
{
    char name[256];
    cdp_os_demangle(standing->block->grid->kernel->name, name, sizeof name);
    const uint32_t *b = standing->block->view.block_idx;
    fprintf(stderr, "cdp:   in kernel %s, block (%u,%u,%u), of %u threads:\n", name, b[0], b[1],
            b[2], standing->block->view.thread_count);
    for (unsigned i = 0; i < standing->count; i++) {
        print_group(standing, &standing->groups[i]);
        print_serial_child(&standing->groups[i].wait);
    }
    if (standing->left_out) {
        fprintf(stderr, "cdp:   and more threads, at other lines\n");
    }
    print_absent(standing);
}

static void add_waiting(void *arg, const struct cdp_wait *wait)
{
    add(arg, wait->fiber->thread.linear);
}

void cdp_deadlock_name_ended(const struct cdp_block *block, const struct cdp_fiber *running,
                             char *out, size_t size)
{
    struct set started = {{0}}, unstarted = {{0}}, ended = {{0}};
    visit_all(block, &(struct cdp_wait_visitor){.visit = add_waiting, .arg = &started});
    if (running != NULL) {
        add(&started, running->thread.linear);
    }
    find_absent(block, &started, &unstarted, &ended);
    struct text text = {.out = out, .size = size};
    append_threads(&text, block, &ended);
}

/* ---- Findings of --check=sync ---- */

static void set_place(struct cdp_finding_place *place, const struct standing *standing,
                      const struct group *group)
{
    const struct cdp_block *block = standing->block;
    uint32_t thread[3];
    cdp_index_of(block->view.block_dim, first_of(&group->threads), thread);
    cdp_finding_place_of(place, block, thread);
    place->pc = group->site != NULL ? (const char *)group->site - 1 : NULL;
}

/* The first group, and the first one at another line. status: what the launch fails with. True if
 * the finding was printed, with the launches and the advice. */
static bool report_finding(const struct standing *standing, enum cdp_status status,
                           struct cdp_finding *finding)
{
    if (!cdp_finding_is_on(CDP_CHECKS_SYNC) || standing->count == 0) {
        return false;
    }
    finding->error = cdp_fault_error_name(standing->block->executor->engine, status);
    set_place(&finding->at, standing, &standing->groups[0]);
    for (unsigned i = 1; i < standing->count && finding->other.what == NULL; i++) {
        if (strcmp(standing->groups[i].place, standing->groups[0].place) != 0) {
            finding->other.what = "other threads";
            set_place(&finding->other, standing, &standing->groups[i]);
        }
    }
    return cdp_finding_report(finding);
}

void cdp_deadlock_print(const struct cdp_block *block, const struct cdp_fiber *running)
{
    struct standing standing;
    collect(&standing, block, running);
    set_missing(&standing);
    print(&standing);
    struct cdp_finding finding = {
        .check = CDP_CHECKS_SYNC,
        .title = "the launch does not complete: its threads still run or wait",
        .help = "look for a lock that some thread does not release, or a loop whose condition "
                "nobody changes; CDP_TIMEOUT sets the time"};
    if (!report_finding(&standing, CDP_FAULT_TIMEOUT, &finding)) {
        cdp_fault_print_launches(block);
    }
}

void cdp_deadlock_report(struct cdp_block *block)
{
    struct cdp_fault_position nowhere = {.block = NULL}; /* the places are printed below */
    if (!cdp_fault_report(block->executor->engine, cdp_grid_device(block->grid), CDP_FAULT_LAUNCH,
                          &nowhere, "deadlock: the block's threads wait for each other")) {
        return;
    }
    struct standing standing;
    collect(&standing, block, NULL);
    set_missing(&standing);
    print(&standing);
    struct cdp_finding finding = {.check = CDP_CHECKS_SYNC,
                                  .title = "the block's threads wait for each other",
                                  .help = advice(&standing)};
    if (!report_finding(&standing, CDP_FAULT_LAUNCH, &finding)) {
        fprintf(stderr, "cdp:   %s\n", finding.help);
        cdp_fault_print_launches(block);
    }
}
