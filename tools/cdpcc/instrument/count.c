/* --count: requests of warps, counted while the program runs.
 *
 * Before each access and each conditional branch the thread calls the runtime, which collects the
 * lanes of a warp that execute the same instruction together:
 *
 *     call void @cdp_abi_count_access(ptr @site, ptr %p, i64 4, i64 %key)
 *
 * Threads run one after the other. So the lanes that meet are found by the key: a hash of the
 * instruction, of the iteration of each loop around it, and of the calls that led to the function.
 * Each loop has a slot with that hash for its current iteration:
 *
 *     header:
 *       %enters = phi i1 [ true, %before ], [ false, %latch ]
 *       slot = %enters ? mix(outer slot, header) : mix(slot, 1)
 *
 * A function that is not inlined gets the hash of its call from its caller.
 *
 * Each basic block begins with a call, too. The runtime multiplies how often it ran by what it
 * consists of (instrument/count_code.c).
 *
 * Block entries are made of this code. There the lanes of a warp are together, so the keys are not
 * used (simd/emit/count.c). */
#include "instrument/count_code.h"
#include "instrument/instrument_pass.h"
#include "instrument/loops.h"
#include "instrument/site.h"
#include "ir/value.h"
#include "support/arena.h"
#include "support/str.h"

#include "abi/cdp_check.h"
#include "abi/cdp_count.h"

#include <string.h>

/* Any odd number with well mixed bits: the golden ratio. */
static const uint64_t MIX = UINT64_C(0x9e3779b97f4a7c15);

/* One function. On the stack while it is instrumented. */
struct count {
    struct instrument *instrument;
    struct instrument_loops loops;
    LLVMValueRef start;  /* i64: the hash at the function's start */
    LLVMValueRef *slots; /* of each loop, by its header */
    LLVMValueRef *codes; /* of each block: struct cdp_abi_count_block */
};

/* instrument_each has no place for it. The passes run in one thread. */
static struct count *current;
/* Of the module's instructions so far. */
static uint64_t instructions;

static LLVMValueRef number(const struct count *count, uint64_t value)
{
    return LLVMConstInt(count->instrument->lower.types.i64, value, 0);
}

static LLVMValueRef mix(const struct count *count, LLVMBuilderRef builder, LLVMValueRef hash,
                        uint64_t with)
{
    LLVMValueRef added = LLVMBuildAdd(builder, hash, number(count, with), "");
    LLVMValueRef high = LLVMBuildLShr(builder, added, number(count, 29), "");
    LLVMValueRef mixed = LLVMBuildXor(builder, added, high, "");
    return LLVMBuildMul(builder, mixed, number(count, MIX), "");
}

/* The hash of a loop's iteration, or of the function's call. */
static LLVMValueRef hash_in(const struct count *count, LLVMBuilderRef builder, int loop)
{
    LLVMTypeRef type = count->instrument->lower.types.i64;
    return loop == INSTRUMENT_NO_LOOP ? count->start
                                      : LLVMBuildLoad2(builder, type, count->slots[loop], "");
}

static LLVMValueRef key_at(const struct count *count, LLVMBuilderRef builder, LLVMValueRef at)
{
    int block = instrument_loops_number(&count->loops, LLVMGetInstructionParent(at));
    LLVMValueRef hash = hash_in(count, builder, count->loops.innermost[block]);
    return mix(count, builder, hash, ++instructions * MIX);
}

static LLVMValueRef call(const struct count *count, LLVMBuilderRef builder, const char *name,
                         LLVMTypeRef type, LLVMValueRef *arguments)
{
    LLVMValueRef callee = instrument_runtime(count->instrument, name, type);
    return LLVMBuildCall2(builder, type, callee, arguments, LLVMCountParamTypes(type), "");
}

static bool is_reached(const struct count *count, LLVMValueRef at)
{
    return instrument_loops_number(&count->loops, LLVMGetInstructionParent(at)) >= 0;
}

static void count_access(struct instrument *instrument, const struct instrument_access *access)
{
    struct lower_types *types = &instrument->lower.types;
    const char *variable = NULL;
    if (!is_reached(current, access->at) ||
        instrument_all_roots(instrument, access->address, instrument_is_of_one_thread, &variable)) {
        return;
    }
    LLVMTypeRef parameters[] = {types->ptr, types->ptr, types->i64, types->i64};
    LLVMBuilderRef builder = instrument_builder(instrument, access->at);
    LLVMValueRef site =
        instrument_site(&instrument->lower, access->at, instrument_site_flags(access), variable);
    LLVMValueRef arguments[] = {site, access->address, access->size,
                                key_at(current, builder, access->at)};
    call(current, builder, "cdp_abi_count_access", LLVMFunctionType(types->none, parameters, 4, 0),
         arguments);
    LLVMDisposeBuilder(builder);
}

static void count_branch(const struct count *count, LLVMValueRef at)
{
    struct lower_types *types = &count->instrument->lower.types;
    LLVMTypeRef parameters[] = {types->ptr, types->i32, types->i64};
    LLVMBuilderRef builder = instrument_builder(count->instrument, at);
    LLVMValueRef taken = LLVMBuildZExt(builder, LLVMGetCondition(at), types->i32, "");
    LLVMValueRef arguments[] = {instrument_branch_site(count->instrument, at), taken,
                                key_at(count, builder, at)};
    call(count, builder, "cdp_abi_count_branch", LLVMFunctionType(types->none, parameters, 3, 0),
         arguments);
    LLVMDisposeBuilder(builder);
}

/* i32: the number of the side that the switch takes; 0 for the default. */
static LLVMValueRef side_of(const struct count *count, LLVMBuilderRef builder, LLVMValueRef at)
{
    LLVMTypeRef i32 = count->instrument->lower.types.i32;
    LLVMValueRef side = LLVMConstInt(i32, 0, 0), value = LLVMGetOperand(at, 0);
    unsigned successors = LLVMGetNumSuccessors(at);
    for (unsigned i = 1; i < successors; i++) { /* 0: the default */
        unsigned first = 0;                     /* cases with one successor are one side */
        while (LLVMGetSuccessor(at, first) != LLVMGetSuccessor(at, i)) {
            first++;
        }
        LLVMValueRef is =
            LLVMBuildICmp(builder, LLVMIntEQ, value, LLVMGetSwitchCaseValue(at, i), "");
        side = LLVMBuildSelect(builder, is, LLVMConstInt(i32, first, 0), side, "");
    }
    return side;
}

static void count_switch(const struct count *count, LLVMValueRef at)
{
    struct lower_types *types = &count->instrument->lower.types;
    LLVMTypeRef parameters[] = {types->ptr, types->i32, types->i64};
    LLVMBuilderRef builder = instrument_builder(count->instrument, at);
    LLVMValueRef arguments[] = {instrument_branch_site(count->instrument, at),
                                side_of(count, builder, at), key_at(count, builder, at)};
    call(count, builder, "cdp_abi_count_switch", LLVMFunctionType(types->none, parameters, 3, 0),
         arguments);
    LLVMDisposeBuilder(builder);
}

/* Whether the callee may be counted code: neither LLVM's function nor the runtime's, nor one of a
 * library. */
static bool may_count(LLVMValueRef at)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
    if (callee == NULL || LLVMIsAInlineAsm(callee) != NULL) {
        return false;
    }
    const char *name = LLVMIsAFunction(callee) != NULL ? lower_name(callee) : "";
    bool is_library =
        LLVMIsAFunction(callee) != NULL && LLVMIsDeclaration(callee) && !str_ends(name, ".cdp");
    return !is_library && !str_starts(name, "llvm.") && !str_starts(name, "cdp_") &&
           !str_starts(name, "cdp.");
}

static void tell_callee(const struct count *count, LLVMValueRef at)
{
    struct lower_types *types = &count->instrument->lower.types;
    LLVMBuilderRef builder = instrument_builder(count->instrument, at);
    LLVMValueRef key = key_at(count, builder, at);
    call(count, builder, "cdp_abi_count_call", LLVMFunctionType(types->none, &types->i64, 1, 0),
         &key);
    LLVMDisposeBuilder(builder);
}

/* ---- Slots of loops ---- */

static LLVMValueRef enters(const struct count *count, int header)
{
    LLVMTypeRef bit = LLVMInt1TypeInContext(count->instrument->lower.llvm);
    LLVMBasicBlockRef block = count->loops.blocks[header];
    LLVMBuilderRef builder =
        lower_builder_before(&count->instrument->lower, LLVMGetFirstInstruction(block));
    /* Records of variables come after phis. */
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, LLVMGetFirstInstruction(block));
    LLVMValueRef phi = LLVMBuildPhi(builder, bit, "");
    size_t uses;
    struct lower_use *use = lower_uses(LLVMBasicBlockAsValue(block), &uses);
    for (size_t i = 0; i < uses; i++) {
        if (LLVMIsATerminatorInst(use[i].user) != NULL) {
            LLVMBasicBlockRef from = LLVMGetInstructionParent(use[i].user);
            int place = instrument_loops_number(&count->loops, from);
            bool is_latch = place >= 0 && instrument_loops_dominates(&count->loops, header, place);
            LLVMValueRef value = LLVMConstInt(bit, !is_latch, 0);
            LLVMAddIncoming(phi, &value, &from, 1);
        }
    }
    LLVMDisposeBuilder(builder);
    return phi;
}

static LLVMValueRef after_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef at = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(at) != NULL) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}

static void follow_loop(const struct count *count, int header)
{
    LLVMValueRef phi = enters(count, header);
    LLVMBuilderRef builder =
        instrument_builder(count->instrument, after_phis(count->loops.blocks[header]));
    LLVMValueRef outer = hash_in(count, builder, count->loops.parent[header]);
    LLVMValueRef first = mix(count, builder, outer, ++instructions * MIX);
    LLVMValueRef next = mix(count, builder, hash_in(count, builder, header), 1);
    LLVMBuildStore(builder, LLVMBuildSelect(builder, phi, first, next, ""), count->slots[header]);
    LLVMDisposeBuilder(builder);
}

static void make_codes(struct count *count, bool is_entry)
{
    count->codes = arena_alloc((count->loops.count + 1) * sizeof *count->codes);
    for (size_t i = 0; i < count->loops.count; i++) {
        LLVMBasicBlockRef block = count->loops.blocks[i];
        bool is_first = block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
        count->codes[i] = instrument_count_code(count->instrument, block, is_entry && is_first);
    }
}

/* A header's slot is set before that: see follow_loop. */
static void count_blocks(const struct count *count, LLVMValueRef function)
{
    struct lower_types *types = &count->instrument->lower.types;
    LLVMTypeRef parameters[] = {types->ptr, types->i64};
    for (size_t i = 0; i < count->loops.count; i++) {
        LLVMBasicBlockRef block = count->loops.blocks[i];
        bool is_first = block == LLVMGetEntryBasicBlock(function);
        LLVMValueRef at = !is_first ? after_phis(block)
                          : LLVMIsAInstruction(count->start) != NULL
                              ? LLVMGetNextInstruction(count->start)
                              : instrument_after_slots(function);
        LLVMBuilderRef builder = instrument_builder(count->instrument, at);
        LLVMValueRef arguments[] = {count->codes[i], key_at(count, builder, at)};
        call(count, builder, "cdp_abi_count_block", LLVMFunctionType(types->none, parameters, 2, 0),
             arguments);
        LLVMDisposeBuilder(builder);
    }
}

static void make_slots(struct count *count, LLVMValueRef function)
{
    LLVMTypeRef type = count->instrument->lower.types.i64;
    count->slots = arena_alloc(count->loops.count * sizeof *count->slots);
    LLVMBuilderRef builder = lower_builder_at_entry(&count->instrument->lower, function);
    for (size_t i = 0; i < count->loops.count; i++) {
        bool is_header = count->loops.innermost[i] == (int)i;
        count->slots[i] = is_header ? LLVMBuildAlloca(builder, type, "") : NULL;
        if (is_header) {
            LLVMBuildStore(builder, number(count, 0), count->slots[i]);
        }
    }
    LLVMDisposeBuilder(builder);
}

/* ---- Functions ---- */

/* The optimizer took the function for one that has no effect. Now it counts. */
static void forget_effects(LLVMValueRef function)
{
    static const char *const names[] = {"memory", "willreturn", "speculatable"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
        LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       kind);
    }
}

static void forget_effects_of_call(LLVMValueRef at)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMRemoveCallSiteEnumAttribute(at, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static LLVMValueRef start_of(const struct count *count, LLVMValueRef function, bool is_entry)
{
    if (is_entry) {
        return number(count, 0);
    }
    LLVMBuilderRef builder =
        instrument_builder(count->instrument, instrument_after_slots(function));
    LLVMValueRef hash =
        call(count, builder, "cdp_abi_count_start",
             LLVMFunctionType(count->instrument->lower.types.i64, NULL, 0, 0), NULL);
    LLVMDisposeBuilder(builder);
    return hash;
}

static void count_end(const struct count *count, LLVMValueRef at)
{
    LLVMBuilderRef builder = instrument_builder(count->instrument, at);
    call(count, builder, "cdp_abi_count_end",
         LLVMFunctionType(count->instrument->lower.types.none, NULL, 0, 0), NULL);
    LLVMDisposeBuilder(builder);
}

static void count_control(const struct count *count, bool is_entry)
{
    for (size_t i = 0; i < count->loops.count; i++) {
        LLVMValueRef next;
        for (LLVMValueRef at = LLVMGetFirstInstruction(count->loops.blocks[i]); at != NULL;
             at = next) {
            next = LLVMGetNextInstruction(at);
            if (LLVMIsABranchInst(at) != NULL && LLVMIsConditional(at)) {
                count_branch(count, at);
            } else if (LLVMIsASwitchInst(at) != NULL) {
                count_switch(count, at);
            } else if (may_count(at)) {
                forget_effects_of_call(at);
                tell_callee(count, at);
            } else if (is_entry && LLVMIsAReturnInst(at) != NULL) {
                count_end(count, at);
            }
        }
    }
}

void instrument_count(struct instrument *instrument, LLVMValueRef function)
{
    if (LLVMIsDeclaration(function)) {
        return;
    }
    bool is_entry = str_starts(lower_name(function), "cdp.thread.");
    struct count count = {.instrument = instrument, .loops = instrument_loops_of(function)};
    current = &count;
    forget_effects(function);
    make_codes(&count, is_entry);
    make_slots(&count, function);
    count.start = start_of(&count, function, is_entry);
    count_blocks(&count, function);
    instrument_each(instrument, function, count_access);
    count_control(&count, is_entry);
    for (size_t i = 0; i < count.loops.count; i++) {
        if (count.slots[i] != NULL) {
            follow_loop(&count, (int)i);
        }
    }
    current = NULL;
}
