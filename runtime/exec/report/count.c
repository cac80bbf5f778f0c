/* Collects the lanes of each request. A warp's open requests are in a hash table by their keys, and
 * in a list from the oldest to the newest. */
#include "exec/report/count.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/count_request.h"
#include "exec/report/count_sums.h"
#include "exec/state/block.h"

enum { LANES = 32, BUCKETS = 1024 };
/* A thread lets the others run after so many events. Then lanes are never further apart than two
 * such turns, and an open request that is older than MOST_OPEN others gets no more lanes. */
enum { EVENTS_OF_A_TURN = 256, MOST_OPEN = 2 * EVENTS_OF_A_TURN * LANES };
struct open {
    struct open *in_bucket; /* the next one there */
    struct open *newer, *older;
    uint64_t key;
    void *what;                       /* as in struct cdp_count_event */
    struct cdp_count_request request; /* its values are those here */
    uint64_t values[LANES];
};

struct warp {
    struct open *buckets[BUCKETS];
    struct open *oldest, *newest, *spare; /* spare: by newer */
    uint32_t open;
    uint32_t lanes, ended; /* threads */
    uint16_t events[LANES];
};

/* Of a block. Owned by it, from its first event to the end of its last thread. */
struct cdp_count_block {
    uint32_t threads_left, warp_count;
    struct warp *warps[]; /* made at the first event; NULL: not yet */
};

static void finish(const struct open *open)
{
    const struct cdp_count_request *request = &open->request;
    if (request->space == CDP_COUNT_SPACES) {
        cdp_count_ran(open->what, 1, (uint64_t)__builtin_popcount(request->lanes));
        return;
    }
    struct cdp_count_parts parts = cdp_count_request_parts(request);
    struct cdp_count_sum sum = {.requests = 0};
    cdp_count_add_request(&sum, request, &parts);
    if (request->space == CDP_COUNT_BRANCH) { /* the others follow from its basic block */
        sum = (struct cdp_count_sum){.parts = parts.parts};
    }
    cdp_count_sum_add(request->site->number, request->space, &sum);
}

/* ---- Open requests ---- */

static struct open **bucket_of(struct warp *warp, uint64_t key)
{
    return &warp->buckets[key >> 32 & (BUCKETS - 1)];
}

static void close_request(struct warp *warp, struct open *open)
{
    finish(open);
    struct open **link = bucket_of(warp, open->key);
    while (*link != open) {
        link = &(*link)->in_bucket;
    }
    *link = open->in_bucket;
    *(open->older != NULL ? &open->older->newer : &warp->oldest) = open->newer;
    *(open->newer != NULL ? &open->newer->older : &warp->newest) = open->older;
    open->newer = warp->spare;
    warp->spare = open;
    warp->open--;
}

static struct open *open_request(struct warp *warp, const struct cdp_count_event *event)
{
    if (warp->open >= MOST_OPEN) {
        close_request(warp, warp->oldest);
    }
    struct open *open = warp->spare;
    if (open != NULL) {
        warp->spare = open->newer;
    } else if ((open = cdp_alloc(sizeof *open)) == NULL) {
        return NULL;
    }
    struct open **end = bucket_of(warp, event->key);
    while (*end != NULL) { /* the oldest first: see find() */
        end = &(*end)->in_bucket;
    }
    *end = open;
    open->in_bucket = NULL;
    open->key = event->key;
    open->newer = NULL;
    open->older = warp->newest;
    *(warp->newest != NULL ? &warp->newest->newer : &warp->oldest) = open;
    warp->newest = open;
    warp->open++;
    open->what = event->what;
    open->request.site = event->space != CDP_COUNT_SPACES ? event->what : NULL;
    open->request.space = event->space;
    open->request.size = (uint32_t)event->size;
    open->request.lanes = 0;
    open->request.values = open->values;
    return open;
}

/* The oldest with the key that the lane has not executed: code whose iteration the key does not
 * tell executes a key again, and lanes meet by how often they did. */
static struct open *find(struct warp *warp, const struct cdp_count_event *event, uint32_t lane)
{
    struct open *open = *bucket_of(warp, event->key);
    while (open != NULL &&
           (open->key != event->key || open->what != event->what ||
            open->request.space != event->space || (open->request.lanes >> lane & 1) != 0)) {
        open = open->in_bucket;
    }
    return open;
}

/* ---- Warps and blocks ---- */

static struct cdp_count_block *counts_of(struct cdp_block *block)
{
    uint32_t warps = (block->view.thread_count + LANES - 1) / LANES;
    struct cdp_count_block *counts = block->threads.counts;
    if (counts == NULL) {
        counts = cdp_alloc_zero(sizeof *counts + warps * sizeof *counts->warps);
        if (counts != NULL) {
            counts->warp_count = warps;
            counts->threads_left = block->view.thread_count;
        }
        block->threads.counts = counts;
    }
    return counts;
}

/* NULL without memory. */
static struct warp *warp_of(struct cdp_block *block, uint32_t thread)
{
    struct cdp_count_block *counts = counts_of(block);
    struct warp **place = counts != NULL ? &counts->warps[thread / LANES] : NULL;
    if (place != NULL && *place == NULL && (*place = cdp_alloc_zero(sizeof **place)) != NULL) {
        uint32_t left = block->view.thread_count - thread / LANES * LANES;
        (*place)->lanes = left < LANES ? left : LANES;
    }
    return place != NULL ? *place : NULL;
}

bool cdp_count_add(struct cdp_block *block, uint32_t thread, const struct cdp_count_event *event)
{
    struct warp *warp = warp_of(block, thread);
    uint32_t lane = thread % LANES;
    struct open *open = warp != NULL ? find(warp, event, lane) : NULL;
    if (open == NULL && (warp == NULL || (open = open_request(warp, event)) == NULL)) {
        return false;
    }
    open->request.lanes |= UINT32_C(1) << lane;
    open->values[lane] = event->value;
    if ((unsigned)__builtin_popcount(open->request.lanes) == warp->lanes) {
        close_request(warp, open);
    }
    return ++warp->events[lane] % EVENTS_OF_A_TURN == 0;
}

/* Adds its open requests. */
static void free_warp(struct warp *warp)
{
    while (warp->oldest != NULL) {
        close_request(warp, warp->oldest);
    }
    while (warp->spare != NULL) {
        struct open *next = warp->spare->newer;
        cdp_free(warp->spare);
        warp->spare = next;
    }
    cdp_free(warp);
}

void cdp_count_thread_ended(struct cdp_block *block, uint32_t thread)
{
    struct warp *warp = warp_of(block, thread);
    if (warp != NULL && ++warp->ended == warp->lanes) {
        free_warp(warp);
        block->threads.counts->warps[thread / LANES] = NULL;
    }
    if (block->threads.counts != NULL && --block->threads.counts->threads_left == 0) {
        cdp_count_block_ends(block);
    }
}

void cdp_count_block_ends(struct cdp_block *block)
{
    struct cdp_count_block *counts = block->threads.counts;
    for (uint32_t i = 0; counts != NULL && i < counts->warp_count; i++) {
        if (counts->warps[i] != NULL) {
            free_warp(counts->warps[i]);
        }
    }
    cdp_free(counts);
    block->threads.counts = NULL;
}
