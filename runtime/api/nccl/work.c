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

/* Moves that several threads share. */
struct share {
    const struct cdp_nccl_move *moves;
    size_t pieces;                 /* of each move, at most */
    size_t whole;                  /* bytes that are written */
    size_t step;                   /* elements of a piece */
    _Atomic(const void *) address; /* of a fault; NULL: none */
};

struct piece {
    const struct cdp_nccl_move *move;
    size_t first, count, whole;
};

static void run_piece(void *data)
{
    const struct piece *piece = data;
    cdp_nccl_move(piece->move, piece->first, piece->count, piece->whole);
}

static void run_part(void *data, size_t number)
{
    struct share *share = data;
    const struct cdp_nccl_move *move = &share->moves[number / share->pieces];
    size_t first = number % share->pieces * share->step;
    if (first >= move->count) {
        return;
    }
    size_t rest = move->count - first;
    struct piece piece = {move, first, rest < share->step ? rest : share->step, share->whole};
    const void *address;
    if (!cdp_guard_run(run_piece, &piece, &address)) {
        atomic_store_explicit(&share->address, address, memory_order_relaxed);
    }
}

const void *cdp_nccl_run_moves(const struct cdp_nccl_move *moves, size_t count)
{
    size_t size = cdp_nccl_type_size(moves[0].reduction.type), most = 0, whole = 0;
    for (size_t i = 0; i < count; i++) {
        most = moves[i].count > most ? moves[i].count : most;
        whole += moves[i].count * size * (size_t)moves[i].target_count;
    }
    struct share share = {.moves = moves, .step = PIECE / size, .whole = whole};
    share.pieces = (most + share.step - 1) / share.step;
    if (count * most * size > PIECE) {
        cdp_crew_run(cdp_runtime_running()->engine, count * share.pieces, run_part, &share);
    } else { /* this thread does all of it */
        for (size_t part = 0; part < count * share.pieces; part++) {
            run_part(&share, part);
        }
    }
    return atomic_load_explicit(&share.address, memory_order_relaxed);
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

static bool is_part_of(const char *part, size_t size, const char *whole, size_t whole_size)
{
    return part >= whole && part + size <= whole + whole_size;
}

/* With the race check: each rank's hold accesses the memory of the rank. What an operation reads
 * and writes is noted as written only: a record of its own read would take the place of another's,
 * for which the write looks. */
static void note_races(const struct cdp_nccl_round *round, int ranks)
{
    for (int i = 0; i < round->size; i++) {
        const struct cdp_nccl_op *op = round->ops[i];
        if (op == NULL) {
            continue;
        }
        size_t read = cdp_nccl_bytes_read(op, ranks), written = cdp_nccl_bytes_written(op, ranks);
        cdp_stream_turn_checks(op->batch->hold, true);
        if (!is_part_of(op->from, read, op->to, written)) {
            note_access(op, op->from, read, false);
        }
        note_access(op, op->to, written, true);
        cdp_stream_turn_checks(op->batch->hold, false);
    }
}

static void note_written(const struct cdp_nccl_round *round, int ranks)
{
    for (int i = 0; i < round->size; i++) {
        const struct cdp_nccl_op *op = round->ops[i];
        if (op != NULL) {
            cdp_written_set(op->to, cdp_nccl_bytes_written(op, ranks));
        }
    }
}

static bool uses(const struct cdp_nccl_op *op, int ranks, const char *address)
{
    return (address >= op->from && address < op->from + cdp_nccl_bytes_read(op, ranks)) ||
           (address >= op->to && address < op->to + cdp_nccl_bytes_written(op, ranks));
}

void cdp_nccl_note_start(const struct cdp_nccl_round *round)
{
    if (CDP_UNLIKELY(cdp_runtime_running()->engine->modes.races)) {
        note_races(round, round->world->size);
    }
}

void cdp_nccl_note_end(const struct cdp_nccl_round *round)
{
    if (CDP_UNLIKELY(cdp_written_is_on())) {
        note_written(round, round->world->size);
    }
}

void cdp_nccl_fault(const struct cdp_nccl_round *round, const void *address)
{
    const struct cdp_nccl_op *op = cdp_nccl_any_op(round);
    for (int i = 0; i < round->size; i++) {
        if (round->ops[i] != NULL && uses(round->ops[i], round->world->size, address)) {
            op = round->ops[i];
        }
    }
    cdp_fault_set(cdp_runtime_running()->engine, op->batch->comm->device, CDP_FAULT_ADDRESS,
                  "%s of rank %d cannot access %p: the memory was freed after the call", op->call,
                  op->batch->comm->rank, address);
}

/* ---- Rounds ---- */

static struct cdp_nccl_move move_of(const struct cdp_nccl_round *round, int number,
                                    const struct cdp_nccl_operand *operands, char *const *targets)
{
    const struct cdp_nccl_op *op = round->ops[0];
    int ranks = round->world->size;
    struct cdp_nccl_slice slice = cdp_nccl_slice(op, ranks, number);
    bool from_all = slice.source == CDP_NCCL_ALL, to_all = slice.target == CDP_NCCL_ALL;
    return (struct cdp_nccl_move){.reduction = {op->type, op->op, ranks},
                                  .combines = from_all,
                                  .operands = from_all ? operands : &operands[slice.source],
                                  .targets = to_all ? targets : &targets[slice.target],
                                  .operand_count = from_all ? round->size : 1,
                                  .target_count = to_all ? round->size : 1,
                                  .from_at = slice.from_at,
                                  .to_at = slice.to_at,
                                  .count = slice.count};
}

void cdp_nccl_work(struct cdp_engine_task *task)
{
    struct cdp_nccl_round *round = (struct cdp_nccl_round *)(void *)task;
    struct cdp_nccl_operand operands[MOST_RANKS];
    char *targets[MOST_RANKS];
    struct cdp_nccl_move moves[MOST_RANKS];
    for (int i = 0; i < round->size; i++) {
        const struct cdp_nccl_op *op = round->ops[i];
        operands[i].from = op->from;
        operands[i].scale = op->scale.device != NULL ? op->scale.device : &op->scale.value;
        targets[i] = op->to;
    }
    int slices = cdp_nccl_slice_count(round->ops[0], round->world->size);
    for (int i = 0; i < slices; i++) {
        moves[i] = move_of(round, i, operands, targets);
    }
    cdp_nccl_note_start(round);
    const void *address = cdp_nccl_run_moves(moves, (size_t)slices);
    if (address != NULL) {
        cdp_nccl_fault(round, address);
    }
    cdp_nccl_note_end(round);
    cdp_nccl_round_done(round);
}
