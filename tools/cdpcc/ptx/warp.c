/* Inline PTX that communicates with other threads: shuffles, votes, barriers.
 *
 *     shfl.sync.down.b32 d|p, a, 1, 0x1f, mask    from the lane one above; p: there is one
 *     vote.sync.ballot.b32 d, p, mask             __ballot_sync
 *     bar.sync 0                                  __syncthreads
 *     bar.sync 1, 64                              a barrier of 64 threads
 *
 * They become calls of the functions that the device headers use, so inline PTX and CUDA's
 * functions can meet in one operation. The lane to read from is computed here, because the operand
 * c of PTX is more general than the width of __shfl_sync. */
#include "ptx/forms.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* A constant of 32 bits. */
static LLVMValueRef word(struct ptx_code *code, uint64_t value)
{
    return LLVMConstInt(code->lower->types.i32, value, 0);
}

/* The lane to read from, and whether it is inside the segment: the definition of shfl, operand by
 * operand. c contains a clamp value and a segment mask. */
static LLVMValueRef source_lane(struct ptx_code *code, const struct ptx_statement *statement,
                                LLVMValueRef lane, LLVMValueRef *inside)
{
    LLVMBuilderRef builder = code->builder;
    LLVMValueRef b = ptx_read(code, &statement->operands[2], 32);
    LLVMValueRef c = ptx_read(code, &statement->operands[3], 32);
    LLVMValueRef five = word(code, 31);
    b = LLVMBuildAnd(builder, b, five, "");
    LLVMValueRef clamp = LLVMBuildAnd(builder, c, five, "");
    LLVMValueRef mask = LLVMBuildLShr(builder, c, word(code, 8), "");
    mask = LLVMBuildAnd(builder, mask, five, "");
    LLVMValueRef others = LLVMBuildNot(builder, mask, "");
    LLVMValueRef least = LLVMBuildAnd(builder, lane, mask, "");
    LLVMValueRef most = LLVMBuildOr(builder, least, LLVMBuildAnd(builder, clamp, others, ""), "");
    LLVMIntPredicate relation = LLVMIntSLE;
    LLVMValueRef from;
    if (ptx_has(statement, "up")) {
        from = LLVMBuildSub(builder, lane, b, "");
        relation = LLVMIntSGE;
    } else if (ptx_has(statement, "down")) {
        from = LLVMBuildAdd(builder, lane, b, "");
    } else if (ptx_has(statement, "bfly")) {
        from = LLVMBuildXor(builder, lane, b, "");
    } else {
        from = LLVMBuildOr(builder, least, LLVMBuildAnd(builder, b, others, ""), "");
    }
    *inside = LLVMBuildICmp(builder, relation, from, most, "");
    return LLVMBuildSelect(builder, *inside, from, lane, "");
}

/* Memory for a result that the runtime's function returns through a pointer. */
static LLVMValueRef scratch(struct ptx_code *code)
{
    return ptx_scratch(code, code->lower->types.i32);
}

/* Only the forms with a mask exist since sm_70. */
bool ptx_do_shuffle(struct ptx_code *code, const struct ptx_statement *statement)
{
    if (!ptx_has(statement, "sync") || statement->operand_count != 5) {
        return false;
    }
    LLVMValueRef inside, lane = ptx_lane(code);
    LLVMValueRef from = source_lane(code, statement, lane, &inside);
    LLVMValueRef arguments[] = {
        ptx_read(code, &statement->operands[4], 32),
        ptx_read(code, &statement->operands[1], 32),
        from,
        word(code, 32),
        word(code, CDP_SHUFFLE_IDX),
        scratch(code),
    };
    LLVMValueRef value = ptx_call(code, "__cdp_shfl32", code->lower->types.i32, arguments, 6);
    ptx_write(code, statement->operands[0].name, value);
    if (statement->operands[0].second != NULL) {
        ptx_write(code, statement->operands[0].second, inside);
    }
    return true;
}

/* vote.uni is true if all lanes agree, in either way. */
bool ptx_do_vote(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMBuilderRef builder = code->builder;
    if (!ptx_has(statement, "sync") || statement->operand_count != 3) {
        return false;
    }
    LLVMValueRef mask = ptx_read(code, &statement->operands[2], 32);
    LLVMValueRef vote = ptx_read(code, &statement->operands[1], 1);
    LLVMValueRef arguments[] = {mask, LLVMBuildZExt(builder, vote, code->lower->types.i32, "")};
    LLVMValueRef ballot = ptx_call(code, "__ballot_sync", code->lower->types.i32, arguments, 2);
    LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntEQ, ballot, word(code, 0), "");
    LLVMValueRef all = LLVMBuildICmp(builder, LLVMIntEQ, ballot, mask, "");
    LLVMValueRef value = ptx_has(statement, "ballot") ? ballot
                         : ptx_has(statement, "any")  ? LLVMBuildNot(builder, none, "")
                         : ptx_has(statement, "all")  ? all
                                                      : LLVMBuildOr(builder, all, none, "");
    ptx_write(code, statement->operands[0].name, value);
    return true;
}

/* match.all also has a predicate: whether all lanes have the same value. */
bool ptx_do_match(struct ptx_code *code, const struct ptx_statement *statement)
{
    struct ptx_type type = ptx_statement_type(statement);
    bool all = ptx_has(statement, "all");
    if (!ptx_has(statement, "sync") || statement->operand_count != 3 || type.bits < 32) {
        return false;
    }
    LLVMValueRef arguments[] = {
        ptx_read(code, &statement->operands[2], 32),
        ptx_read(code, &statement->operands[1], type.bits),
        scratch(code),
    };
    const char *name = all               ? type.bits == 64 ? "__match_all64" : "__match_all32"
                       : type.bits == 64 ? "__match_any64"
                                         : "__match_any32";
    LLVMValueRef value = ptx_call(code, name, code->lower->types.i32, arguments, all ? 3 : 2);
    ptx_write(code, statement->operands[0].name, value);
    if (statement->operands[0].second != NULL) {
        LLVMValueRef flag = LLVMBuildLoad2(code->builder, code->lower->types.i32, arguments[2], "");
        ptx_write(code, statement->operands[0].second,
                  LLVMBuildICmp(code->builder, LLVMIntNE, flag, word(code, 0), ""));
    }
    return true;
}

/* redux.sync.OP.TYPE */
bool ptx_do_reduce(struct ptx_code *code, const struct ptx_statement *statement)
{
    static const char *const names[] = {"add", "min", "max", "smin", "smax", "and", "or", "xor"};
    if (statement->part_count != 4 || statement->operand_count != 3) {
        return false;
    }
    struct ptx_type type = ptx_statement_type(statement);
    for (uint64_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(statement->parts[2], names[i]) != 0 || type.bits != 32) {
            continue;
        }
        bool ordered = i == 1 || i == 2;
        uint64_t operation = ordered && type.kind == 's' ? i + 2 : i;
        LLVMValueRef arguments[] = {
            ptx_read(code, &statement->operands[2], 32),
            ptx_read(code, &statement->operands[1], 32),
            word(code, operation),
        };
        ptx_write(code, statement->operands[0].name,
                  ptx_call(code, "__cdp_reduce32", code->lower->types.i32, arguments, 3));
        return true;
    }
    return false;
}

/* activemask d */
bool ptx_do_active(struct ptx_code *code, const struct ptx_statement *statement)
{
    if (statement->operand_count != 1) {
        return false;
    }
    ptx_write(code, statement->operands[0].name,
              ptx_call(code, "__activemask", code->lower->types.i32, NULL, 0));
    return true;
}

/* An operand of a barrier: a number, or 0 if it is not given. */
static LLVMValueRef barrier_operand(struct ptx_code *code, const struct ptx_statement *statement,
                                    unsigned index, unsigned end)
{
    return index < end ? ptx_read(code, &statement->operands[index], 32) : word(code, 0);
}

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) != NULL && LLVMIsNull(value);
}

/* bar.red.popc.u32 d, id{, count}, p; bar.red.and.pred q, id{, count}, p */
static bool do_barrier_reduce(struct ptx_code *code, const struct ptx_statement *statement)
{
    enum { COUNT, AND, OR };
    unsigned count = statement->operand_count;
    bool popc = ptx_has(statement, "popc");
    if (count < 3 || count > 4 ||
        !(popc || ptx_has(statement, "and") || ptx_has(statement, "or"))) {
        return false;
    }
    LLVMValueRef vote = ptx_read(code, &statement->operands[count - 1], 1);
    LLVMValueRef arguments[] = {
        barrier_operand(code, statement, 1, count - 1),
        barrier_operand(code, statement, 2, count - 1),
        LLVMBuildZExt(code->builder, vote, code->lower->types.i32, ""),
        word(code, popc                        ? COUNT
                   : ptx_has(statement, "and") ? AND
                                               : OR),
    };
    LLVMValueRef value =
        ptx_call(code, "__cdp_barrier_reduce", code->lower->types.i32, arguments, 4);
    if (!popc) {
        value = LLVMBuildICmp(code->builder, LLVMIntNE, value, word(code, 0), "");
    }
    ptx_write(code, statement->operands[0].name, value);
    return true;
}

/* bar.warp.sync mask; bar.sync id{, count}; bar.arrive id, count; bar.red */
bool ptx_do_barrier(struct ptx_code *code, const struct ptx_statement *statement)
{
    unsigned count = statement->operand_count;
    bool sync = ptx_has(statement, "sync");
    LLVMTypeRef nothing = code->lower->types.none;
    if (ptx_has(statement, "red")) {
        return do_barrier_reduce(code, statement);
    }
    if (!(sync || ptx_has(statement, "arrive")) || count < 1 || count > 2) {
        return false;
    }
    LLVMValueRef first = ptx_read(code, &statement->operands[0], 32);
    if (ptx_has(statement, "warp")) {
        ptx_call(code, "__cdp_syncwarp", nothing, &first, 1);
        return true;
    }
    if (sync && count == 1 && is_zero(first)) {
        ptx_call(code, "__syncthreads", nothing, NULL, 0);
        return true;
    }
    LLVMValueRef arguments[] = {first, barrier_operand(code, statement, 1, count)};
    ptx_call(code, sync ? "__cdp_barrier" : "__cdp_barrier_arrive", nothing, arguments, 2);
    return true;
}
