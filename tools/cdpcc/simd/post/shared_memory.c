/* Analyses which bytes of the block's shared memory an instruction reads or writes, and runs the
 * passes that use this.
 *
 * Takes: an entry whose metadata names the scope and the size of static shared memory. Gives: for
 * an instruction one of the kinds of enum shared_kind, and for loads and stores the byte of each
 * lane.
 *
 * An address is known if it starts at the block's pointer to shared memory, and all that is added
 * is constant. After unrolling, that is most of them:
 *
 *     getelementptr (load block + dynamic_shared), 64      lane i: byte 64 + 4 * i
 *     the same with <0, 2, 4, 6> as index                  lane i: byte 64 + 8 * i
 *
 * Accesses that carry the entry's "noalias" list are to other memory. Everything that is not
 * understood counts as reading or writing all bytes.
 *
 * The static part comes first, and the dynamic part follows it; in this numbering they never
 * overlap. */
#include "simd/post/shared_memory.h"

#include "abi/cdp_abi.h"
#include "ir/module.h"
#include "ir/value.h"

#include <stdlib.h>
#include <string.h>

/* Reads the entry's metadata: the alias scope, and the bytes of static memory. */
static bool area_of(LLVMValueRef function, LLVMTargetDataRef layout, struct shared_area *area)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
    size_t count;
    LLVMValueRef operands[2];
    LLVMMetadataRef node = NULL;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) ==
            LLVMGetMDKindIDInContext(llvm, "cdp.shared", 10)) {
            node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
    if (node == NULL) {
        return false;
    }
    LLVMGetMDNodeOperands(LLVMMetadataAsValue(llvm, node), operands);
    *area = (struct shared_area){
        .function = function,
        .layout = layout,
        .scope = operands[0],
        .noalias = LLVMGetMDKindIDInContext(llvm, "noalias", 7),
        .static_size = (int64_t)LLVMConstIntGetZExtValue(operands[1]),
    };
    area->size = area->static_size + SHARED_MOST_BYTES;
    return area->static_size <= SHARED_MOST_BYTES;
}

/* ---- addresses ---- */

/* A root and what is added to it: the offset, and for each lane its index times the step. */
struct address {
    LLVMValueRef root, indices; /* indices: NULL if it is a single address */
    int64_t offset, step;
    bool is_known; /* all that is added is constant */
};

/* A second vector of indices, or a variable, makes the address unknown. */
static void add_step(const struct shared_area *area, LLVMValueRef gep, struct address *address)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t size = (int64_t)LLVMABISizeOfType(area->layout, type);
    LLVMValueRef index = LLVMGetOperand(gep, 1);
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind;
    if (LLVMGetNumOperands(gep) == 2 && LLVMIsAConstantInt(index) != NULL && !is_vector) {
        address->offset += LLVMConstIntGetSExtValue(index) * size;
    } else if (LLVMGetNumOperands(gep) == 2 && is_vector && LLVMIsConstant(index) &&
               address->indices == NULL) {
        address->indices = index;
        address->step = size;
    } else {
        address->is_known = false;
    }
}

static struct address address_of(const struct shared_area *area, LLVMValueRef pointer)
{
    struct address address = {.root = pointer, .is_known = true};
    while (LLVMIsAGetElementPtrInst(address.root) != NULL) {
        add_step(area, address.root, &address);
        address.root = LLVMGetOperand(address.root, 0);
    }
    return address;
}

static const char block_mark[] = "cdp.block";

void shared_mark_block(LLVMValueRef function, unsigned parameter)
{
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMAddAttributeAtIndex(
        function, parameter + 1,
        LLVMCreateStringAttribute(llvm, block_mark, sizeof block_mark - 1, "", 0));
}

/* Parameters may have changed their order or number, so the mark is looked for. */
static bool is_block(const struct shared_area *area, LLVMValueRef value)
{
    for (unsigned i = 0; i < LLVMCountParams(area->function); i++) {
        if (LLVMGetParam(area->function, i) == value) {
            return LLVMGetStringAttributeAtIndex(area->function, i + 1, block_mark,
                                                 sizeof block_mark - 1) != NULL;
        }
    }
    return false;
}

/* The field of the block from which the address is loaded, or -1. */
static int64_t field_of(const struct shared_area *area, LLVMValueRef root)
{
    if (LLVMIsALoadInst(root) == NULL) {
        return -1;
    }
    struct address from = address_of(area, LLVMGetOperand(root, 0));
    return from.is_known && is_block(area, from.root) ? from.offset : -1;
}

/* ---- accesses ---- */

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

/* Types without padding, whose bytes can be followed. */
static bool is_plain(const struct shared_area *area, LLVMTypeRef element)
{
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    bool is_number = kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind ||
                     kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind ||
                     kind == LLVMDoubleTypeKind || kind == LLVMPointerTypeKind;
    return is_number && LLVMSizeOfTypeInBits(area->layout, element) ==
                            8 * LLVMABISizeOfType(area->layout, element);
}

/* The active lanes, from a constant mask; a NULL mask means all.  is_maybe if the mask is not
 * constant. */
static void set_lanes(struct shared_access *access, LLVMValueRef mask)
{
    for (unsigned i = 0; i < access->lanes; i++) {
        LLVMValueRef bit =
            mask != NULL && LLVMIsConstant(mask) ? LLVMGetAggregateElement(mask, i) : NULL;
        bool is_number = bit != NULL && LLVMIsAConstantInt(bit) != NULL;
        access->on[i] = !is_number || LLVMConstIntGetZExtValue(bit) != 0;
        access->is_maybe |= mask != NULL && !is_number;
    }
}

/* Computes the lanes' addresses: consecutive ones, or a constant index for each lane.  False if an
 * active lane has no known address within its part of the area. */
static bool set_addresses(const struct shared_area *area, struct shared_access *access,
                          const struct address *address, bool is_dynamic)
{
    int64_t low = is_dynamic ? area->static_size : 0;
    int64_t high = is_dynamic ? area->size : area->static_size;
    for (unsigned i = 0; i < access->lanes; i++) {
        int64_t by = (int64_t)i * access->size;
        if (address->indices != NULL && access->on[i]) {
            LLVMValueRef index = LLVMGetAggregateElement(address->indices, i);
            if (index == NULL || LLVMIsAConstantInt(index) == NULL) {
                return false;
            }
            by = LLVMConstIntGetSExtValue(index) * address->step;
        }
        access->at[i] = low + address->offset + by;
        if (access->on[i] && (access->at[i] < low || access->at[i] + access->size > high)) {
            return false;
        }
    }
    return true;
}

/* A load then reads, and a store writes, any byte. */
static struct shared_access access_at_unknown(LLVMValueRef instruction, enum shared_kind kind)
{
    return (struct shared_access){.kind = kind == SHARED_LOAD ? SHARED_READS : SHARED_WRITES,
                                  .instruction = instruction};
}

/* A load or store of the type at the pointer, or at the pointers of its lanes. */
static struct shared_access access_at(const struct shared_area *area, LLVMValueRef instruction,
                                      enum shared_kind kind, LLVMTypeRef type, LLVMValueRef pointer,
                                      LLVMValueRef mask)
{
    struct shared_access access = {.kind = kind, .instruction = instruction, .type = type};
    struct address address = address_of(area, pointer);
    if (LLVMIsAAllocaInst(address.root) != NULL) {
        return (struct shared_access){.kind = SHARED_NOTHING};
    }
    int64_t field = field_of(area, address.root);
    bool is_dynamic = field == offsetof(struct cdp_abi_block, dynamic_shared);
    access.element = element_of(type);
    access.lanes = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
    access.size = (unsigned)LLVMABISizeOfType(area->layout, access.element);
    if (!address.is_known || (!is_dynamic && field != offsetof(struct cdp_abi_block, shared)) ||
        !is_plain(area, access.element) || access.lanes > SHARED_MOST_LANES ||
        (access.lanes == 1 && access.element != type)) {
        return access_at_unknown(instruction, kind);
    }
    set_lanes(&access, mask);
    return set_addresses(area, &access, &address, is_dynamic)
               ? access
               : access_at_unknown(instruction, kind);
}

bool shared_is_free_of_memory(LLVMValueRef callee)
{
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(callee, index, kind);
    return memory != NULL && LLVMGetEnumAttributeValue(memory) == 0;
}

/* Unknown calls may do both. */
static struct shared_access call_access(const struct shared_area *area, LLVMValueRef call)
{
    struct shared_access access = {.kind = SHARED_BOTH, .instruction = call};
    LLVMValueRef callee = lower_callee(call);
    const char *name = callee == NULL ? "" : lower_name(callee);
    if (strncmp(name, "llvm.masked.load.", 17) == 0 ||
        strncmp(name, "llvm.masked.gather.", 19) == 0) {
        access = access_at(area, call, SHARED_LOAD, LLVMTypeOf(call), LLVMGetOperand(call, 0),
                           LLVMGetOperand(call, 1));
        access.value = LLVMGetOperand(call, 2);
    } else if (strncmp(name, "llvm.masked.store.", 18) == 0 ||
               strncmp(name, "llvm.masked.scatter.", 20) == 0) {
        LLVMValueRef value = LLVMGetOperand(call, 0);
        access = access_at(area, call, SHARED_STORE, LLVMTypeOf(value), LLVMGetOperand(call, 1),
                           LLVMGetOperand(call, 2));
        access.value = value;
    } else if (callee != NULL &&
               (shared_is_free_of_memory(callee) || strncmp(name, "llvm.prefetch.", 14) == 0)) {
        access.kind = SHARED_NOTHING;
    }
    return access;
}

struct shared_access shared_access_of(const struct shared_area *area, LLVMValueRef instruction)
{
    struct shared_access access = {.kind = SHARED_NOTHING, .instruction = instruction};
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    bool is_access = opcode == LLVMLoad || opcode == LLVMStore;
    if (LLVMGetMetadata(instruction, area->noalias) == area->scope) {
        return access;
    }
    if (opcode == LLVMCall) {
        return call_access(area, instruction);
    }
    if (opcode == LLVMFence || opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg ||
        opcode == LLVMVAArg || opcode == LLVMInvoke ||
        (is_access && (LLVMGetVolatile(instruction) ||
                       LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic))) {
        access.kind = SHARED_BOTH;
    } else if (opcode == LLVMLoad) {
        access = access_at(area, instruction, SHARED_LOAD, LLVMTypeOf(instruction),
                           LLVMGetOperand(instruction, 0), NULL);
    } else if (opcode == LLVMStore) {
        LLVMValueRef value = LLVMGetOperand(instruction, 0);
        access = access_at(area, instruction, SHARED_STORE, LLVMTypeOf(value),
                           LLVMGetOperand(instruction, 1), NULL);
        access.value = value;
    }
    return access;
}

/* ---- the pass ---- */

/* The highest constant offset into dynamic memory, whose size is unknown here. */
static int64_t reach(const struct shared_area *area)
{
    int64_t most = area->static_size;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(area->function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            struct shared_access access = shared_access_of(area, at);
            bool is_known = access.kind == SHARED_LOAD || access.kind == SHARED_STORE;
            for (unsigned i = 0; is_known && i < access.lanes; i++) {
                int64_t end = access.at[i] + access.size;
                most = access.on[i] && end > most ? end : most;
            }
        }
    }
    return most;
}

/* Simplifies the shuffles and the additions of single lanes that are left. */
static void clean(LLVMValueRef function, LLVMTargetMachineRef machine)
{
    static const char passes[] = "early-cse,instcombine<no-verify-fixpoint>,vector-combine,dce";
    module_run_passes_on(function, passes, machine);
}

void simd_optimize_shared(LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        struct shared_area area;
        if (!area_of(function, layout, &area)) {
            continue;
        }
        area.size = reach(&area);
        bool changed = shared_forward(&area);
        changed |= shared_drop_dead(&area);
        if (changed) {
            clean(function, machine);
        }
        shared_order(function);
    }
    LLVMDisposeTargetData(layout);
}
