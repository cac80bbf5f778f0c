/* Device launches: streams and events of device code, and the work in them.
 *
 * A block's NULL stream is a chain of launch records that only the block's executor appends to.  So
 * is a stream that only one block may use.  All blocks of a grid may use its other streams and
 * events, so each has a lock (launch/scope_object.h).  An object's memory stays while work refers
 * to it, so a handle never dangles.
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
#include "exec/launch/scope_object.h"
#include "exec/state/block.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"

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

/* Appends a grid to a stream that only the block uses: its NULL stream, or a private one. tail is
 * the stream's last grid, and grid->stream is set. */
static inline void cdp_scope_append(struct cdp_block *block, struct cdp_grid **tail,
                                    struct cdp_grid *grid)
{
    struct cdp_grid *last = *tail;
    *tail = grid;
    if (grid->stream == NULL) {
        block->view.serial_children = CDP_SERIAL_NONE; /* until the stream is idle */
    }
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
static inline struct cdp_device_stream *cdp_device_stream_find(const struct cdp_block *block,
                                                               uint64_t handle)
{
    struct cdp_scope_slot *slot = cdp_scope_find(block, handle, CDP_SCOPE_STREAM);
    return slot != NULL ? &slot->stream : NULL;
}
/* Work already in the stream still runs. */
void cdp_device_stream_destroy(struct cdp_block *block, struct cdp_device_stream *stream);
/* A grid in a stream that is not private is complete. */
void cdp_device_stream_completed(struct cdp_executor *executor, struct cdp_grid *grid);
/* The last grid of a private stream is complete.  Called by the block's worker. */
void cdp_device_stream_is_idle(struct cdp_executor *executor, struct cdp_device_stream *stream);

/* A grid that the block launched is complete: its stream may be idle now.  Called by the block's
 * worker. */
static inline void cdp_scope_child_left(struct cdp_executor *executor, struct cdp_block *block,
                                        const struct cdp_grid *child)
{
    struct cdp_device_stream *stream = child->stream;
    if (CDP_LIKELY(stream == NULL)) {
        if (block->children.null_tail == child) {
            block->children.null_tail = NULL;
            block->view.serial_children = cdp_executor_serial_children(executor);
        }
    } else if (child->order == CDP_ORDER_BLOCK && stream->tail == child) {
        cdp_device_stream_is_idle(executor, stream);
    }
}

/* Events. */
enum cdp_status cdp_device_event_create(struct cdp_block *block, uint64_t *handle) CDP_MUST_CHECK;
static inline struct cdp_device_event *cdp_device_event_find(const struct cdp_block *block,
                                                             uint64_t handle)
{
    struct cdp_scope_slot *slot = cdp_scope_find(block, handle, CDP_SCOPE_EVENT);
    return slot != NULL ? &slot->event : NULL;
}
void cdp_device_event_destroy(struct cdp_block *block, struct cdp_device_event *event);
enum cdp_status cdp_device_event_record(struct cdp_block *block, struct cdp_device_event *event,
                                        enum cdp_device_target target,
                                        struct cdp_device_stream *stream) CDP_MUST_CHECK;
enum cdp_status cdp_device_event_wait(struct cdp_block *block, struct cdp_device_event *event,
                                      enum cdp_device_target target,
                                      struct cdp_device_stream *stream) CDP_MUST_CHECK;

/* The grid or the block is complete: its streams and events end. */
void cdp_scope_close(struct cdp_executor *executor, struct cdp_scope_slot **list);

#endif
