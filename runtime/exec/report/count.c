/* Collects the lanes of each request. A warp's open requests are in a hash table by their keys, and
 * in a list from the oldest to the newest. */
#include "exec/report/count.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/count_request.h"
#include "exec/state/block.h"

enum { LANES = 32, BUCKETS = 1024 };
/* A thread lets the others run after so many events. Then lanes are never further apart than two
 * such turns, and an open request that is older than MOST_OPEN others gets no more lanes. */
enum { EVENTS_OF_A_TURN = 256, MOST_OPEN = 2 * EVENTS_OF_A_TURN * LANES };
/* Sums of sites: chunks, made when they are needed. */
enum { SITES_OF_A_CHUNK = 256, CHUNKS = 4096 };

struct open {
    struct open *in_bucket; /* the next one there */
    struct open *newer, *older;
    uint64_t key;
    struct cdp_count_request request;
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

static _Atomic(struct cdp_count_sums *) chunks[CHUNKS];

/* ---- Sums ---- */

const struct cdp_count_sums *cdp_count_sums_of(uint32_t site)
{
    const struct cdp_count_sums *chunk =
        site / SITES_OF_A_CHUNK < CHUNKS
            ? atomic_load_explicit(&chunks[site / SITES_OF_A_CHUNK], memory_order_acquire)
            : NULL;
    return chunk != NULL ? &chunk[site % SITES_OF_A_CHUNK] : NULL;
}

/* NULL without memory. */
static struct cdp_count_sums *sums_of(uint32_t site)
{
    if (site / SITES_OF_A_CHUNK >= CHUNKS) {
        return NULL;
    }
    _Atomic(struct cdp_count_sums *) *place = &chunks[site / SITES_OF_A_CHUNK];
    struct cdp_count_sums *chunk = atomic_load_explicit(place, memory_order_acquire);
    if (chunk == NULL) {
        struct cdp_count_sums *made = cdp_alloc_zero(SITES_OF_A_CHUNK * sizeof *made);
        if (made == NULL) {
            return NULL;
        }
        /* Release: others see the zeros. */
        if (atomic_compare_exchange_strong(place, &chunk, made)) {
            chunk = made;
        } else {
            cdp_free(made);
        }
    }
    return &chunk[site % SITES_OF_A_CHUNK];
}

static void add(_Atomic uint64_t *sum, uint64_t value)
{
    if (value != 0) {
        atomic_fetch_add_explicit(sum, value, memory_order_relaxed);
    }
}

static void finish(const struct cdp_count_request *request)
{
    struct cdp_count_sums *sums = sums_of(request->site->number);
    if (sums == NULL) {
        return;
    }
    struct cdp_count_parts parts = cdp_count_request_parts(request);
    unsigned lanes = (unsigned)__builtin_popcount(request->lanes);
    add(&sums->in[request->space].requests, 1);
    add(&sums->in[request->space].lanes, lanes);
    add(&sums->in[request->space].bytes, (uint64_t)lanes * request->size);
    add(&sums->in[request->space].parts, parts.parts);
    add(&sums->in[request->space].conflicts, parts.conflicts);
    add(&sums->in[request->space].same_address, parts.same_address);
}

/* ---- Open requests ---- */

static struct open **bucket_of(struct warp *warp, uint64_t key)
{
    return &warp->buckets[key >> 32 & (BUCKETS - 1)];
}

static void close_request(struct warp *warp, struct open *open)
{
    finish(&open->request);
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
    open->request.site = event->site;
    open->request.space = event->space;
    open->request.size = (uint32_t)event->size;
    open->request.lanes = 0;
    return open;
}

/* The oldest with the key that the lane has not executed: code whose iteration the key does not
 * tell executes a key again, and lanes meet by how often they did. */
static struct open *find(struct warp *warp, const struct cdp_count_event *event, uint32_t lane)
{
    struct open *open = *bucket_of(warp, event->key);
    while (open != NULL &&
           (open->key != event->key || open->request.site != event->site ||
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
    open->request.values[lane] = event->value;
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
