/* What is recorded, by each OS thread in its own recorder. */
#include "exec/report/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "base/alloc.h"
#include "exec/report/profile_print.h"
#include "exec/report/recorder.h"
#include "exec/report/timeline.h"
#include "exec/state/engine.h"
#include "exec/state/grid.h"
#include "exec/state/grid_times.h"
#include "exec/state/trial.h"
#include "os/os.h"
#include "os/report_file.h"

bool cdp_profile_is_on;

static __thread bool is_in_call;

/* The first call of the API shall count, so the runtime's options come too late. */
__attribute__((constructor)) static void set(void)
{
    const char *value = secure_getenv("CDP_PROFILE");
    const char *trace = secure_getenv("CDP_TRACE");
    bool is_profiled = value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
    cdp_timeline_is_on = trace != NULL && trace[0] != '\0';
    const char *progress = secure_getenv("CDP_PROGRESS");
    cdp_progress_is_on = progress != NULL && strcmp(progress, "1") == 0;
    cdp_profile_is_on = is_profiled || cdp_timeline_is_on || cdp_progress_is_on;
}

/* The following return NULL without memory. The caller has the recorder's lock. */

static struct cdp_profile_entry *kernel_entry(struct cdp_profile_table *table,
                                              const struct cdp_abi_kernel *kernel)
{
    struct cdp_profile_entry key = {.what = kernel, .kind = CDP_PROFILE_KERNEL};
    struct cdp_profile_entry *entry = cdp_profile_find(table, &key);
    if (entry != NULL && entry->name == NULL) {
        entry->name = cdp_alloc_text(kernel->name);
        entry->has_block_entry = kernel->block_entry != NULL;
        entry->has_thread_entry = kernel->thread_entry != NULL;
    }
    if (entry != NULL) {
        entry->prefers_threads = cdp_trial_prefers_threads(kernel);
    }
    return entry;
}

static struct cdp_profile_entry *child_entry(struct cdp_profile_table *table,
                                             const struct cdp_abi_kernel *kernel,
                                             const struct cdp_abi_kernel *parent)
{
    struct cdp_profile_entry key = {.what = kernel, .parent = parent, .kind = CDP_PROFILE_CHILD};
    struct cdp_profile_entry *entry = cdp_profile_find(table, &key);
    if (entry != NULL && entry->name == NULL) {
        entry->name = cdp_alloc_text(kernel->name);
        entry->parent_name = cdp_alloc_text(parent->name);
    }
    return entry;
}

static struct cdp_profile_entry *text_entry(struct cdp_profile_table *table,
                                            enum cdp_profile_kind kind, const char *name)
{
    struct cdp_profile_entry key = {.what = name, .kind = kind};
    struct cdp_profile_entry *entry = cdp_profile_find(table, &key);
    if (entry != NULL) {
        entry->name = name;
    }
    return entry;
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
    if (cdp_progress_is_on) {
        cdp_progress_launched(grid->shape.block_count, grid->shape.depth);
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
    struct cdp_recorder *own = times->parent != NULL ? cdp_recorder_own() : NULL;
    if (own == NULL) {
        return;
    }
    cdp_lock_acquire(&own->lock);
    struct cdp_profile_entry *entry = child_entry(&own->table, grid->kernel, times->parent);
    if (entry != NULL) {
        cdp_profile_add_time(entry, times->began - times->launched);
    }
    cdp_lock_release(&own->lock);
}

static void add_grid(struct cdp_profile_entry *entry, const struct cdp_grid *grid, uint64_t time)
{
    uint32_t block[3];
    for (int i = 0; i < 3; i++) {
        block[i] = grid->shape.block_dim[i];
    }
    cdp_profile_add_dims(&entry->grid, grid->shape.grid_dim, entry->count);
    cdp_profile_add_dims(&entry->block, block, entry->count);
    cdp_profile_add_time(entry, time);
}

void cdp_profile_ended(struct cdp_grid *grid)
{
    const struct cdp_grid_times *times = cdp_grid_times(grid);
    if (cdp_progress_is_on) {
        cdp_progress_grid_ended();
    }
    bool is_abandoned = times->began == 0; /* after a fault */
    struct cdp_recorder *own = grid->kernel != NULL && !is_abandoned ? cdp_recorder_own() : NULL;
    if (own == NULL) {
        return;
    }
    cdp_lock_acquire(&own->lock);
    struct cdp_profile_entry *entry = kernel_entry(&own->table, grid->kernel);
    uint64_t now = cdp_os_now();
    if (entry != NULL) {
        add_grid(entry, grid, now - times->began);
    }
    if (cdp_timeline_is_on && entry != NULL && entry->name != NULL) {
        cdp_timeline_add_grid(&own->list, grid, entry->name, now);
    }
    cdp_lock_release(&own->lock);
}

void cdp_profile_blocks_ended(uint32_t blocks)
{
    if (cdp_progress_is_on) {
        cdp_progress_blocks_ended(blocks);
    }
}

/* The worker ran blocks of one kernel until now. The caller has the recorder's lock. */
static void end_run(struct cdp_recorder *own, uint64_t now)
{
    struct cdp_timeline_event event = {.name = own->run.name,
                                       .began = own->run.began,
                                       .ended = now,
                                       .detail = own->run.worker,
                                       .kind = CDP_TIMELINE_WORKER};
    if (own->run.kernel != NULL && own->run.name != NULL) {
        cdp_timeline_add(&own->list, &event);
    }
    own->run.kernel = NULL;
}

void cdp_profile_runs(const struct cdp_grid *grid, unsigned worker)
{
    struct cdp_recorder *own = cdp_timeline_is_on ? cdp_recorder_own() : NULL;
    if (own == NULL || grid->kernel == NULL ||
        (own->run.kernel == grid->kernel && own->run.worker == worker)) {
        return;
    }
    uint64_t now = cdp_os_now();
    cdp_lock_acquire(&own->lock);
    end_run(own, now);
    const struct cdp_profile_entry *entry = kernel_entry(&own->table, grid->kernel);
    own->run = (struct cdp_recorder_run){.kernel = grid->kernel,
                                         .began = now,
                                         .worker = worker,
                                         .name = entry != NULL ? entry->name : NULL};
    cdp_lock_release(&own->lock);
}

void cdp_profile_idles(void)
{
    struct cdp_recorder *own = cdp_timeline_is_on ? cdp_recorder_own() : NULL;
    if (own != NULL && own->run.kernel != NULL) {
        cdp_lock_acquire(&own->lock);
        end_run(own, cdp_os_now());
        cdp_lock_release(&own->lock);
    }
}

/* ---- Copies and calls ---- */

/* A copy, if it has bytes; a call; a range. Also the event for the timeline. */
static void add_text(enum cdp_profile_kind kind, const struct cdp_timeline_event *event,
                     uint64_t bytes)
{
    struct cdp_recorder *own = cdp_recorder_own();
    if (own == NULL) {
        return;
    }
    cdp_lock_acquire(&own->lock);
    struct cdp_profile_entry *entry = text_entry(&own->table, kind, event->name);
    if (entry != NULL) {
        entry->bytes += bytes;
        cdp_profile_add_time(entry, event->ended - event->began);
    }
    if (cdp_timeline_is_on) {
        cdp_timeline_add(&own->list, event);
    }
    cdp_lock_release(&own->lock);
}

void cdp_profile_copied(const char *kind, uint64_t bytes, uint64_t began, unsigned device)
{
    struct cdp_timeline_event event = {.name = kind,
                                       .began = began,
                                       .ended = cdp_os_now(),
                                       .detail = bytes,
                                       .kind = CDP_TIMELINE_COPY,
                                       .device = (uint8_t)device};
    add_text(CDP_PROFILE_COPY, &event, bytes);
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
    struct cdp_timeline_event event = {
        .name = call->name, .began = call->began, .ended = cdp_os_now(), .kind = CDP_TIMELINE_CALL};
    is_in_call = false;
    add_text(CDP_PROFILE_CALL, &event, 0);
}

static void add_to_timeline(const struct cdp_timeline_event *event)
{
    struct cdp_recorder *own = cdp_timeline_is_on ? cdp_recorder_own() : NULL;
    if (own != NULL) {
        cdp_lock_acquire(&own->lock);
        cdp_timeline_add(&own->list, event);
        cdp_lock_release(&own->lock);
    }
}

void cdp_profile_stream_did(const struct cdp_profile_host *host)
{
    bool waited = host->function == NULL;
    struct cdp_timeline_event event = {.name = waited ? "waits for an event" : "host function",
                                       .began = host->began,
                                       .ended = cdp_os_now(),
                                       .id = (uintptr_t)host->function,
                                       .detail = host->stream,
                                       .kind = waited ? CDP_TIMELINE_WAIT : CDP_TIMELINE_HOST,
                                       .device = (uint8_t)host->device};
    add_to_timeline(&event);
}

/* ---- NVTX ---- */

static const char *text_or_none(const char *text)
{
    return text != NULL ? text : "(no name)";
}

void cdp_profile_ranged(const struct cdp_profile_range *range)
{
    struct cdp_timeline_event event = {.name = text_or_none(range->text),
                                       .began = range->began,
                                       .ended = cdp_os_now(),
                                       .id = range->id,
                                       .detail = (uintptr_t)range->detail,
                                       .domain = range->domain,
                                       .kind = CDP_TIMELINE_RANGE};
    add_text(CDP_PROFILE_RANGE, &event, 0);
}

void cdp_profile_mark(const char *domain, const char *text, const char *detail)
{
    struct cdp_timeline_event event = {.name = text_or_none(text),
                                       .began = cdp_os_now(),
                                       .detail = (uintptr_t)detail,
                                       .domain = domain,
                                       .kind = CDP_TIMELINE_MARK};
    event.ended = event.began;
    add_to_timeline(&event);
}

/* ---- The end ---- */

void cdp_profile_print(const struct cdp_options *options, bool by_thread)
{
    struct cdp_profile_table sum = {.entries = NULL};
    for (struct cdp_recorder *r = cdp_recorder_all(); r != NULL; r = r->next) {
        cdp_lock_acquire(&r->lock);
        cdp_profile_merge(&sum, &r->table);
        cdp_lock_release(&r->lock);
    }
    struct cdp_profile_order order = {
        .sum = &sum, .by_thread = by_thread, .form = (enum cdp_profile_form)options->profile};
    struct cdp_os_report report = {.file = NULL};
    bool has_file = options->profile_log != NULL &&
                    cdp_os_report_open(&report, "CDP_PROFILE_LOG", options->profile_log);
    char *text = NULL; /* stderr has no buffer: each part of a line would be a call of the system */
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    FILE *out = has_file ? report.file : stderr;
    order.file = memory != NULL ? memory : out;
    cdp_profile_print_table(&order);
    if (memory != NULL && fclose(memory) == 0) {
        fwrite(text, 1, length, out);
    }
    free(text); /* the C library's */
    cdp_os_report_close(&report);
    cdp_free(sum.entries);
}
