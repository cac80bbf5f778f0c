/* --count: numbers that block entries count by themselves.
 *
 *     entry:   %numbers = call ptr @cdp_abi_count_counters(ptr @table)
 *     code:    %p = getelementptr i64, ptr %numbers, i64 3
 *              store (load %p) + 2, ptr %p
 *
 * @table says what a step of each number adds to the sums. Each OS thread has numbers of its own,
 * so a step is a plain addition, which LLVM keeps in a register during a loop. */
#include "simd/emit/counters.h"

#include "ir/value.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/calls.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <string.h>

static LLVMValueRef private_global(const struct simd_emit *emit, LLVMTypeRef type, const char *name)
{
    LLVMValueRef global = LLVMAddGlobal(emit->lower->module, type, name);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, sizeof(void *));
    return global;
}

static LLVMTypeRef table_type(const struct simd_emit *emit)
{
    const struct lower_context *lower = emit->lower;
    LLVMTypeRef fields[] = {lower->types.ptr, lower->types.ptr, lower->types.i32, lower->types.i32};
    return LLVMStructTypeInContext(lower->llvm, fields, sizeof fields / sizeof *fields, 0);
}

static void begin(struct simd_emit *emit)
{
    struct lower_context *lower = emit->lower;
    struct simd_counters *counters = &emit->code.counters;
    LLVMTypeRef type = LLVMFunctionType(lower->types.ptr, &lower->types.ptr, 1, 0);
    LLVMValueRef callee = lower_runtime(lower, "cdp_abi_count_counters", type);
    counters->table = private_global(emit, table_type(emit), "cdp.counters");
    LLVMSetExternallyInitialized(counters->table, 1); /* the runtime sets its number */
    counters->numbers = LLVMBuildCall2(emit->allocas, type, callee, &counters->table, 1, "numbers");
}

static size_t index_of(struct simd_emit *emit, LLVMValueRef item)
{
    struct simd_counters *counters = &emit->code.counters;
    for (size_t i = 0; i < counters->count; i++) {
        if (counters->items[i] == item) { /* LLVM makes equal constants once */
            return i;
        }
    }
    LOWER_PUSH(counters->items, counters->count, item);
    return counters->count - 1;
}

void simd_count_steps(struct simd_emit *emit, LLVMValueRef of, struct simd_step step,
                      LLVMValueRef steps)
{
    struct lower_context *lower = emit->lower;
    LLVMTypeRef i32 = lower->types.i32, i64 = lower->types.i64;
    if (emit->code.counters.table == NULL) {
        begin(emit);
    }
    LLVMValueRef fields[] = {
        of,
        simd_int(i32, step.space),
        simd_int(i32, step.requests),
        simd_int(i32, step.lanes),
        simd_int(i32, step.bytes),
        simd_int(i32, step.parts),
        simd_int(i32, 0),
    };
    LLVMValueRef item =
        LLVMConstStructInContext(lower->llvm, fields, sizeof fields / sizeof *fields, 0);
    LLVMValueRef index = simd_int(i64, (int64_t)index_of(emit, item));
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef at = LLVMBuildInBoundsGEP2(b, i64, emit->code.counters.numbers, &index, 1, "");
    LLVMValueRef sum = LLVMBuildAdd(b, LLVMBuildLoad2(b, i64, at, ""), steps, "");
    LLVMBuildStore(b, sum, at);
}

/* Whether the call may run other blocks, whose entry may be this one. */
static bool may_run_blocks(LLVMValueRef call)
{
    const char *name = simd_callee_name(call);
    return !str_starts(name, "llvm.") && !str_starts(name, "cdp_abi_count_") &&
           !simd_is_pure_call(call);
}

static bool is_alone(const struct simd_emit *emit)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(emit->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (LLVMIsACallInst(at) != NULL && may_run_blocks(at)) {
                return false;
            }
        }
    }
    return true;
}

/* Nothing else accesses the numbers while the function runs. */
static void mark_noalias(const struct simd_emit *emit, uint64_t bytes)
{
    static const char dereferenceable[] = "dereferenceable", noalias[] = "noalias";
    LLVMContextRef llvm = emit->lower->llvm;
    unsigned size = LLVMGetEnumAttributeKindForName(dereferenceable, sizeof dereferenceable - 1);
    unsigned kind = LLVMGetEnumAttributeKindForName(noalias, sizeof noalias - 1);
    LLVMAddCallSiteAttribute(emit->code.counters.numbers, LLVMAttributeReturnIndex,
                             LLVMCreateEnumAttribute(llvm, size, bytes));
    LLVMAddCallSiteAttribute(emit->code.counters.numbers, LLVMAttributeReturnIndex,
                             LLVMCreateEnumAttribute(llvm, kind, 0));
}

void simd_end_counters(struct simd_emit *emit)
{
    struct lower_context *lower = emit->lower;
    const struct simd_counters *counters = &emit->code.counters;
    if (counters->count == 0) {
        return;
    }
    LLVMValueRef array =
        LLVMConstArray2(LLVMTypeOf(counters->items[0]), counters->items, counters->count);
    LLVMValueRef items = private_global(emit, LLVMTypeOf(array), "cdp.counters.items");
    LLVMSetInitializer(items, array);
    LLVMSetGlobalConstant(items, 1);
    LLVMTypeRef numbers = LLVMArrayType2(lower->types.i64, counters->count);
    LLVMValueRef spare = private_global(emit, numbers, "cdp.counters.spare");
    LLVMSetInitializer(spare, LLVMConstNull(numbers));
    LLVMValueRef fields[] = {items, spare, simd_int(lower->types.i32, (int64_t)counters->count),
                             simd_int(lower->types.i32, 0)};
    LLVMSetInitializer(
        counters->table,
        LLVMConstStructInContext(lower->llvm, fields, sizeof fields / sizeof *fields, 0));
    if (is_alone(emit)) {
        mark_noalias(emit, counters->count * sizeof(uint64_t));
    }
}
