/* The recording of events. */
#include "exec/report/timeline.h"

#include "base/alloc.h"
#include "exec/report/recorder.h"

/* Events of one thread: 40 MB. */
enum { MOST_EVENTS = 1 << 19, NUMBER_BITS = 40 };

bool cdp_timeline_is_on;

uint64_t cdp_timeline_number(void)
{
    struct cdp_recorder *own = cdp_recorder_own();
    return own == NULL ? 0 : ((uint64_t)own->index << NUMBER_BITS) + ++own->numbers;
}

/* There may be very many of these. */
static bool is_of_device(const struct cdp_timeline_event *event)
{
    return event->kind == CDP_TIMELINE_WORKER ||
           (event->kind == CDP_TIMELINE_GRID && event->parent != 0);
}

/* Keeps every second of them. */
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
    list->thinned_times++;
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

void cdp_timeline_add(struct cdp_timeline_list *list, const struct cdp_timeline_event *event)
{
    if (list->is_closed) {
        return;
    }
    uint64_t every = UINT64_C(1) << list->thinned_times;
    bool skips = is_of_device(event) && list->seen++ % every != 0;
    if (skips || !has_room(list)) {
        list->dropped++;
        return;
    }
    list->events[list->count++] = *event;
}

void cdp_timeline_add_grid(struct cdp_timeline_list *list, struct cdp_grid *grid, const char *name,
                           uint64_t ended)
{
    const struct cdp_grid_times *times = cdp_grid_times(grid);
    struct cdp_timeline_event event = {.name = name,
                                       .began = times->began,
                                       .ended = ended,
                                       .launched = times->launched,
                                       .id = times->id,
                                       .parent = times->parent_id,
                                       .detail = times->stream,
                                       .site = grid->site,
                                       .depth = grid->shape.depth,
                                       .kind = CDP_TIMELINE_GRID,
                                       .device = (uint8_t)cdp_grid_device(grid)};
    for (int i = 0; i < 3; i++) {
        event.grid[i] = grid->shape.grid_dim[i];
        event.block[i] = grid->shape.block_dim[i];
    }
    cdp_timeline_add(list, &event);
}
