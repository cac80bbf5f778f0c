/* Whether a grid is faster if one worker runs all of its blocks. */
#include "exec/launch/pace.h"

#include "exec/state/grid.h"

/* In ticks (some thousand per microsecond).  Grids that take longer are always shared. */
enum { LONG = 100000 };
/* The number of grids in a round.  The time of a round is that of its fastest grid, because others
 * may have been interrupted, or had their data in other caches.  A trial has fewer grids. */
enum { ROUND = 4, TRIAL = 2 };
enum { TO_TRIAL_GROWS = 4, MOST_TO_TRIAL = 256 };

/* All accesses are relaxed: see the struct. */
static uint32_t get(const _Atomic uint32_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static void set(_Atomic uint32_t *value, uint32_t to)
{
    atomic_store_explicit(value, to, memory_order_relaxed);
}

static size_t index_of(const struct cdp_grid *grid)
{
    uint64_t mixed = (uintptr_t)grid->kernel * 0x9e3779b97f4a7c15u +
                     grid->shape.block_count * 0xd1b54a32d192ed03u;
    return mixed >> 32 & (CDP_PACES - 1);
}

static bool is_of(const struct cdp_pace *pace, const struct cdp_grid *grid)
{
    return atomic_load_explicit(&pace->kernel, memory_order_relaxed) == grid->kernel &&
           get(&pace->blocks) == grid->shape.block_count;
}

static void turn_to(struct cdp_pace *pace, uint32_t way)
{
    set(&pace->way, way);
    set(&pace->least, UINT32_MAX);
    set(&pace->timed, 0);
}

static void renew(struct cdp_pace *pace, const struct cdp_grid *grid)
{
    atomic_store_explicit(&pace->kernel, grid->kernel, memory_order_relaxed);
    set(&pace->blocks, grid->shape.block_count);
    set(&pace->took[CDP_PACE_SHARED], 0);
    set(&pace->took[CDP_PACE_ALONE], 0);
    set(&pace->better, CDP_PACE_SHARED);
    set(&pace->rounds, 0);
    set(&pace->to_trial, 1);
    turn_to(pace, CDP_PACE_SHARED);
}

/* The time and the way in one number. */
static uint64_t stamp(uint64_t ticks, uint32_t way)
{
    return ticks << 1 | way;
}

uint64_t cdp_pace_begin(struct cdp_pace paces[CDP_PACES], struct cdp_grid *grid, uint64_t now)
{
    struct cdp_pace *pace = &paces[index_of(grid)];
    if (!is_of(pace, grid)) {
        renew(pace, grid);
    }
    uint32_t way = get(&pace->way);
    grid->began = stamp(now, way);
    if (way == CDP_PACE_SHARED) {
        return 0;
    }
    /* If the grid takes longer than this on one worker, sharing was faster. */
    uint32_t shared = get(&pace->took[CDP_PACE_SHARED]);
    return shared < LONG ? shared + 1 : LONG;
}

uint64_t cdp_pace_alone(const struct cdp_pace paces[CDP_PACES], const struct cdp_grid *grid)
{
    const struct cdp_pace *pace = &paces[index_of(grid)];
    return is_of(pace, grid) ? get(&pace->took[CDP_PACE_ALONE]) : 0;
}

/* Less by more than noise.  Otherwise the ways would change all the time. */
static bool is_much_less(uint32_t took, uint32_t other)
{
    return took < other - other / 8;
}

/* The way that is better so far has completed a round. */
static void go_on(struct cdp_pace *pace, uint32_t way)
{
    uint32_t took = get(&pace->took[way]), other = get(&pace->took[way ^ 1]);
    uint32_t rounds = get(&pace->rounds) + 1;
    set(&pace->rounds, rounds);
    if (took > LONG) {
        set(&pace->better, CDP_PACE_SHARED);
        turn_to(pace, CDP_PACE_SHARED);
        return;
    }
    if (other != 0 && is_much_less(other, took)) {
        set(&pace->to_trial, 1); /* this way may not be the better one any more */
    }
    turn_to(pace, rounds >= get(&pace->to_trial) ? way ^ 1 : way);
}

static void end_trial(struct cdp_pace *pace, uint32_t way)
{
    bool is_better = is_much_less(get(&pace->took[way]), get(&pace->took[way ^ 1]));
    uint32_t to_trial = get(&pace->to_trial);
    set(&pace->better, is_better ? way : way ^ 1);
    set(&pace->rounds, 0);
    set(&pace->to_trial, to_trial < MOST_TO_TRIAL ? TO_TRIAL_GROWS * to_trial : to_trial);
    turn_to(pace, is_better ? way : way ^ 1);
}

void cdp_pace_end(struct cdp_pace paces[CDP_PACES], const struct cdp_grid *grid, uint64_t now)
{
    struct cdp_pace *pace = &paces[index_of(grid)];
    uint32_t way = grid->began & 1;
    if (!is_of(pace, grid) || get(&pace->way) != way) {
        return;
    }
    uint64_t ticks = now - (grid->began >> 1);
    uint32_t took = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
    uint32_t least = get(&pace->least), timed = get(&pace->timed) + 1;
    bool is_trial = get(&pace->better) != way;
    set(&pace->least, took < least ? took : least);
    set(&pace->timed, timed);
    if (timed < (is_trial ? TRIAL : ROUND)) {
        return;
    }
    set(&pace->took[way], get(&pace->least));
    if (is_trial) {
        end_trial(pace, way);
    } else {
        go_on(pace, way);
    }
}
