/* The work of a round whose ranks are all in this process: a task of the engine, which cuts the
 * slices into pieces. Free workers help with these.
 *
 * A piece reads its elements of all sources before it writes a target, and no other piece accesses
 * these elements. So operations in place are right. */
#include <stdatomic.h>
#include <string.h>

#include "api/nccl/round.h"
#include "api/nccl/shape.h"
#include "api/runtime.h"
#include "exec/loop/crew.h"
#include "exec/report/fault.h"
#include "exec/report/guard.h"
#include "exec/report/races.h"
#include "exec/state/engine.h"
#include "mem/written.h"

#define PIECE ((size_t)256 << 10)       /* bytes */
enum { MOST_RANKS = CDP_MOST_DEVICES }; /* of one process: each has its own device */

struct work {
    struct cdp_nccl_round *round;
    const struct cdp_nccl_op *op; /* any */
    int ranks;
    size_t pieces;                 /* of each slice */
    size_t step;                   /* elements of a piece */
    _Atomic(const void *) address; /* of a fault; NULL: none */
};

struct piece {
    const struct work *work;
    struct cdp_nccl_slice slice; /* only the elements of the piece */
};

static bool takes_part(int which, int rank)
{
    return which == CDP_NCCL_ALL || which == rank;
}

static void copy(const struct piece *piece, size_t size, char *const *targets, int count)
{
    const struct cdp_nccl_op *from = piece->work->round->ops[piece->slice.source];
    const char *start = from->from + piece->slice.from_at * size;
    for (int i = 0; i < count; i++) {
        if (targets[i] != start) {
            memmove(targets[i], start, piece->slice.count * size);
        }
    }
}

static void reduce(const struct piece *piece, size_t size, char *const *targets, int count)
{
    const struct work *work = piece->work;
    struct cdp_nccl_operand operands[MOST_RANKS];
    for (int i = 0; i < work->ranks; i++) {
        const struct cdp_nccl_op *op = work->round->ops[i];
        operands[i] = (struct cdp_nccl_operand){
            .from = op->from + piece->slice.from_at * size,
            .scale = op->scale.device != NULL ? op->scale.device : &op->scale.value};
    }
    struct cdp_nccl_reduction reduction = {
        .type = work->op->type, .op = work->op->op, .ranks = work->ranks};
    cdp_nccl_reduce(&reduction, operands, work->ranks, targets, count, piece->slice.count);
}

static void run_piece(void *data)
{
    const struct piece *piece = data;
    const struct work *work = piece->work;
    size_t size = cdp_nccl_type_size(work->op->type);
    char *targets[MOST_RANKS];
    int count = 0;
    for (int i = 0; i < work->round->size; i++) {
        if (takes_part(piece->slice.target, i)) {
            targets[count++] = work->round->ops[i]->to + piece->slice.to_at * size;
        }
    }
    if (piece->slice.source == CDP_NCCL_ALL) {
        reduce(piece, size, targets, count);
    } else {
        copy(piece, size, targets, count);
    }
}

static void run_part(void *data, size_t number)
{
    struct work *work = data;
    struct piece piece = {.work = work};
    piece.slice = cdp_nccl_slice(work->op, work->ranks, (int)(number / work->pieces));
    size_t at = number % work->pieces * work->step;
    if (at >= piece.slice.count) {
        return;
    }
    size_t rest = piece.slice.count - at;
    piece.slice.count = rest < work->step ? rest : work->step;
    piece.slice.from_at += at;
    piece.slice.to_at += at;
    const void *address;
    if (!cdp_guard_run(run_piece, &piece, &address)) {
        atomic_store_explicit(&work->address, address, memory_order_relaxed);
    }
}

/* Of little work this thread does all. */
static void run_parts(struct cdp_engine *engine, size_t parts, bool is_small, struct work *work)
{
    if (!is_small) {
        cdp_crew_run(engine, parts, run_part, work);
        return;
    }
    for (size_t part = 0; part < parts; part++) {
        run_part(work, part);
    }
}

/* ---- What checks and reports need ---- */

static void note_access(const struct cdp_nccl_op *op, const void *address, size_t bytes,
                        bool writes)
{
    if (bytes > 0) {
        struct cdp_races_range range = {
            .address = address, .size = bytes, .writes = writes, .what = op->call};
        cdp_races_access(&range);
    }
}

/* With the race check: each rank's hold accesses the memory of the rank. */
static void note_races(const struct cdp_nccl_round *round, int ranks)
{
    for (int i = 0; i < round->size; i++) {
        const struct cdp_nccl_op *op = round->ops[i];
        cdp_stream_turn_checks(op->batch->hold, true);
        note_access(op, op->from, cdp_nccl_bytes_read(op, ranks), false);
        note_access(op, op->to, cdp_nccl_bytes_written(op, ranks), true);
        cdp_stream_turn_checks(op->batch->hold, false);
    }
}

static void note_written(const struct cdp_nccl_round *round, int ranks)
{
    for (int i = 0; i < round->size; i++) {
        const struct cdp_nccl_op *op = round->ops[i];
        cdp_written_set(op->to, cdp_nccl_bytes_written(op, ranks));
    }
}

static bool uses(const struct cdp_nccl_op *op, int ranks, const char *address)
{
    return (address >= op->from && address < op->from + cdp_nccl_bytes_read(op, ranks)) ||
           (address >= op->to && address < op->to + cdp_nccl_bytes_written(op, ranks));
}

/* The memory was valid when the call was made. */
static void fault(const struct work *work, const void *address)
{
    const struct cdp_nccl_op *op = work->round->ops[0];
    for (int i = 0; i < work->round->size; i++) {
        if (uses(work->round->ops[i], work->ranks, address)) {
            op = work->round->ops[i];
        }
    }
    cdp_fault_set(cdp_runtime_running()->engine, op->batch->comm->device, CDP_FAULT_ADDRESS,
                  "%s of rank %d cannot access %p: the memory was freed after the call", op->call,
                  op->batch->comm->rank, address);
}

void cdp_nccl_work(struct cdp_engine_task *task)
{
    struct cdp_nccl_round *round = (struct cdp_nccl_round *)(void *)task;
    struct cdp_engine *engine = cdp_runtime_running()->engine;
    struct work work = {.round = round, .op = round->ops[0], .ranks = round->world->size};
    size_t size = cdp_nccl_type_size(work.op->type);
    work.step = PIECE / size;
    size_t slices = (size_t)cdp_nccl_slice_count(work.op, work.ranks);
    size_t most = cdp_nccl_slice(work.op, work.ranks, (int)slices - 1).count;
    work.pieces = (most + work.step - 1) / work.step;
    if (CDP_UNLIKELY(engine->modes.races)) {
        note_races(round, work.ranks);
    }
    run_parts(engine, slices * work.pieces, slices * most * size <= PIECE, &work);
    const void *address = atomic_load_explicit(&work.address, memory_order_relaxed);
    if (address != NULL) {
        fault(&work, address);
    }
    if (CDP_UNLIKELY(cdp_written_is_on())) {
        note_written(round, work.ranks);
    }
    cdp_nccl_round_done(round);
}
