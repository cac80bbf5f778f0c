/* What single instructions of a kernel are: barriers, warp operations, fields of the context,
 * accesses.
 *
 * The kernel's code refers to CUDA by name: calls of the runtime have names that start with
 * cdp_abi_, and threadIdx, blockIdx and blockDim are loads at constant offsets from the thread's
 * context or from its block (abi/cdp_abi.h):
 *
 *     %self  = load ptr, ptr @cdp_abi_self              simd_is_self()
 *     %x     = load i32, ptr %self + thread_idx         simd_self_field() == its offset
 *     %block = load ptr, ptr %self + block
 *     %n     = load i32, ptr %block + block_dim         simd_field() == its offset */
#include "simd/ir/instructions.h"

#include "ir/value.h"
#include "support/str.h"
#include "abi/cdp_abi.h"

#include <string.h>

const char *simd_callee_name(LLVMValueRef instruction)
{
    LLVMValueRef callee = lower_callee(instruction);
    return callee == NULL ? "" : lower_name(callee);
}

bool simd_is_barrier(LLVMValueRef instruction)
{
    return strcmp(simd_callee_name(instruction), "cdp_abi_syncthreads") == 0 ||
           simd_vote_of(instruction) != VOTE_NONE;
}

/* __syncthreads_count(), _and() and _or(). */
enum simd_vote simd_vote_of(LLVMValueRef instruction)
{
    static const char prefix[] = "cdp_abi_syncthreads_";
    const char *name = simd_callee_name(instruction);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        return VOTE_NONE;
    }
    const char *what = name + sizeof prefix - 1;
    return strcmp(what, "count") == 0 ? VOTE_COUNT : strcmp(what, "and") == 0 ? VOTE_AND : VOTE_OR;
}

static const struct operation {
    const char *name, *title;
    enum simd_warp what;
} operations[] = {
    {"cdp_abi_syncwarp", "__syncwarp", WARP_SYNC},
    {"cdp_abi_shfl32", "a shuffle", WARP_SHUFFLE},
    {"cdp_abi_shfl64", "a shuffle", WARP_SHUFFLE},
    {"cdp_abi_ballot", "a vote", WARP_BALLOT},
    {"cdp_abi_activemask", "__activemask", WARP_ACTIVE},
    {"cdp_abi_match_any32", "__match_any_sync", WARP_MATCH_ANY},
    {"cdp_abi_match_any64", "__match_any_sync", WARP_MATCH_ANY},
    {"cdp_abi_match_all32", "__match_all_sync", WARP_MATCH_ALL},
    {"cdp_abi_match_all64", "__match_all_sync", WARP_MATCH_ALL},
    {"cdp_abi_reduce32", "a reduction", WARP_REDUCE},
};

static const struct operation *find_operation(LLVMValueRef instruction)
{
    const char *name = LLVMIsACallInst(instruction) == NULL ? "" : simd_callee_name(instruction);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (strcmp(name, operations[i].name) == 0) {
            return &operations[i];
        }
    }
    return NULL;
}

const char *simd_warp_operation_title(LLVMValueRef call)
{
    return find_operation(call)->title;
}

enum simd_warp simd_warp_operation_of(LLVMValueRef instruction)
{
    const struct operation *operation = find_operation(instruction);
    return operation == NULL ? WARP_NONE : operation->what;
}

bool simd_is_order(LLVMValueRef at)
{
    return LLVMIsAFenceInst(at) != NULL || LLVMIsAAtomicRMWInst(at) != NULL ||
           LLVMIsAAtomicCmpXchgInst(at) != NULL ||
           ((LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) &&
            LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic);
}

/* The list has only intrinsics that touch no memory and cannot fail. */
bool simd_is_pure_call(LLVMValueRef instruction)
{
    static const char *const pure[] = {"llvm.sqrt.",
                                       "llvm.fabs.",
                                       "llvm.fma.",
                                       "llvm.fmuladd.",
                                       "llvm.floor.",
                                       "llvm.ceil.",
                                       "llvm.trunc.",
                                       "llvm.rint.",
                                       "llvm.nearbyint.",
                                       "llvm.roundeven.",
                                       "llvm.copysign.",
                                       "llvm.minimumnum.",
                                       "llvm.maximumnum.",
                                       "llvm.smin.",
                                       "llvm.smax.",
                                       "llvm.umin.",
                                       "llvm.umax.",
                                       "llvm.ctpop.",
                                       "llvm.bswap.",
                                       "llvm.bitreverse.",
                                       "llvm.fshl.",
                                       "llvm.fshr.",
                                       "llvm.ctlz.",
                                       "llvm.cttz.",
                                       "llvm.abs.",
                                       "llvm.minimum.",
                                       "llvm.maximum.",
                                       "llvm.sin.",
                                       "llvm.cos.",
                                       "llvm.exp.",
                                       "llvm.exp2.",
                                       "llvm.log.",
                                       "llvm.log2.",
                                       "llvm.log10.",
                                       "llvm.pow.",
                                       "llvm.round.",
                                       "llvm.uadd.sat.",
                                       "llvm.sadd.sat.",
                                       "llvm.usub.sat.",
                                       "llvm.ssub.sat.",
                                       "llvm.fptosi.sat.",
                                       "llvm.fptoui.sat.",
                                       NULL};
    return str_starts_any(simd_callee_name(instruction), pure);
}

LLVMIntPredicate simd_clamp_of(LLVMValueRef instruction)
{
    static const struct {
        const char *name;
        LLVMIntPredicate predicate;
    } clamps[] = {{"llvm.smin.i", LLVMIntSLE},
                  {"llvm.smax.i", LLVMIntSGE},
                  {"llvm.umin.i", LLVMIntULE},
                  {"llvm.umax.i", LLVMIntUGE}};
    for (size_t i = 0; LLVMIsACallInst(instruction) != NULL && i < sizeof clamps / sizeof *clamps;
         i++) {
        if (str_starts(simd_callee_name(instruction), clamps[i].name)) {
            return clamps[i].predicate;
        }
    }
    return 0;
}

/* The optimizer writes constant offsets as getelementptr of i8. */
LLVMValueRef simd_address_base(LLVMValueRef address, int64_t *offset)
{
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        bool is_bytes =
            LLVMGetNumOperands(address) == 2 &&
            LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) == LLVMIntegerTypeKind &&
            LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(address)) == 8;
        if (!is_bytes || LLVMIsAConstantInt(LLVMGetOperand(address, 1)) == NULL) {
            return NULL;
        }
        *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

bool simd_is_self(LLVMValueRef value)
{
    if (LLVMIsALoadInst(value) == NULL) {
        return false;
    }
    LLVMValueRef global = LLVMIsAGlobalVariable(LLVMGetOperand(value, 0));
    return global != NULL && strcmp(lower_name(global), "cdp_abi_self") == 0;
}

int simd_self_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    return base != NULL && simd_is_self(base) ? (int)offset : -1;
}

int simd_field(LLVMValueRef load)
{
    int64_t offset;
    if (LLVMIsALoadInst(load) == NULL) {
        return -1;
    }
    LLVMValueRef base = simd_address_base(LLVMGetOperand(load, 0), &offset);
    bool is_block = base != NULL && simd_self_field(base) == offsetof(struct cdp_abi_thread, block);
    return is_block ? (int)offset : -1;
}

LLVMValueRef simd_without_constants(LLVMValueRef address, int64_t *offset)
{
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(address) != NULL && LLVMGetNumOperands(address) == 2 &&
           LLVMIsAConstantInt(LLVMGetOperand(address, 1)) != NULL) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 8) {
            break;
        }
        *offset += LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
        address = LLVMGetOperand(address, 0);
    }
    return address;
}

LLVMValueRef simd_accessed(LLVMValueRef at)
{
    return LLVMGetOperand(at, LLVMIsAStoreInst(at) != NULL ? 1 : 0);
}

LLVMTypeRef simd_accessed_type(LLVMValueRef at)
{
    return LLVMTypeOf(LLVMIsAStoreInst(at) != NULL ? LLVMGetOperand(at, 0) : at);
}

/* 0 for types that groups and pairs do not handle, such as pointers. */
static unsigned size_of(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(type)
                    : kind == LLVMDoubleTypeKind ? 64
                    : kind == LLVMFloatTypeKind  ? 32
                    : kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ? 16
                                                                             : 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

struct simd_member simd_member_of(LLVMValueRef at)
{
    struct simd_member result = {.size = 0};
    if ((LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) &&
        LLVMGetOrdering(at) == LLVMAtomicOrderingNotAtomic && !LLVMGetVolatile(at)) {
        result.size = size_of(simd_accessed_type(at));
        result.base = simd_without_constants(simd_accessed(at), &result.offset);
    }
    return result;
}

static bool is_binary(LLVMOpcode opcode)
{
    switch ((int)opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        return true;
    default:
        return false;
    }
}

bool simd_is_cast(LLVMOpcode opcode)
{
    switch ((int)opcode) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
        return true;
    default:
        return false;
    }
}

bool simd_has_vector_form(LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return is_binary(opcode) || simd_is_cast(opcode) || opcode == LLVMFNeg || opcode == LLVMICmp ||
           opcode == LLVMFCmp || opcode == LLVMFreeze || opcode == LLVMGetElementPtr ||
           opcode == LLVMSelect;
}
