/* What the optimizer may know of a block entry's memory.
 *
 * A block's shared memory is apart from all other memory as long as the kernel hands no address of
 * it around. Types tell nothing: see lower/front.c. */
#include "simd/analysis/alias.h"

#include "simd/ir/instructions.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/kernel.h"
#include "simd/ir/region_cfg.h"

#include "abi/cdp_abi.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static bool is_shared_base(LLVMValueRef value)
{
    int field = LLVMIsALoadInst(value) != NULL ? simd_field(value) : -1;
    return field == offsetof(struct cdp_abi_block, shared) ||
           field == offsetof(struct cdp_abi_block, dynamic_shared);
}

bool simd_is_shared(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return is_shared_base(address);
}

/* The address is used for more than accesses. */
static bool is_handed_around(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_step = LLVMIsAGetElementPtrInst(user) != NULL && LLVMGetOperand(user, 0) == address;
        bool is_access =
            LLVMIsALoadInst(user) != NULL ||
            (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 0) != address) ||
            (LLVMIsAAtomicRMWInst(user) != NULL && LLVMGetOperand(user, 1) != address) ||
            (LLVMIsAAtomicCmpXchgInst(user) != NULL && LLVMGetOperand(user, 1) != address &&
             LLVMGetOperand(user, 2) != address);
        if (!is_access && (!is_step || is_handed_around(user))) {
            return true;
        }
    }
    return false;
}

/* A function of the program, which could give an address of shared memory. */
static bool is_unknown_call(LLVMValueRef instruction)
{
    LLVMValueRef callee = lower_callee(instruction);
    return LLVMIsACallInst(instruction) != NULL &&
           (callee == NULL || (strncmp(lower_name(callee), "llvm.", 5) != 0 &&
                               strncmp(lower_name(callee), "cdp_abi_", 8) != 0));
}

/* A node whose first operand is itself. */
static LLVMMetadataRef distinct(struct simd_emit *emit, LLVMMetadataRef second)
{
    LLVMContextRef llvm = emit->lower->llvm;
    LLVMMetadataRef own = LLVMTemporaryMDNode(llvm, NULL, 0);
    LLVMMetadataRef operands[] = {own, second};
    LLVMMetadataRef made = LLVMMDNodeInContext2(llvm, operands, second == NULL ? 1 : 2);
    LLVMMetadataReplaceAllUsesWith(own, made);
    return made;
}

void simd_mark_loop(struct simd_emit *emit, LLVMValueRef branch, const char *word)
{
    LLVMContextRef llvm = emit->lower->llvm;
    LLVMMetadataRef name = LLVMMDStringInContext2(llvm, word, strlen(word));
    LLVMMetadataRef loop = distinct(emit, LLVMMDNodeInContext2(llvm, &name, 1));
    unsigned kind = LLVMGetMDKindIDInContext(llvm, "llvm.loop", 9);
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(llvm, loop));
}

void simd_mark_likely(struct simd_emit *emit, LLVMValueRef branch)
{
    LLVMContextRef llvm = emit->lower->llvm;
    LLVMMetadataRef words[] = {
        LLVMMDStringInContext2(llvm, "branch_weights", 14),
        LLVMValueAsMetadata(simd_int(emit->lower->i32, 2000)),
        LLVMValueAsMetadata(simd_int(emit->lower->i32, 1)),
    };
    unsigned kind = LLVMGetMDKindIDInContext(llvm, "prof", 4);
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, words, 3)));
}

/* Scopes in one list. */
static LLVMValueRef list_scopes(struct simd_emit *emit, LLVMMetadataRef *scopes, size_t count)
{
    LLVMContextRef llvm = emit->lower->llvm;
    return LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, scopes, count));
}

bool simd_is_shared_apart(const struct simd_kernel *kernel)
{
    bool is_used = false;
    for (size_t i = 0; i < kernel->value_count; i++) {
        if (kernel->node_of[i] < 0) {
            continue;
        }
        bool is_base = is_shared_base(kernel->values[i]);
        if (is_unknown_call(kernel->values[i]) ||
            (is_base && is_handed_around(kernel->values[i]))) {
            return false;
        }
        is_used |= is_base;
    }
    return is_used;
}

void simd_alias_start(struct simd_emit *emit)
{
    LLVMMetadataRef scopes[2];
    for (size_t i = 0; i < 2; i++) {
        scopes[i] = distinct(emit, distinct(emit, NULL));
    }
    bool is_apart = simd_is_shared_apart(emit->kernel);
    emit->context_scope = list_scopes(emit, scopes, 1);
    emit->shared_scope = is_apart ? list_scopes(emit, scopes + 1, 1) : NULL;
    emit->apart_scopes = list_scopes(emit, scopes, is_apart ? 2 : 1);
}

static unsigned kind_of(struct simd_emit *emit, const char *name)
{
    return LLVMGetMDKindIDInContext(emit->lower->llvm, name, (unsigned)strlen(name));
}

void simd_alias_tell(struct simd_emit *emit)
{
    uint64_t size = emit->kernel->source->shared_size;
    if (emit->shared_scope == NULL || emit->kernel->variant.size == NULL) {
        return;
    }
    LLVMMetadataRef facts[] = {LLVMValueAsMetadata(emit->apart_scopes),
                               LLVMValueAsMetadata(LLVMConstInt(emit->lower->i64, size, 0))};
    LLVMGlobalSetMetadata(emit->function, kind_of(emit, "cdp.shared"),
                          LLVMMDNodeInContext2(emit->lower->llvm, facts, 2));
}

/* The buffer of parameters and the runtime's records need no word: nobody writes them. */
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
    unsigned place = LLVMIsAStoreInst(from) != NULL ? 1 : 0;
    bool is_shared = emit->shared_scope != NULL && simd_is_shared(LLVMGetOperand(from, place));
    LLVMSetMetadata(to, kind_of(emit, "alias.scope"), is_shared ? emit->shared_scope : NULL);
    LLVMSetMetadata(to, kind_of(emit, "noalias"),
                    is_shared ? emit->context_scope : emit->apart_scopes);
}

void simd_alias_mark_context(struct simd_emit *emit, LLVMValueRef store)
{
    LLVMSetMetadata(store, kind_of(emit, "alias.scope"), emit->context_scope);
    LLVMSetMetadata(store, kind_of(emit, "noalias"), emit->apart_scopes);
}

/* The static part is there as a whole, so that inactive lanes may read it too. */
void simd_alias_shared_base(struct simd_emit *emit, LLVMValueRef from, LLVMValueRef to)
{
    uint64_t size = emit->kernel->source->shared_size;
    if (LLVMIsALoadInst(to) == NULL || size == 0 ||
        simd_field(from) != offsetof(struct cdp_abi_block, shared)) {
        return;
    }
    const struct {
        const char *name;
        uint64_t number;
    } facts[] = {{"dereferenceable", size}, {"align", 128}};
    LLVMContextRef llvm = emit->lower->llvm;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        LLVMValueRef number = LLVMConstInt(emit->lower->i64, facts[i].number, 0);
        LLVMMetadataRef operand = LLVMValueAsMetadata(number);
        LLVMMetadataRef node = LLVMMDNodeInContext2(llvm, &operand, 1);
        LLVMSetMetadata(to, kind_of(emit, facts[i].name), LLVMMetadataAsValue(llvm, node));
    }
}
