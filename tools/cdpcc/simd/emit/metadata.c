/* Metadata of the emitted code: alias scopes, and hints for loops and branches.
 *
 * Alias scopes give LLVM facts that no address computation shows. There are two: shared memory, and
 * the thread's context. An access to other memory lists both as "noalias", and an access to shared
 * memory lists the context. Shared memory has a scope only if no address of it escapes
 * (analysis/alias.c).
 *
 *     store to s[t]       alias.scope {shared}      noalias {context}
 *     load of a[i]                                  noalias {context, shared}
 *     store of active_threads    alias.scope {context}     noalias {context, shared}
 *
 * So a load of a[i] may be hoisted above a store to s[t]. */
#include "simd/emit/metadata.h"

#include "abi/cdp_abi.h"
#include "ir/debug_info.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/analysis/alias.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/origin.h"
#include "simd/ir/thread_fields.h"
#include "simd/ir/variant.h"

#include "support/str.h"

#include <string.h>

void simd_mark_loop(struct simd_emit *emit, LLVMValueRef branch, const char *word)
{
    LLVMContextRef llvm = emit->lower->llvm;
    LLVMMetadataRef name = LLVMMDStringInContext2(llvm, word, strlen(word));
    LLVMMetadataRef loop = lower_md_distinct(emit->lower, LLVMMDNodeInContext2(llvm, &name, 1));
    unsigned kind = LLVMGetMDKindIDInContext(llvm, "llvm.loop", 9);
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(llvm, loop));
}

/* Scopes in one list. */
static LLVMValueRef list_scopes(struct simd_emit *emit, LLVMMetadataRef *scopes, size_t count)
{
    LLVMContextRef llvm = emit->lower->llvm;
    return LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, scopes, count));
}

/* Each scope has a domain of its own. */
void simd_alias_start(struct simd_emit *emit)
{
    LLVMMetadataRef scopes[2];
    for (size_t i = 0; i < 2; i++) {
        scopes[i] = lower_md_distinct(emit->lower, lower_md_distinct(emit->lower, NULL));
    }
    bool is_noalias = simd_is_shared_noalias(emit->kernel);
    emit->alias.context_scope = list_scopes(emit, scopes, 1);
    emit->alias.shared_scope = is_noalias ? list_scopes(emit, scopes + 1, 1) : NULL;
    emit->alias.noalias_scopes = list_scopes(emit, scopes, is_noalias ? 2 : 1);
}

static unsigned kind_of(struct simd_emit *emit, const char *name)
{
    return LLVMGetMDKindIDInContext(emit->lower->llvm, name, (unsigned)strlen(name));
}

/* post/shared_memory.c reads this after the optimizer; only entries for one size have it. */
void simd_alias_publish(struct simd_emit *emit)
{
    uint64_t size = simd_source_of(emit->kernel)->shared.size;
    if (emit->alias.shared_scope == NULL || simd_variant_of(emit->kernel)->size == NULL) {
        return;
    }
    LLVMMetadataRef facts[] = {LLVMValueAsMetadata(emit->alias.noalias_scopes),
                               LLVMValueAsMetadata(LLVMConstInt(emit->lower->types.i64, size, 0))};
    LLVMGlobalSetMetadata(emit->function, kind_of(emit, "cdp.shared"),
                          LLVMMDNodeInContext2(emit->lower->llvm, facts, 2));
}

/* Accesses of the parameters and of the runtime's records need no scope, since they are never
 * written. */
void simd_alias_mark(struct simd_emit *emit, LLVMValueRef from, LLVMValueRef to)
{
    if (LLVMIsAInstruction(to) == NULL) {
        return;
    }
    bool is_access = LLVMIsALoadInst(from) != NULL || LLVMIsAStoreInst(from) != NULL ||
                     LLVMIsAAtomicRMWInst(from) != NULL || LLVMIsAAtomicCmpXchgInst(from) != NULL;
    if (!is_access) {
        return;
    }
    unsigned operand = LLVMIsAStoreInst(from) != NULL ? 1 : 0;
    bool is_shared =
        emit->alias.shared_scope != NULL && simd_is_shared(LLVMGetOperand(from, operand));
    LLVMSetMetadata(to, kind_of(emit, "alias.scope"), is_shared ? emit->alias.shared_scope : NULL);
    LLVMSetMetadata(to, kind_of(emit, "noalias"),
                    is_shared ? emit->alias.context_scope : emit->alias.noalias_scopes);
}

void simd_keep_volatile(LLVMValueRef from, LLVMValueRef to)
{
    if (simd_keeps_volatile(from)) {
        LLVMSetVolatile(to, 1);
    }
}

void simd_alias_mark_context(struct simd_emit *emit, LLVMValueRef store)
{
    LLVMSetMetadata(store, kind_of(emit, "alias.scope"), emit->alias.context_scope);
    LLVMSetMetadata(store, kind_of(emit, "noalias"), emit->alias.noalias_scopes);
}

/* The static part is mapped as a whole, so inactive lanes may read it, too. */
void simd_alias_shared_base(struct simd_emit *emit, LLVMValueRef from, LLVMValueRef to)
{
    uint64_t size = simd_source_of(emit->kernel)->shared.size;
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(to)) == LLVMPointerTypeKind;
    if (LLVMIsALoadInst(to) == NULL || !is_pointer || size == 0 ||
        simd_field(from) != offsetof(struct cdp_abi_block, shared)) {
        return;
    }
    const struct {
        const char *name;
        uint64_t number;
    } facts[] = {{"dereferenceable", size}, {"align", 128}};
    LLVMContextRef llvm = emit->lower->llvm;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        LLVMValueRef number = LLVMConstInt(emit->lower->types.i64, facts[i].number, 0);
        LLVMMetadataRef operand = LLVMValueAsMetadata(number);
        LLVMMetadataRef node = LLVMMDNodeInContext2(llvm, &operand, 1);
        LLVMSetMetadata(to, kind_of(emit, facts[i].name), LLVMMetadataAsValue(llvm, node));
    }
}

/* Processors gather and scatter elements of 32 and 64 bits. For shorter ones each lane has a scalar
 * access (post/lane_accesses.h). */
static unsigned instructions_for(LLVMValueRef at)
{
    enum { FOR_A_LANE = 4 };
    LLVMValueRef callee = LLVMIsACallInst(at) == NULL ? NULL : LLVMGetCalledValue(at);
    const char *name = callee == NULL ? "" : lower_name(callee);
    bool is_scatter = str_starts(name, "llvm.masked.scatter");
    if (!is_scatter && !str_starts(name, "llvm.masked.gather")) {
        return 1;
    }
    LLVMTypeRef type = LLVMTypeOf(is_scatter ? LLVMGetOperand(at, 0) : at);
    LLVMTypeRef element = LLVMGetElementType(type);
    bool is_short =
        LLVMGetTypeKind(element) == LLVMHalfTypeKind ||
        LLVMGetTypeKind(element) == LLVMBFloatTypeKind ||
        (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) < 32);
    return is_short ? FOR_A_LANE * LLVMGetVectorSize(type) : 1;
}

/* From this block to the function's last one, in the order of blocks. */
unsigned simd_count_instructions(LLVMBasicBlockRef from)
{
    unsigned count = 0;
    for (LLVMBasicBlockRef block = from; block != NULL; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            count += instructions_for(at);
        }
    }
    return count;
}
