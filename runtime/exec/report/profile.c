/* What is recorded, by each OS thread in its own table. */
#include "exec/report/profile.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/profile_print.h"
#include "exec/report/profile_table.h"
#include "exec/report/timeline.h"
#include "exec/state/engine.h"
#include "exec/state/grid.h"
#include "exec/state/grid_times.h"
#include "os/os.h"

bool cdp_profile_is_on;

/* Of this OS thread. Freed never: what a thread did counts after its end. */
static __thread struct cdp_profile_table *own;
static __thread bool is_in_call;
static _Atomic(struct cdp_profile_table *) all;

/* The first call of the API shall count, so the runtime's options come too late. */
__attribute__((constructor)) static void set(void)
{
    const char *value = getenv("CDP_PROFILE");
    const char *trace = getenv("CDP_TRACE");
    bool is_profiled = value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
    cdp_profile_is_on = is_profiled || (trace != NULL && trace[0] != '\0');
}

/* NULL without memory. */
static struct cdp_profile_table *own_table(void)
{
    if (own == NULL) {
        own = cdp_alloc_zero(sizeof *own);
        if (own != NULL) {
            own->next = atomic_load(&all);
            while (!atomic_compare_exchange_weak(&all, &own->next, own)) {
            }
        }
    }
    return own;
}

static struct cdp_profile_entry *entry_of(enum cdp_profile_kind kind, const void *what,
                                          const void *parent)
{
    struct cdp_profile_table *table = own_table();
    struct cdp_profile_entry key = {.what = what, .parent = parent, .kind = kind};
    return table != NULL ? cdp_profile_find(table, &key) : NULL;
}

/* ---- Grids ---- */

void cdp_profile_launched(struct cdp_grid *grid, const struct cdp_grid *parent)
{
    struct cdp_grid_times *times = cdp_grid_times(grid);
    grid->device |= CDP_GRID_PROFILED;
    times->parent = parent != NULL ? parent->kernel : NULL;
    times->began = 0;
    if (cdp_timeline_is_on) {
        times->id = cdp_timeline_number();
        times->parent_id =
            parent != NULL ? cdp_grid_times((struct cdp_grid *)(uintptr_t)parent)->id : 0;
        times->stream = 0;
    }
    times->launched = cdp_os_now();
}

void cdp_profile_stream(struct cdp_grid *grid, uint64_t stream)
{
    cdp_grid_times(grid)->stream = stream;
}

void cdp_profile_began(struct cdp_grid *grid)
{
    struct cdp_grid_times *times = cdp_grid_times(grid);
    times->began = cdp_os_now();
    if (times->parent != NULL) {
        struct cdp_profile_entry *entry = entry_of(CDP_PROFILE_CHILD, grid->kernel, times->parent);
        if (entry != NULL) {
            cdp_profile_add_time(entry, times->began - times->launched);
        }
    }
}

void cdp_profile_ended(struct cdp_grid *grid)
{
    const struct cdp_grid_times *times = cdp_grid_times(grid);
    struct cdp_profile_entry *entry =
        grid->kernel != NULL ? entry_of(CDP_PROFILE_KERNEL, grid->kernel, NULL) : NULL;
    if (entry == NULL || times->began == 0) { /* it is abandoned after a fault */
        return;
    }
    uint32_t block[3];
    for (int i = 0; i < 3; i++) {
        block[i] = grid->shape.block_dim[i];
    }
    cdp_profile_add_dims(&entry->grid, grid->shape.grid_dim, entry->count);
    cdp_profile_add_dims(&entry->block, block, entry->count);
    uint64_t now = cdp_os_now();
    cdp_profile_add_time(entry, now - times->began);
    if (cdp_timeline_is_on) {
        cdp_timeline_add_grid(grid, now);
    }
}

/* ---- Copies and calls ---- */

void cdp_profile_copied(const char *kind, uint64_t bytes, uint64_t began, unsigned device)
{
    struct cdp_profile_entry *entry = entry_of(CDP_PROFILE_COPY, kind, NULL);
    uint64_t now = cdp_os_now();
    if (entry != NULL) {
        entry->bytes += bytes;
        cdp_profile_add_time(entry, now - began);
    }
    if (cdp_timeline_is_on) {
        struct cdp_timeline_event event = {.what = kind,
                                           .began = began,
                                           .ended = now,
                                           .detail = bytes,
                                           .kind = CDP_TIMELINE_COPY,
                                           .device = (uint8_t)device};
        cdp_timeline_add(&event);
    }
}

uint64_t cdp_profile_enter(void)
{
    if (is_in_call) {
        return 0;
    }
    is_in_call = true;
    return cdp_os_now();
}

void cdp_profile_leave(const struct cdp_profile_call *call)
{
    struct cdp_profile_entry *entry = entry_of(CDP_PROFILE_CALL, call->name, NULL);
    uint64_t now = cdp_os_now();
    is_in_call = false;
    if (entry != NULL) {
        cdp_profile_add_time(entry, now - call->began);
    }
    if (cdp_timeline_is_on) {
        struct cdp_timeline_event event = {
            .what = call->name, .began = call->began, .ended = now, .kind = CDP_TIMELINE_CALL};
        cdp_timeline_add(&event);
    }
}

/* ---- The end ---- */

void cdp_profile_print(const struct cdp_engine *engine, enum cdp_profile_form form)
{
    struct cdp_profile_table sum = {.entries = NULL};
    for (const struct cdp_profile_table *table = atomic_load(&all); table != NULL;
         table = table->next) {
        cdp_profile_merge(&sum, table);
    }
    const char *log = engine->options->profile_log;
    struct cdp_profile_order order = {
        .file = stderr, .sum = &sum, .by_thread = engine->modes.by_thread, .form = form};
    FILE *file = log != NULL ? fopen(log, "we") : NULL;
    if (log != NULL && file == NULL) {
        fprintf(stderr, "cdp: the file '%s' of CDP_PROFILE_LOG cannot be written: %s\n", log,
                strerror(errno));
    }
    order.file = file != NULL ? file : stderr;
    cdp_profile_print_table(&order);
    if (file != NULL) {
        fclose(file);
    }
    cdp_free(sum.entries);
}
