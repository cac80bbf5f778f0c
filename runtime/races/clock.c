/* Vector clocks. They are short: a program uses few streams at a time. */
#include "races/clock.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"

struct cdp_race_clock *cdp_clock_share(struct cdp_race_clock *clock)
{
    if (clock != NULL) {
        /* Relaxed: the caller's own reference keeps it alive. */
        atomic_fetch_add_explicit(&clock->references, 1, memory_order_relaxed);
    }
    return clock;
}

void cdp_clock_drop(struct cdp_race_clock *clock)
{
    /* Release: this use. Acquire, for the last reference: all uses. */
    if (clock != NULL &&
        atomic_fetch_sub_explicit(&clock->references, 1, memory_order_acq_rel) == 1) {
        cdp_free(clock);
    }
}

static const struct cdp_clock_entry *find(const struct cdp_race_clock *clock, uintptr_t stream)
{
    for (uint32_t i = 0; clock != NULL && i < clock->count; i++) {
        if (clock->entries[i].stream == stream) {
            return &clock->entries[i];
        }
    }
    return NULL;
}

bool cdp_clock_covers(const struct cdp_race_clock *clock, uintptr_t stream, uint32_t number)
{
    const struct cdp_clock_entry *entry = find(clock, stream);
    return entry != NULL && entry->number >= number;
}

/* A copy of the clock with space for more entries; NULL without memory. */
static struct cdp_race_clock *copy(const struct cdp_race_clock *clock, uint32_t more)
{
    uint32_t count = clock != NULL ? clock->count : 0;
    struct cdp_race_clock *made =
        cdp_alloc(sizeof *made + ((size_t)count + more) * sizeof made->entries[0]);
    if (made != NULL) {
        atomic_init(&made->references, 1);
        made->count = count;
        if (count != 0) {
            memcpy(made->entries, clock->entries, count * sizeof made->entries[0]);
        }
    }
    return made;
}

/* Sets an entry of a clock that nobody shares yet, and that has space for it. */
static void set(struct cdp_race_clock *clock, struct cdp_clock_entry entry)
{
    for (uint32_t i = 0; i < clock->count; i++) {
        if (clock->entries[i].stream == entry.stream) {
            if (clock->entries[i].number < entry.number) {
                clock->entries[i].number = entry.number;
            }
            return;
        }
    }
    clock->entries[clock->count++] = entry;
}

static void replace(struct cdp_race_clock **clock, struct cdp_race_clock *made)
{
    cdp_clock_drop(*clock);
    *clock = made;
}

void cdp_clock_add(struct cdp_race_clock **clock, uintptr_t stream, uint32_t number)
{
    struct cdp_race_clock *made = cdp_clock_covers(*clock, stream, number) ? NULL : copy(*clock, 1);
    if (made != NULL) {
        set(made, (struct cdp_clock_entry){.stream = stream, .number = number});
        replace(clock, made);
    }
}

void cdp_clock_join(struct cdp_race_clock **clock, const struct cdp_race_clock *other)
{
    if (other == NULL || other == *clock) {
        return;
    }
    struct cdp_race_clock *made = copy(*clock, other->count);
    if (made == NULL) {
        return;
    }
    for (uint32_t i = 0; i < other->count; i++) {
        set(made, other->entries[i]);
    }
    replace(clock, made);
}
