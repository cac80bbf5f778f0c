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

enum { MOST_ARGUMENTS = 4 };

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
                         LLVMTypeRef result, LLVMValueRef *arguments, unsigned argument_count)
{
    LLVMTypeRef types[MOST_ARGUMENTS];
    for (unsigned i = 0; i < argument_count; i++) {
        types[i] = LLVMTypeOf(arguments[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(result, types, argument_count, 0);
    LLVMValueRef callee = instrument_runtime(count->instrument, name, type);
    return LLVMBuildCall2(builder, type, callee, arguments, argument_count, "");
}

/* Adds the key where the builder is, which is in the block of at. */
static void call_with_key(const struct count *count, LLVMBuilderRef builder, const char *name,
                          LLVMValueRef at, LLVMValueRef *arguments, unsigned argument_count)
{
    arguments[argument_count] = key_at(count, builder, at);
    call(count, builder, name, count->instrument->lower.types.none, arguments, argument_count + 1);
}

static bool is_reached(const struct count *count, LLVMValueRef at)
{
    return instrument_loops_number(&count->loops, LLVMGetInstructionParent(at)) >= 0;
}

static void count_access(struct instrument *instrument, const struct instrument_access *access)
{
    const char *variable = NULL;
    if (!is_reached(current, access->at) ||
        instrument_all_roots(instrument, access->address, instrument_is_of_one_thread, &variable)) {
        return;
    }
    LLVMBuilderRef builder = instrument_builder(instrument, access->at);
    LLVMValueRef arguments[MOST_ARGUMENTS] = {
        instrument_site(&instrument->lower, access->at, instrument_site_flags(access), variable),
        access->address, access->size};
    call_with_key(current, builder, "cdp_abi_count_access", access->at, arguments, 3);
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

/* A branch with a condition, or a switch. */
static void count_branch(const struct count *count, LLVMValueRef at)
{
    LLVMTypeRef i32 = count->instrument->lower.types.i32;
    LLVMBuilderRef builder = instrument_builder(count->instrument, at);
    bool is_switch = LLVMIsASwitchInst(at) != NULL;
    LLVMValueRef arguments[MOST_ARGUMENTS] = {
        instrument_branch_site(count->instrument, at),
        is_switch ? side_of(count, builder, at)
                  : LLVMBuildZExt(builder, LLVMGetCondition(at), i32, "")};
    call_with_key(count, builder, is_switch ? "cdp_abi_count_switch" : "cdp_abi_count_branch", at,
                  arguments, 2);
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
    LLVMBuilderRef builder = instrument_builder(count->instrument, at);
    LLVMValueRef key[1];
    call_with_key(count, builder, "cdp_abi_count_call", at, key, 0);
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

/* The start of a block. A header's slot is set before that: see follow_loop. */
static LLVMValueRef start_of_block(const struct count *count, LLVMBasicBlockRef block)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    if (block != LLVMGetEntryBasicBlock(function)) {
        return after_phis(block);
    }
    return LLVMIsAInstruction(count->start) != NULL ? LLVMGetNextInstruction(count->start)
                                                    : instrument_after_slots(function);
}

static void count_blocks(const struct count *count)
{
    for (size_t i = 0; i < count->loops.count; i++) {
        LLVMValueRef at = start_of_block(count, count->loops.blocks[i]);
        LLVMBuilderRef builder = instrument_builder(count->instrument, at);
        LLVMValueRef arguments[MOST_ARGUMENTS] = {count->codes[i]};
        call_with_key(count, builder, "cdp_abi_count_block", at, arguments, 1);
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
        call(count, builder, "cdp_abi_count_start", count->instrument->lower.types.i64, NULL, 0);
    LLVMDisposeBuilder(builder);
    return hash;
}

static void count_end(const struct count *count, LLVMValueRef at)
{
    LLVMBuilderRef builder = instrument_builder(count->instrument, at);
    call(count, builder, "cdp_abi_count_end", count->instrument->lower.types.none, NULL, 0);
    LLVMDisposeBuilder(builder);
}

static void count_control(const struct count *count, bool is_entry)
{
    for (size_t i = 0; i < count->loops.count; i++) {
        LLVMValueRef next;
        for (LLVMValueRef at = LLVMGetFirstInstruction(count->loops.blocks[i]); at != NULL;
             at = next) {
            next = LLVMGetNextInstruction(at);
            if (instrument_has_sides(at)) {
                count_branch(count, at);
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
    count_blocks(&count);
    instrument_each(instrument, function, count_access);
    count_control(&count, is_entry);
    for (size_t i = 0; i < count.loops.count; i++) {
        if (count.slots[i] != NULL) {
            follow_loop(&count, (int)i);
        }
    }
    current = NULL;
}
