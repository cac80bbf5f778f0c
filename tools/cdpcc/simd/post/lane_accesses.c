/* Gathers, scatters and masked stores for which the processor has no instruction, after the
 * optimizer.
 *
 * AVX-512 has instructions for elements of 32 and 64 bits, other processors have none.  LLVM's code
 * generator makes a branch and an access for each lane of the others.  Sixteen lanes are thirty-two
 * basic blocks, and the time for their registers grows with the square of their number.
 *
 * If all lanes are active and near each other, at known distances, a gather becomes two contiguous
 * loads and a shuffle. The second load ends with the last lane:
 *
 *     %v = gather i8, %p + [0, 2 ... 30]      ->     %a = load <16 x i8>, %p
 *                                                    %b = load <16 x i8>, %p + 15
 *                                                    %v = shuffle %a, %b, [0, 2 ... 27, 29, 31]
 *
 * Gathers of short elements under masks become gathers of the aligned words that they are in, which
 * are in memory wherever the elements are:
 *
 *     %v = gather i8, %p, %mask               ->     %w = gather i32, %p & -4, %mask
 *                                                    %v = trunc (%w >> 8 * (%p & 3))
 *
 * In other gathers and scatters, inactive lanes access a variable of the entry, so each lane can
 * have its access without a branch:
 *
 *     scatter i8 %v, %p, %mask                ->     %q = select %mask, %p, %unused
 *                                                    store i8 %v[0], %q[0]
 *                                                    store i8 %v[1], %q[1] ...
 *
 * Masked stores get the same code: those of bytes and half words before AVX-512, and of all
 * elements before AVX. If lanes store by their data, a branch for each lane would often be
 * mispredicted.
 *
 * This comes after post/shared_memory.h, which knows the addresses of gathers, scatters and masked
 * stores, not of these. */
#include "simd/post/lane_accesses.h"

#include "ir/value.h"
#include "simd/post/pipeline.h"
#include "simd/post/shared_memory.h"
#include "support/str.h"
#include "target/processor.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <string.h>

enum { WORD = 4, BITS_OF_BYTE = 8, MOST_BYTES = 8, MOST_LANES = SHARED_MOST_LANES };

/* One gather, scatter or masked store being replaced. */
struct access {
    LLVMModuleRef module;
    LLVMContextRef llvm;
    LLVMValueRef call;
    LLVMBuilderRef builder; /* before it */
    /* addresses: of a masked store, that of its first lane. value: stored, or what inactive lanes
     * load. */
    LLVMValueRef addresses, mask, value;
    LLVMTypeRef element;
    unsigned lanes, bytes, align;
    bool is_scatter, is_contiguous; /* both for a masked store */
    LLVMValueRef base; /* of all lanes, whose distances from it are known; NULL: of none */
    int64_t offsets[MOST_LANES];
};

static bool is_call_of(LLVMValueRef at, const char *name)
{
    LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? lower_callee(at) : NULL;
    return callee != NULL && str_starts(lower_name(callee), name);
}

static unsigned alignment_of(LLVMValueRef call, unsigned operand)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(call, operand + 1, kind);
    return align == NULL ? 1 : (unsigned)LLVMGetEnumAttributeValue(align);
}

/* Sets the base and the distances of the lanes from it, if they are known. */
static void find_base(struct access *access, LLVMTargetDataRef layout)
{
    LLVMValueRef at = access->addresses;
    bool is_sum = LLVMIsAGetElementPtrInst(at) != NULL && LLVMGetNumOperands(at) == 2 &&
                  LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 0))) == LLVMPointerTypeKind;
    LLVMValueRef index = is_sum ? LLVMIsAConstantDataVector(LLVMGetOperand(at, 1)) : NULL;
    if (index == NULL) {
        return;
    }
    int64_t size = (int64_t)LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(at));
    for (unsigned i = 0; i < access->lanes; i++) {
        access->offsets[i] = size * LLVMConstIntGetSExtValue(LLVMGetAggregateElement(index, i));
    }
    access->base = LLVMGetOperand(at, 0);
}

static struct access read_access(LLVMModuleRef module, LLVMTargetDataRef layout, LLVMValueRef call)
{
    struct access access = {.module = module,
                            .llvm = LLVMGetModuleContext(module),
                            .call = call,
                            .is_contiguous = is_call_of(call, "llvm.masked.store")};
    access.is_scatter = access.is_contiguous || is_call_of(call, "llvm.masked.scatter");
    unsigned first = access.is_scatter ? 1 : 0;
    access.addresses = LLVMGetArgOperand(call, first);
    access.mask = LLVMGetArgOperand(call, first + 1);
    access.value = LLVMGetArgOperand(call, access.is_scatter ? 0 : 2);
    access.align = alignment_of(call, first);
    LLVMTypeRef type = LLVMTypeOf(access.value);
    access.lanes = LLVMGetVectorSize(type);
    access.element = LLVMGetElementType(type);
    access.bytes = (unsigned)LLVMStoreSizeOfType(layout, access.element);
    if (access.is_contiguous) {
        access.base = access.addresses;
        for (unsigned i = 0; i < access.lanes && i < MOST_LANES; i++) {
            access.offsets[i] = (int64_t)i * access.bytes;
        }
    } else if (access.lanes <= MOST_LANES) {
        find_base(&access, layout);
    }
    return access;
}

/* All lanes are active. */
static bool is_full(const struct access *access)
{
    return access->mask == LLVMConstAllOnes(LLVMTypeOf(access->mask));
}

/* Not known to be inactive. */
static bool may_be_active(const struct access *access, unsigned lane)
{
    LLVMValueRef bit =
        LLVMIsConstant(access->mask) ? LLVMGetAggregateElement(access->mask, lane) : NULL;
    return bit == NULL || !LLVMIsNull(bit);
}

static bool has_instruction(const struct access *access, const struct target *target)
{
    return access->is_contiguous ? target_has_masked_accesses(target, access->bytes)
                                 : target_has_gathers(target, access->bytes);
}

/* If the mask is a constant, LLVM has no branches, but it computes known addresses as vectors. */
static bool is_wanted(const struct access *access, const struct target *target)
{
    bool is_better =
        !LLVMIsConstant(access->mask) || (access->base != NULL && !access->is_contiguous);
    return !has_instruction(access, target) && is_better && access->bytes <= MOST_BYTES &&
           access->lanes <= MOST_LANES;
}

/* The same metadata as the call's, such as its alias scopes. */
static LLVMValueRef describe(const struct access *access, LLVMValueRef at)
{
    static const char *const names[] = {"alias.scope", "noalias"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned kind =
            LLVMGetMDKindIDInContext(access->llvm, names[i], (unsigned)strlen(names[i]));
        LLVMSetMetadata(at, kind, LLVMGetMetadata(access->call, kind));
    }
    return at;
}

static LLVMValueRef call_intrinsic(const struct access *access, const char *name,
                                   LLVMTypeRef *types, LLVMValueRef *operands, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(access->module, id, types, 2);
    return LLVMBuildCall2(access->builder, LLVMGlobalGetValueType(function), function, operands,
                          count, "");
}

static LLVMValueRef splat(LLVMTypeRef element, unsigned lanes, uint64_t value)
{
    LLVMValueRef items[MOST_LANES];
    for (unsigned i = 0; i < lanes; i++) {
        items[i] = LLVMConstInt(element, value, 0);
    }
    return LLVMConstVector(items, lanes);
}

/* ---- contiguous loads ---- */

/* The address of all lanes' base and a distance. */
static LLVMValueRef address_at(const struct access *access, int64_t offset)
{
    LLVMTypeRef i8 = LLVMInt8TypeInContext(access->llvm);
    LLVMValueRef by = LLVMConstInt(LLVMInt64TypeInContext(access->llvm), (uint64_t)offset, 1);
    return LLVMBuildGEP2(access->builder, i8, access->base, &by, 1, "");
}

/* The distances of the first lane in memory and of the last one. */
struct span {
    int64_t first, last;
};

static struct span span_of(const struct access *access)
{
    struct span span = {access->offsets[0], access->offsets[0]};
    for (unsigned i = 1; i < access->lanes; i++) {
        int64_t at = access->offsets[i];
        span.first = at < span.first ? at : span.first;
        span.last = at > span.last ? at : span.last;
    }
    return span;
}

/* Two vectors cover them, and both are within what the lanes access. */
static bool is_near(const struct access *access)
{
    if (access->is_scatter || access->base == NULL || !is_full(access)) {
        return false;
    }
    struct span span = span_of(access);
    int64_t apart = span.last - span.first, vector = (int64_t)access->lanes * access->bytes;
    bool is_whole = true;
    for (unsigned i = 0; i < access->lanes; i++) {
        is_whole = is_whole && (access->offsets[i] - span.first) % access->bytes == 0;
    }
    return is_whole && apart + access->bytes >= vector && apart + access->bytes <= 2 * vector;
}

static LLVMValueRef load_two(const struct access *access)
{
    LLVMTypeRef type = LLVMTypeOf(access->value), i32 = LLVMInt32TypeInContext(access->llvm);
    struct span span = span_of(access);
    int64_t vector = (int64_t)access->lanes * access->bytes;
    int64_t starts[] = {span.first, span.last + access->bytes - vector};
    LLVMValueRef loads[2], lanes[MOST_LANES];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef from = address_at(access, starts[i]);
        loads[i] = describe(access, LLVMBuildLoad2(access->builder, type, from, ""));
        LLVMSetAlignment(loads[i], access->align < access->bytes ? access->align : access->bytes);
    }
    for (unsigned i = 0; i < access->lanes; i++) {
        bool is_second = access->offsets[i] - starts[0] >= vector;
        int64_t lane = (access->offsets[i] - starts[is_second]) / access->bytes;
        lanes[i] = LLVMConstInt(i32, (uint64_t)lane + (is_second ? access->lanes : 0), 0);
    }
    return LLVMBuildShuffleVector(access->builder, loads[0], loads[1],
                                  LLVMConstVector(lanes, access->lanes), "");
}

/* ---- words ---- */

/* Words have the offsets 0 and 2, or 0 to 3, of elements that are aligned. */
static bool fits_words(const struct access *access, const struct target *target)
{
    return !access->is_scatter && !LLVMIsConstant(access->mask) &&
           target_has_gathers(target, WORD) && access->bytes < WORD &&
           access->align >= access->bytes && (access->bytes & (access->bytes - 1)) == 0;
}

static LLVMValueRef gather_words(const struct access *access)
{
    LLVMBuilderRef b = access->builder;
    unsigned lanes = access->lanes;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(access->llvm);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(access->llvm);
    LLVMTypeRef words = LLVMVectorType(i32, lanes), numbers = LLVMVectorType(i64, lanes);
    LLVMTypeRef masked[] = {LLVMTypeOf(access->addresses), numbers};
    LLVMValueRef rounded[] = {access->addresses, splat(i64, lanes, ~(uint64_t)(WORD - 1))};
    LLVMValueRef from = call_intrinsic(access, "llvm.ptrmask", masked, rounded, 2);
    LLVMTypeRef gathered[] = {words, LLVMTypeOf(access->addresses)};
    LLVMValueRef operands[] = {from, access->mask, LLVMGetPoison(words)};
    LLVMValueRef all = call_intrinsic(access, "llvm.masked.gather", gathered, operands, 3);
    unsigned kind = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    LLVMAddCallSiteAttribute(all, 1, LLVMCreateEnumAttribute(access->llvm, kind, WORD));
    describe(access, all);
    LLVMValueRef offset =
        LLVMBuildTrunc(b, LLVMBuildPtrToInt(b, access->addresses, numbers, ""), words, "");
    offset = LLVMBuildAnd(b, offset, splat(i32, lanes, WORD - 1), "");
    offset = LLVMBuildShl(b, offset, splat(i32, lanes, 3), "");
    LLVMTypeRef bits =
        LLVMVectorType(LLVMIntTypeInContext(access->llvm, access->bytes * BITS_OF_BYTE), lanes);
    LLVMValueRef result = LLVMBuildTrunc(b, LLVMBuildLShr(b, all, offset, ""), bits, "");
    return LLVMBuildBitCast(b, result, LLVMTypeOf(access->value), "");
}

/* ---- lane by lane ---- */

/* The address of a variable that nothing else uses. */
static LLVMValueRef unused_variable(const struct access *access)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(lower_function_of(access->call));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(access->llvm);
    LLVMPositionBuilderBeforeInstrAndDbgRecords(b, LLVMGetFirstInstruction(entry));
    LLVMValueRef variable = LLVMBuildAlloca(b, LLVMInt64TypeInContext(access->llvm), "");
    LLVMSetAlignment(variable, MOST_BYTES);
    LLVMDisposeBuilder(b);
    return variable;
}

static LLVMValueRef splat_address(const struct access *access, LLVMValueRef address)
{
    LLVMTypeRef type = LLVMTypeOf(access->addresses);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(access->llvm);
    LLVMValueRef one = LLVMBuildInsertElement(access->builder, LLVMGetPoison(type), address,
                                              LLVMConstInt(i32, 0, 0), "");
    return LLVMBuildShuffleVector(access->builder, one, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(i32, access->lanes)), "");
}

/* The addresses of a masked store's lanes. The mask's bits are tested in a scalar register. */
static void find_contiguous_addresses(const struct access *access, LLVMValueRef variable,
                                      LLVMValueRef *items)
{
    LLVMBuilderRef b = access->builder;
    LLVMTypeRef type = LLVMIntTypeInContext(access->llvm, access->lanes);
    LLVMValueRef bits = LLVMBuildBitCast(b, access->mask, type, "");
    for (unsigned i = 0; i < access->lanes; i++) {
        LLVMValueRef bit = LLVMBuildAnd(b, bits, LLVMConstInt(type, 1ULL << i, 0), "");
        LLVMValueRef is_active = LLVMBuildICmp(b, LLVMIntNE, bit, LLVMConstNull(type), "");
        LLVMValueRef at = address_at(access, access->offsets[i]);
        items[i] = LLVMBuildSelect(b, is_active, at, variable, "");
    }
}

/* The addresses of the lanes; `items` has one for each. */
static void find_addresses(const struct access *access, LLVMValueRef variable, LLVMValueRef *items)
{
    LLVMBuilderRef b = access->builder;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(access->llvm);
    LLVMValueRef all = access->addresses;
    bool is_known = access->base != NULL && LLVMIsConstant(access->mask);
    if (!LLVMIsConstant(access->mask)) {
        all = LLVMBuildSelect(b, access->mask, all, splat_address(access, variable), "");
    }
    for (unsigned i = 0; i < access->lanes; i++) {
        items[i] = is_known ? address_at(access, access->offsets[i])
                            : LLVMBuildExtractElement(b, all, LLVMConstInt(i32, i, 0), "");
    }
}

/* Loads or stores all lanes.  The result of loads. */
static LLVMValueRef access_lanes(const struct access *access, LLVMValueRef variable)
{
    LLVMBuilderRef b = access->builder;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(access->llvm);
    LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(access->value)), addresses[MOST_LANES];
    if (access->is_contiguous) {
        find_contiguous_addresses(access, variable, addresses);
    } else {
        find_addresses(access, variable, addresses);
    }
    for (unsigned i = 0; i < access->lanes; i++) {
        LLVMValueRef lane = LLVMConstInt(i32, i, 0), at;
        if (!may_be_active(access, i)) {
            continue;
        }
        if (access->is_scatter) {
            LLVMValueRef value = LLVMBuildExtractElement(b, access->value, lane, "");
            at = LLVMBuildStore(b, value, addresses[i]);
        } else {
            at = LLVMBuildLoad2(b, access->element, addresses[i], "");
            result = LLVMBuildInsertElement(b, result, at, lane, "");
        }
        unsigned align = access->align < MOST_BYTES ? access->align : MOST_BYTES;
        LLVMSetAlignment(describe(access, at), align);
    }
    return result;
}

/* ---- the pass ---- */

/* Inactive lanes of a gather have its last operand. */
static void replace(const struct access *access, LLVMValueRef loaded)
{
    if (!access->is_scatter) {
        if (!LLVMIsUndef(access->value)) {
            loaded = LLVMBuildSelect(access->builder, access->mask, loaded, access->value, "");
        }
        LLVMReplaceAllUsesWith(access->call, loaded);
    }
    LLVMInstructionEraseFromParent(access->call);
}

static bool is_lane_access(LLVMValueRef at)
{
    return is_call_of(at, "llvm.masked.gather") || is_call_of(at, "llvm.masked.scatter") ||
           is_call_of(at, "llvm.masked.store");
}

static void expand_function(LLVMModuleRef module, LLVMTargetDataRef layout, LLVMValueRef function,
                            const struct target *target)
{
    struct lower_list found = lower_instructions(function, is_lane_access);
    LLVMValueRef variable = NULL;
    for (size_t i = 0; i < found.count; i++) {
        struct access access = read_access(module, layout, found.items[i]);
        if (!is_wanted(&access, target)) {
            continue;
        }
        access.builder = LLVMCreateBuilderInContext(access.llvm);
        LLVMPositionBuilderBefore(access.builder, access.call);
        if (is_near(&access)) {
            replace(&access, load_two(&access));
        } else if (fits_words(&access, target)) {
            replace(&access, gather_words(&access));
        } else {
            variable = variable != NULL ? variable : unused_variable(&access);
            replace(&access, access_lanes(&access, variable));
        }
        LLVMDisposeBuilder(access.builder);
    }
}

void simd_expand_lane_accesses(LLVMModuleRef module, LLVMTargetMachineRef machine,
                               const struct target *target)
{
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (simd_optimize_is_marked(f)) {
            expand_function(module, layout, f, target);
        }
    }
    LLVMDisposeTargetData(layout);
}
