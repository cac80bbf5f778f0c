/* Partition of a module: block entries that are compiled by processes of their own.
 *
 * Only entries, and functions that they call for chunks, are chosen that use nothing which only one
 * object can define.  They may use each other, runtime calls, variables that are symbols, and
 * constants without an identity, such as texts, of which both objects then have a copy.
 *
 * The first object keeps a declaration of each entry that is moved, and the part has the
 * definition:
 *
 *     unit.o      dispatcher, thread entries, call to cdp.one_row.k.UNIT (hidden)
 *     part 0      cdp.one_row.k.UNIT
 *     part 1      cdp.one_row.m.UNIT
 *
 * The process of a part reads its functions from the bitcode of the whole module, which takes less
 * time than deleting all others: memory that the processes share is copied when it is written. The
 * greedy assignment (the largest first, to the part with the least work) is within a third of the
 * best one. */
#include "simd/post/partition.h"

#include "ir/module.h"
#include "ir/value.h"
#include "simd/post/pipeline.h"
#include "support/str.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* Instructions before the optimizer that are worth a process.  Some thirty of them take a
 * millisecond to compile. */
enum { LEAST_WORK = 1000 };

static const char marker[] = "cdp-partition";

/* A block entry that may be moved to a part. */
struct candidate {
    LLVMValueRef function;
    unsigned work, number; /* number: in the module, for a deterministic order */
    bool may_move;
};

static LLVMAttributeIndex of_function(void)
{
    return (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
}

/* The part that the function is in, from 0; -1: it stays in the first object. */
static int part_of(LLVMValueRef function)
{
    LLVMAttributeRef mark =
        LLVMGetStringAttributeAtIndex(function, of_function(), marker, sizeof marker - 1);
    unsigned length;
    return mark == NULL ? -1 : *LLVMGetStringAttributeValue(mark, &length) - '0';
}

/* ---- what an entry uses ---- */

/* The address of the constant is not significant, so each object may have its own copy. */
static bool is_text(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return LLVMIsAGlobalVariable(global) != NULL && LLVMIsGlobalConstant(global) &&
           LLVMGetUnnamedAddress(global) == LLVMGlobalUnnamedAddr &&
           (linkage == LLVMPrivateLinkage || linkage == LLVMInternalLinkage);
}

/* Functions for chunks become symbols if a part needs them. */
static bool is_symbol(LLVMValueRef global)
{
    return LLVMIsDeclaration(global) ||
           (LLVMIsAFunction(global) != NULL && simd_optimize_is_marked(global)) ||
           (LLVMIsAGlobalVariable(global) != NULL && LLVMGetLinkage(global) == LLVMExternalLinkage);
}

/* Follows constants into their parts; `seen` cuts repetitions. */
static bool is_available_to_all(struct lower_map *seen, LLVMValueRef value)
{
    unsigned unused;
    if (!LLVMIsConstant(value) || lower_map_find(seen, value, &unused)) {
        return true;
    }
    lower_map_put(seen, value, 0);
    if (LLVMIsAGlobalValue(value) != NULL) {
        return is_text(value) ? is_available_to_all(seen, LLVMGetInitializer(value))
                              : is_symbol(value);
    }
    if (LLVMIsABlockAddress(value) != NULL) {
        return false;
    }
    int count = LLVMGetNumOperands(value);
    for (int i = 0; i < count; i++) {
        if (!is_available_to_all(seen, LLVMGetOperand(value, (unsigned)i))) {
            return false;
        }
    }
    return true;
}

static bool uses_symbols_only(struct lower_map *seen, LLVMValueRef instruction)
{
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++) {
        if (!is_available_to_all(seen, LLVMGetOperand(instruction, (unsigned)i))) {
            return false;
        }
    }
    return true;
}

static struct candidate examine(LLVMValueRef function)
{
    struct candidate found = {.function = function, .may_move = simd_optimize_is_marked(function)};
    struct lower_map seen = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            found.may_move = found.may_move && uses_symbols_only(&seen, at);
            found.work++;
        }
    }
    return found;
}

/* ---- the choice ---- */

static int compare(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->work != b->work) {
        return a->work > b->work ? -1 : 1;
    }
    return a->number < b->number ? -1 : 1;
}

/* Two units may have kernels of one name (templates), so the unit is part of the symbol. */
static void make_symbol(LLVMValueRef function, const char *unit)
{
    const char *name = str_format("%s.%s", lower_name(function), unit);
    LLVMSetValueName2(function, name, strlen(name));
    LLVMSetLinkage(function, LLVMExternalLinkage);
    LLVMSetVisibility(function, LLVMHiddenVisibility);
}

static void move(LLVMValueRef function, unsigned part)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
    const char digit = (char)('0' + part);
    LLVMAttributeRef mark =
        LLVMCreateStringAttribute(llvm, marker, sizeof marker - 1, &digit, sizeof digit);
    LLVMAddAttributeAtIndex(function, of_function(), mark);
}

/* Functions that stay may be called by those that do not. */
static void make_symbols_of_callees(LLVMValueRef function, const char *unit)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
            if (callee != NULL && simd_optimize_is_marked(callee) &&
                LLVMGetLinkage(callee) == LLVMInternalLinkage) {
                make_symbol(callee, unit);
            }
        }
    }
}

/* Assigns the largest functions first, each to the part with the least work. */
static void divide(struct candidate *items, size_t count, unsigned parts, const char *unit)
{
    uint64_t work[SIMD_APART_MOST] = {0};
    qsort(items, count, sizeof *items, compare);
    for (size_t i = 0; i < count; i++) {
        unsigned least = 0;
        for (unsigned part = 1; part < parts; part++) {
            least = work[part] < work[least] ? part : least;
        }
        work[least] += items[i].work;
        move(items[i].function, least);
        make_symbol(items[i].function, unit);
    }
    for (size_t i = 0; i < count; i++) {
        make_symbols_of_callees(items[i].function, unit);
    }
}

unsigned simd_partition_choose(LLVMModuleRef module, const char *unit)
{
    struct candidate *items = NULL;
    size_t count = 0;
    unsigned number = 0;
    uint64_t all = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        struct candidate item = examine(f);
        item.number = number++;
        if (item.may_move) {
            all += item.work;
            LOWER_PUSH(items, count, item);
        }
    }
    uint64_t parts = all / LEAST_WORK;
    parts = parts > SIMD_APART_MOST ? SIMD_APART_MOST : parts;
    if (parts > 0) {
        divide(items, count, (unsigned)parts, unit);
    }
    return (unsigned)parts;
}

/* ---- the modules ---- */

void simd_partition_leave(LLVMModuleRef module)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = next) {
        next = LLVMGetNextFunction(f);
        if (part_of(f) < 0) {
            continue;
        }
        const char *name = str_format(
            "%s",
            lower_name(f)); /* the function's own name is deleted with it in the next statement */
        LLVMSetValueName2(f, "", 0);
        LLVMValueRef declared = LLVMAddFunction(module, name, LLVMGlobalGetValueType(f));
        LLVMSetVisibility(declared, LLVMHiddenVisibility);
        LLVMReplaceAllUsesWith(f, declared);
        LLVMDeleteFunction(f);
    }
}

/* Available externally: LLVM may look at the definition, but does not emit it. */
static void forget(LLVMValueRef global)
{
    if (LLVMIsDeclaration(global)) {
        return;
    }
    LLVMSetComdat(global, NULL);
    LLVMSetLinkage(global, LLVMAvailableExternallyLinkage);
}

static void forget_variables(LLVMModuleRef module)
{
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v != NULL; v = next) {
        next = LLVMGetNextGlobal(v);
        if (LLVMGetLinkage(v) ==
            LLVMAppendingLinkage) { /* a list, such as that of symbols to keep */
            LLVMDeleteGlobal(v);
        } else if (!is_text(v)) {
            forget(v);
        }
    }
}

/* In a module whose functions have not been read yet. */
static void forget_others(LLVMModuleRef module, unsigned part)
{
    forget_variables(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (part_of(f) != (int)part) {
            forget(f);
        }
    }
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a != NULL;
         a = LLVMGetNextGlobalAlias(a)) {
        LLVMSetLinkage(a, LLVMInternalLinkage); /* no chosen entry uses an alias */
    }
    LLVMSetModuleInlineAsm2(module, "", 0);
}

LLVMModuleRef simd_partition_read(LLVMMemoryBufferRef whole, LLVMTargetMachineRef machine,
                                  unsigned part)
{
    LLVMModuleRef lazy = module_read_lazily(whole);
    if (lazy == NULL) {
        return NULL;
    }
    forget_others(lazy, part);
    LLVMModuleRef result = module_take_needed(lazy);
    if (result == NULL || !module_run_passes(result, "elim-avail-extern,globaldce", machine)) {
        return NULL;
    }
    return result;
}
