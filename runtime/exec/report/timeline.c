/* The recording of events. */
#include "exec/report/timeline.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "exec/report/timeline_list.h"

/* Events of one thread: 40 MB. */
enum { MOST_EVENTS = 1 << 19, NUMBER_BITS = 40 };

bool cdp_timeline_is_on;

static __thread struct cdp_timeline_list *own;
static _Atomic(struct cdp_timeline_list *) all;
static _Atomic unsigned threads;

/* The first call of the API shall count, so the runtime's options come too late. */
__attribute__((constructor)) static void set(void)
{
    const char *value = getenv("CDP_TRACE");
    cdp_timeline_is_on = value != NULL && value[0] != '\0';
}

const struct cdp_timeline_list *cdp_timeline_lists(void)
{
    return atomic_load(&all);
}

/* NULL without memory. */
static struct cdp_timeline_list *own_list(void)
{
    if (own == NULL) {
        own = cdp_alloc_zero(sizeof *own);
        if (own != NULL) {
            own->stride = 1;
            own->index = atomic_fetch_add(&threads, 1);
            own->next = atomic_load(&all);
            while (!atomic_compare_exchange_weak(&all, &own->next, own)) {
            }
        }
    }
    return own;
}

uint64_t cdp_timeline_number(void)
{
    struct cdp_timeline_list *list = own_list();
    return list == NULL ? 0 : ((uint64_t)list->index << NUMBER_BITS) + ++list->numbers;
}

static bool is_of_device(const struct cdp_timeline_event *event)
{
    return event->kind == CDP_TIMELINE_GRID && event->parent != 0;
}

/* Keeps every second of the grids that device code launched. */
static void thin_out(struct cdp_timeline_list *list)
{
    size_t kept = 0;
    bool takes = true;
    for (size_t i = 0; i < list->count; i++) {
        bool keeps = !is_of_device(&list->events[i]) || takes;
        takes ^= is_of_device(&list->events[i]);
        if (keeps) {
            list->events[kept++] = list->events[i];
        }
    }
    list->dropped += list->count - kept;
    list->count = kept;
    list->stride *= 2;
}

static bool has_room(struct cdp_timeline_list *list)
{
    if (list->count < list->capacity) {
        return true;
    }
    if (list->count >= MOST_EVENTS) {
        thin_out(list);
        return list->count < list->capacity;
    }
    size_t more = list->capacity == 0 ? 256 : 2 * list->capacity;
    struct cdp_timeline_event *events = cdp_realloc(list->events, more * sizeof *events);
    if (events == NULL) {
        return false;
    }
    list->events = events;
    list->capacity = more;
    return true;
}

void cdp_timeline_add(const struct cdp_timeline_event *event)
{
    struct cdp_timeline_list *list = own_list();
    if (list == NULL) {
        return;
    }
    bool skips = is_of_device(event) && list->seen++ % list->stride != 0;
    if (skips || !has_room(list)) {
        list->dropped++;
        return;
    }
    list->events[list->count++] = *event;
}

void cdp_timeline_add_grid(struct cdp_grid *grid, uint64_t ended)
{
    const struct cdp_grid_times *times = cdp_grid_times(grid);
    struct cdp_timeline_event event = {.what = grid->kernel,
                                       .began = times->began,
                                       .ended = ended,
                                       .launched = times->launched,
                                       .id = times->id,
                                       .parent = times->parent_id,
                                       .detail = times->stream,
                                       .depth = grid->shape.depth,
                                       .kind = CDP_TIMELINE_GRID,
                                       .device = (uint8_t)cdp_grid_device(grid)};
    for (int i = 0; i < 3; i++) {
        event.grid[i] = grid->shape.grid_dim[i];
        event.block[i] = grid->shape.block_dim[i];
    }
    cdp_timeline_add(&event);
}
