/* Device launches: streams and events of device code, and the work in them.
 *
 * A block's NULL stream is a chain of launch records that only the block's executor appends to.
 * Named streams and events belong to the grid whose block created them.  All blocks of the grid may
 * use them, so each has a lock.  (In CDP1 only the block that created them may.) They live until
 * the grid is complete.  So a handle never dangles while work refers to it.
 *
 * The code follows the CUDA Dynamic Parallelism guides.  The callers (api/device_*.c) implement the
 * semantics of each call and validate its arguments. */
#ifndef CDP_EXEC_LAUNCH_SCOPE_H
#define CDP_EXEC_LAUNCH_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "exec/launch/grid.h"
#include "exec/launch/record.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

struct cdp_device_stream;
struct cdp_device_event;

/* The stream of a launch. */
enum cdp_device_target {
    CDP_TARGET_BLOCK, /* the block's NULL stream */
    CDP_TARGET_NAMED,
    CDP_TARGET_TAIL,
    CDP_TARGET_FREE, /* fire and forget */
};

struct cdp_device_launch {
    const struct cdp_abi_kernel *kernel;
    void *params; /* from cdp_scope_buffer; NULL: none */
    uint32_t grid_dim[3], block_dim[3];
    uint32_t cluster_dim[3]; /* blocks of a cluster; 0: no clusters */
    uint32_t dynamic_shared;
    enum cdp_device_target target;
    struct cdp_device_stream *stream; /* CDP_TARGET_NAMED */
    const void *site;
};

/* A parameter buffer, aligned to 64 bytes.  It is freed with the block if it is never launched.
 * NULL when out of memory or size is over 32,768. */
static inline void *cdp_scope_buffer(struct cdp_block *block, size_t size)
{
    /* No other field of the record is written before the launch. */
    struct cdp_grid *grid = cdp_grid_source_pick(&block->executor->records.source, size);
    if (CDP_UNLIKELY(grid == NULL)) {
        return NULL;
    }
    cdp_grid_link(grid, block->children.buffers);
    block->children.buffers = grid;
    return cdp_grid_params(grid);
}
/* Whether params is a buffer of this block that is not launched yet. */
bool cdp_scope_owns_buffer(const struct cdp_block *block, const void *params);

/* Appends a grid to the block's NULL stream. */
static inline void cdp_scope_append(struct cdp_block *block, struct cdp_grid *grid)
{
    struct cdp_grid *last = block->children.null_tail;
    block->children.null_tail = grid;
    grid->order = CDP_ORDER_BLOCK;
    if (last == NULL || !cdp_grid_follow(block->executor, last, grid)) {
        cdp_grid_offer(block->executor, grid);
    }
}

/* CDP_OK, CDP_NO_MEMORY or, with a fixed pool, CDP_PENDING_EXCEEDED. */
enum cdp_status cdp_scope_launch(struct cdp_block *block,
                                 const struct cdp_device_launch *launch) CDP_MUST_CHECK;

/* The state of a device stream's or event's handle, of any grid.  For reports. */
enum cdp_handle_state cdp_device_handle_state(struct cdp_engine *engine, uint64_t handle);

/* Streams. */
enum cdp_status cdp_device_stream_create(struct cdp_block *block, uint64_t *handle) CDP_MUST_CHECK;
/* NULL: not a live stream of this block's scope. */
struct cdp_device_stream *cdp_device_stream_find(struct cdp_block *block, uint64_t handle);
/* Work already in the stream still runs. */
void cdp_device_stream_destroy(struct cdp_block *block, struct cdp_device_stream *stream);
/* A grid in a named stream is complete. */
void cdp_device_stream_completed(struct cdp_executor *executor, struct cdp_grid *grid);

/* Events. */
enum cdp_status cdp_device_event_create(struct cdp_block *block, uint64_t *handle) CDP_MUST_CHECK;
struct cdp_device_event *cdp_device_event_find(struct cdp_block *block, uint64_t handle);
void cdp_device_event_destroy(struct cdp_block *block, struct cdp_device_event *event);
enum cdp_status cdp_device_event_record(struct cdp_block *block, struct cdp_device_event *event,
                                        enum cdp_device_target target,
                                        struct cdp_device_stream *stream) CDP_MUST_CHECK;
enum cdp_status cdp_device_event_wait(struct cdp_block *block, struct cdp_device_event *event,
                                      enum cdp_device_target target,
                                      struct cdp_device_stream *stream) CDP_MUST_CHECK;

/* The grid is complete: its streams and events end. */
void cdp_scope_close(struct cdp_engine *engine, struct cdp_grid *grid);

#endif
