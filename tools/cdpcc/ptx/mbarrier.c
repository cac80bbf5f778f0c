/* Inline PTX's mbarrier: calls of the runtime, which knows the format of the barrier's word.
 *
 *   mbarrier.init [a], count;          mbarrier.inval [a];
 *   mbarrier.arrive{.noComplete} state, [a]{, count};
 *   mbarrier.arrive_drop{.noComplete} state, [a]{, count};
 *   mbarrier.test_wait{.parity} p, [a], state;
 *   mbarrier.try_wait{.parity} p, [a], state{, time};
 *   mbarrier.pending_count count, state;
 *   mbarrier.arrive.expect_tx state, [a], bytes;      likewise arrive_drop.expect_tx
 *   mbarrier.expect_tx [a], bytes;    mbarrier.complete_tx [a], bytes; */
#include "ptx/forms.h"

#include <string.h>

static LLVMValueRef number(struct ptx_code *code, unsigned value)
{
    return LLVMConstInt(code->lower->types.i32, value, 0);
}

static bool do_init(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef arguments[] = {ptx_address(code, statement, &statement->operands[0]),
                                ptx_read(code, &statement->operands[1], 32)};
    ptx_call(code, "__cdp_mbarrier_init", code->lower->types.none, arguments, 2);
    return true;
}

static void transact(struct ptx_code *code, LLVMValueRef barrier, const struct ptx_operand *bytes,
                     bool is_complete)
{
    LLVMValueRef arguments[] = {barrier, ptx_read(code, bytes, 32), number(code, is_complete)};
    ptx_call(code, "__cdp_mbarrier_transact", code->lower->types.none, arguments, 3);
}

static bool do_transaction(struct ptx_code *code, const struct ptx_statement *statement)
{
    transact(code, ptx_address(code, statement, &statement->operands[0]), &statement->operands[1],
             ptx_has(statement, "complete_tx"));
    return true;
}

/* "arrive" counts arrivals; "arrive_drop" also lowers the number of arrivals that later phases
 * expect. With expect_tx the third operand is a number of bytes, and one arrival follows. */
static bool do_arrive(struct ptx_code *code, const struct ptx_statement *statement)
{
    unsigned count = statement->operand_count;
    LLVMValueRef barrier = ptx_address(code, statement, &statement->operands[1]);
    LLVMValueRef arrivals = number(code, 1);
    if (ptx_has(statement, "expect_tx")) {
        if (count != 3) {
            return false;
        }
        transact(code, barrier, &statement->operands[2], false);
    } else if (count == 3) {
        arrivals = ptx_read(code, &statement->operands[2], 32);
    }
    LLVMValueRef leaving = ptx_has(statement, "arrive_drop") ? arrivals : number(code, 0);
    LLVMValueRef arguments[] = {barrier, arrivals, leaving};
    LLVMValueRef state =
        ptx_call(code, "__cdp_mbarrier_arrive", code->lower->types.i64, arguments, 3);
    ptx_write(code, statement->operands[0].name, state);
    return true;
}

/* The time that a thread may sleep is a hint. */
static bool do_wait(struct ptx_code *code, const struct ptx_statement *statement)
{
    LLVMValueRef arguments[] = {ptx_address(code, statement, &statement->operands[1]),
                                ptx_read(code, &statement->operands[2], 64),
                                number(code, ptx_has(statement, "parity"))};
    LLVMValueRef is_over =
        ptx_call(code, "__cdp_mbarrier_test", code->lower->types.i32, arguments, 3);
    ptx_write(code, statement->operands[0].name,
              LLVMBuildICmp(code->builder, LLVMIntNE, is_over, number(code, 0), ""));
    return true;
}

/* The number of pending arrivals is in the low bits of the state. */
static bool do_pending(struct ptx_code *code, const struct ptx_statement *statement)
{
    enum { COUNT_MASK = (1 << 20) - 1 };
    LLVMValueRef state = ptx_read(code, &statement->operands[1], 32);
    ptx_write(code, statement->operands[0].name,
              LLVMBuildAnd(code->builder, state, number(code, COUNT_MASK), ""));
    return true;
}

bool ptx_do_mbarrier(struct ptx_code *code, const struct ptx_statement *statement)
{
    static const struct {
        const char *name;
        bool (*translate)(struct ptx_code *, const struct ptx_statement *);
    } forms[] = {
        {"init", do_init},
        {"arrive", do_arrive},
        {"arrive_drop", do_arrive},
        {"test_wait", do_wait},
        {"try_wait", do_wait},
        {"pending_count", do_pending},
        {"expect_tx", do_transaction},
        {"complete_tx", do_transaction},
    };
    if (ptx_has(statement, "inval")) {
        return true;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (ptx_has(statement, forms[i].name)) {
            return forms[i].translate(code, statement);
        }
    }
    return false;
}

/* cp.async.mbarrier.arrive{.noinc} [a]: arrives when the thread's copies are complete, which they
 * are at once. Without noinc the barrier first expects one arrival more, so nothing changes. */
bool ptx_do_copy_arrive(struct ptx_code *code, const struct ptx_statement *statement)
{
    if (!ptx_has(statement, "noinc")) {
        return true;
    }
    LLVMValueRef arguments[] = {ptx_address(code, statement, &statement->operands[0]),
                                number(code, 1), number(code, 0)};
    ptx_call(code, "__cdp_mbarrier_arrive", code->lower->types.i64, arguments, 3);
    return true;
}
