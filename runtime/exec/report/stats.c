/* Counts of launches.  Each executor has its own counters, and the summary adds them. */
#include "exec/report/stats.h"

#include <inttypes.h>
#include <stdio.h>

#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "exec/state/grid_times.h"
#include "os/os.h"

/* Relaxed: only the owner writes.  A summary may miss the latest launches. */
static uint64_t value_of(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static uint32_t small_value_of(const _Atomic uint32_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static void add(_Atomic uint64_t *counter, uint64_t amount)
{
    atomic_store_explicit(counter, value_of(counter) + amount, memory_order_relaxed);
}

/* site: of the launch that has this value. */
static void raise_to(_Atomic uint32_t *counter, uint32_t value, _Atomic(const void *) *where,
                     const void *site)
{
    if (value > small_value_of(counter)) {
        atomic_store_explicit(counter, value, memory_order_relaxed);
        atomic_store_explicit(where, site, memory_order_relaxed);
    }
}

void cdp_stats_launched(struct cdp_executor *executor, struct cdp_grid *grid, uint32_t pending)
{
    struct cdp_stats *stats = &executor->stats;
    add(&stats->launches, 1);
    raise_to(&stats->deepest, grid->shape.depth, &stats->deepest_site, grid->site);
    raise_to(&stats->pending, pending, &stats->pending_site, grid->site);
    if (executor->engine->options->stats != 0) {
        *cdp_grid_launch_time(grid) = cdp_os_now();
    }
}

void cdp_stats_note(struct cdp_executor *executor, uint32_t uses)
{
    struct cdp_stats *stats = &executor->stats;
    atomic_store_explicit(&stats->uses, small_value_of(&stats->uses) | uses, memory_order_relaxed);
}

void cdp_stats_started(struct cdp_executor *executor, const struct cdp_grid *grid)
{
    if (executor->engine->options->stats == 0) {
        return; /* no times are taken */
    }
    struct cdp_stats *stats = &executor->stats;
    uint64_t waited = cdp_os_now() - *cdp_grid_launch_time((struct cdp_grid *)(uintptr_t)grid);
    add(&stats->started, 1);
    add(&stats->waited, waited);
    if (waited > value_of(&stats->longest)) {
        atomic_store_explicit(&stats->longest, waited, memory_order_relaxed);
    }
}

void cdp_stats_entry_called(struct cdp_executor *executor, uint32_t ran)
{
    add(ran != 0 ? &executor->stats.whole : &executor->stats.refused, ran != 0 ? ran : 1);
}

/* Prints the counts of block entries, if the program has any. */
static void tell_of_entries(const struct cdp_engine *engine)
{
    uint64_t whole = 0, refused = 0;
    for (unsigned i = 0; i < engine->pool.count; i++) {
        whole += value_of(&engine->executors[i]->stats.whole);
        refused += value_of(&engine->executors[i]->stats.refused);
    }
    if (whole + refused != 0) {
        fprintf(stderr,
                "cdp: %" PRIu64 " blocks ran by block entries, %" PRIu64
                " had an unsupported shape\n",
                whole, refused);
    }
}

static const void *site_of(const _Atomic(const void *) *where)
{
    return atomic_load_explicit(where, memory_order_relaxed);
}

void cdp_stats_summarize(const struct cdp_engine *engine, struct cdp_stats_summary *out)
{
    *out = (struct cdp_stats_summary){.launches = 0};
    for (unsigned i = 0; i < engine->pool.count; i++) {
        const struct cdp_stats *stats = &engine->executors[i]->stats;
        out->launches += value_of(&stats->launches);
        out->started += value_of(&stats->started);
        out->waited += value_of(&stats->waited);
        uint64_t most = value_of(&stats->longest);
        out->longest = most > out->longest ? most : out->longest;
        if (small_value_of(&stats->deepest) > out->deepest) {
            out->deepest = small_value_of(&stats->deepest);
            out->deepest_site = site_of(&stats->deepest_site);
        }
        if (small_value_of(&stats->pending) > out->pending) {
            out->pending = small_value_of(&stats->pending);
            out->pending_site = site_of(&stats->pending_site);
        }
        out->uses |= small_value_of(&stats->uses);
    }
}

void cdp_stats_print(const struct cdp_engine *engine)
{
    struct cdp_stats_summary sum;
    cdp_stats_summarize(engine, &sum);
    fprintf(stderr,
            "cdp: %" PRIu64 " launches by device code; latency %.3f us on average, %.3f us at most;"
            " at most %u pending; depth %u\n",
            sum.launches, sum.started != 0 ? (double)sum.waited / (double)sum.started / 1e3 : 0.0,
            (double)sum.longest / 1e3, sum.pending, sum.deepest);
    tell_of_entries(engine);
}
