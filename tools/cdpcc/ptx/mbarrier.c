/* Inline PTX's mbarrier: calls of the runtime, which knows the format of the barrier's word.
 *
 *   mbarrier.init [a], count;          mbarrier.inval [a];
 *   mbarrier.arrive{.noComplete} state, [a]{, count};
 *   mbarrier.arrive_drop{.noComplete} state, [a]{, count};
 *   mbarrier.test_wait{.parity} p, [a], state;
 *   mbarrier.try_wait{.parity} p, [a], state{, time};
 *   mbarrier.pending_count count, state;
 *
 * Transactions (expect_tx and the like) belong to copies that are not translated. */
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

/* "arrive" counts arrivals; "arrive_drop" also lowers the number of arrivals that later phases
 * expect. */
static bool do_arrive(struct ptx_code *code, const struct ptx_statement *statement)
{
    unsigned count = statement->operand_count;
    LLVMValueRef arrivals =
        count == 3 ? ptx_read(code, &statement->operands[2], 32) : number(code, 1);
    LLVMValueRef leaving = ptx_has(statement, "arrive_drop") ? arrivals : number(code, 0);
    LLVMValueRef arguments[] = {ptx_address(code, statement, &statement->operands[1]), arrivals,
                                leaving};
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
        {"init", do_init},      {"arrive", do_arrive}, {"arrive_drop", do_arrive},
        {"test_wait", do_wait}, {"try_wait", do_wait}, {"pending_count", do_pending},
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
