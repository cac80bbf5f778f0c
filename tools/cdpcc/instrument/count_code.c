/* --count: the instructions of a basic block by line and class.
 *
 *     for.body:  float x = in[i] * k + out[i];      line 7
 *
 *     %a = getelementptr float, ptr %in, i32 %i     integer
 *     %b = load float, ptr %a                       load_store
 *     %c = fmul contract float %b, %k               none: becomes part of the sum
 *     %e = fadd contract float %c, %d               fp32
 *
 * The instructions are those of LLVM after its optimizer. Instructions that a GPU does not have, or
 * that rarely remain there, have no class: phis, conversions between integers or pointers, constant
 * offsets, loads of parameters, and branches without a condition. */
#include "instrument/count_code.h"

#include "instrument/instrument_pass.h"
#include "instrument/kept_lines.h"
#include "instrument/site.h"
#include "ir/value.h"
#include "support/str.h"

#include "abi/cdp_count.h"

#include <llvm-c/Core.h>

enum { NO_CLASS = -1 };

static int class_of_type(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return CDP_COUNT_FP16;
    case LLVMFloatTypeKind:
        return CDP_COUNT_FP32;
    case LLVMDoubleTypeKind:
        return CDP_COUNT_FP64;
    case LLVMVectorTypeKind:
        return class_of_type(LLVMGetElementType(type));
    default:
        return CDP_COUNT_INTEGER;
    }
}

static bool is_contractable(LLVMValueRef at)
{
    return LLVMCanValueUseFastMathFlags(at) &&
           (LLVMGetFastMathFlags(at) & LLVMFastMathAllowContract) != 0;
}

/* A product that becomes part of the sum that uses it. */
static bool is_fused(LLVMValueRef product)
{
    LLVMUseRef use = LLVMGetFirstUse(product);
    if (use == NULL || LLVMGetNextUse(use) != NULL || !is_contractable(product)) {
        return false;
    }
    LLVMValueRef sum = LLVMGetUser(use);
    LLVMOpcode opcode = LLVMIsAInstruction(sum) != NULL ? LLVMGetInstructionOpcode(sum) : 0;
    return (opcode == LLVMFAdd || opcode == LLVMFSub) && is_contractable(sum);
}

static bool has_constant_offset(LLVMValueRef offset)
{
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(offset); i++) {
        if (LLVMIsAConstant(LLVMGetOperand(offset, i)) == NULL) {
            return false;
        }
    }
    return true;
}

/* On a GPU a parameter is an operand, and not loaded. */
static bool is_parameter(LLVMValueRef load)
{
    LLVMValueRef address = LLVMGetOperand(load, 0);
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return instrument_is_own_argument(address) &&
           str_starts(lower_name(LLVMGetParamParent(address)), "cdp.thread.");
}

static int class_of_intrinsic(LLVMValueRef call, const char *name)
{
    static const char *const none[] = {"llvm.dbg.",
                                       "llvm.lifetime.",
                                       "llvm.assume",
                                       "llvm.experimental.noalias.scope.",
                                       "llvm.invariant.",
                                       "llvm.annotation.",
                                       "llvm.var.annotation",
                                       "llvm.ptr.annotation",
                                       "llvm.threadlocal.address",
                                       "llvm.donothing",
                                       NULL};
    if (str_starts_any(name, none)) {
        return NO_CLASS;
    }
    if (LLVMIsAMemIntrinsic(call) != NULL) {
        return CDP_COUNT_LOAD_STORE;
    }
    if (str_starts(name, "llvm.fptosi") || str_starts(name, "llvm.fptoui")) {
        return CDP_COUNT_CONVERSION;
    }
    bool has_value = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
    return has_value ? class_of_type(LLVMTypeOf(call)) : CDP_COUNT_OTHER;
}

static int class_of_call(LLVMValueRef call)
{
    static const char *const warps[] = {"cdp_abi_shfl",   "cdp_abi_ballot", "cdp_abi_activemask",
                                        "cdp_abi_match_", "cdp_abi_reduce", NULL};
    LLVMValueRef callee = lower_callee(call);
    const char *name = callee == NULL ? "" : lower_name(callee);
    return str_starts(name, "llvm.")      ? class_of_intrinsic(call, name)
           : str_starts_any(name, warps)  ? CDP_COUNT_INTER_THREAD
           : str_starts(name, "cdp_abi_") ? CDP_COUNT_OTHER
           : str_starts(name, "cdp.")     ? NO_CLASS
                                          : CDP_COUNT_CONTROL;
}

/* NO_CLASS: it is not counted. */
static int class_of(LLVMValueRef at)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    switch ((int)opcode) {
    case LLVMLoad:
        return instrument_is_own_code(at) || is_parameter(at) ? NO_CLASS : CDP_COUNT_LOAD_STORE;
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return instrument_is_own_code(at) ? NO_CLASS : CDP_COUNT_LOAD_STORE;
    case LLVMFence:
        return CDP_COUNT_OTHER;
    case LLVMRet:
    case LLVMSwitch:
        return CDP_COUNT_CONTROL;
    case LLVMBr:
        return LLVMIsConditional(at) ? CDP_COUNT_CONTROL : NO_CLASS;
    case LLVMCall:
        return class_of_call(at);
    case LLVMFMul:
        return is_fused(at) ? NO_CLASS : class_of_type(LLVMTypeOf(at));
    case LLVMICmp:
    case LLVMFCmp:
        return class_of_type(LLVMTypeOf(LLVMGetOperand(at, 0)));
    case LLVMGetElementPtr:
        return has_constant_offset(at) ? NO_CLASS : CDP_COUNT_INTEGER;
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
        return CDP_COUNT_CONVERSION;
    case LLVMSelect:
    case LLVMFNeg:
        return class_of_type(LLVMTypeOf(at));
    default:
        return LLVMIsABinaryOperator(at) != NULL ? class_of_type(LLVMTypeOf(at)) : NO_CLASS;
    }
}

/* ---- Lines ---- */

/* In the arena. */
struct lines {
    struct count_line {
        struct instrument_place place;
        uint32_t of[CDP_COUNT_CLASSES];
    } *items;
    size_t count;
};

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && str_equals(a, b));
}

static struct count_line *line_of(struct lines *lines, const struct instrument_place *place)
{
    for (size_t i = 0; i < lines->count; i++) {
        const struct instrument_place *have = &lines->items[i].place;
        if (have->line == place->line && is_same_text(have->file, place->file) &&
            is_same_text(have->function, place->function)) {
            return &lines->items[i];
        }
    }
    LOWER_PUSH(lines->items, lines->count, (struct count_line){.place = *place});
    return &lines->items[lines->count - 1];
}

static struct lines lines_of(struct instrument *instrument, LLVMBasicBlockRef block)
{
    struct lines lines = {.items = NULL};
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        int class = class_of(at);
        if (class != NO_CLASS) {
            const struct instrument_place place = instrument_place_of(&instrument->lower, at);
            line_of(&lines, &place)->of[class]++;
        }
    }
    return lines;
}

/* ---- The global ---- */

static LLVMValueRef image_of_line(struct instrument *instrument, const struct count_line *line)
{
    struct lower_context *lower = &instrument->lower;
    LLVMValueRef classes[CDP_COUNT_CLASSES];
    for (int i = 0; i < CDP_COUNT_CLASSES; i++) {
        classes[i] = LLVMConstInt(lower->types.i32, line->of[i], 0);
    }
    LLVMValueRef fields[] = {
        instrument_text(lower, line->place.file),
        instrument_text(lower, line->place.folder),
        instrument_text(lower, line->place.function),
        LLVMConstInt(lower->types.i32, line->place.line, 0),
        LLVMConstArray2(lower->types.i32, classes, CDP_COUNT_CLASSES),
    };
    return LLVMConstStructInContext(lower->llvm, fields, sizeof fields / sizeof *fields, 0);
}

static LLVMValueRef private_global(struct instrument *instrument, LLVMValueRef image)
{
    LLVMValueRef global =
        LLVMAddGlobal(instrument->lower.module, LLVMTypeOf(image), "cdp.count.block");
    LLVMSetInitializer(global, image);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, sizeof(void *));
    return global;
}

static LLVMValueRef lines_global(struct instrument *instrument, const struct lines *lines)
{
    LLVMValueRef *images = NULL;
    size_t count = 0;
    for (size_t i = 0; i < lines->count; i++) {
        LOWER_PUSH(images, count, image_of_line(instrument, &lines->items[i]));
    }
    if (count == 0) {
        return LLVMConstNull(instrument->lower.types.ptr);
    }
    LLVMValueRef array =
        private_global(instrument, LLVMConstArray2(LLVMTypeOf(images[0]), images, count));
    LLVMSetGlobalConstant(array, 1);
    return array;
}

LLVMValueRef instrument_branch_site(struct instrument *instrument, LLVMValueRef branch)
{
    return instrument_site(&instrument->lower, branch, CDP_SITE_BRANCH,
                           lower_name(lower_function_of(branch)));
}

bool instrument_has_sides(LLVMValueRef end)
{
    return LLVMIsASwitchInst(end) != NULL ||
           (LLVMIsABranchInst(end) != NULL && LLVMIsConditional(end));
}

enum { FIELD_IS_ENTRY = 4 };

bool instrument_is_entry_code(LLVMValueRef code)
{
    LLVMValueRef is_entry = LLVMGetAggregateElement(LLVMGetInitializer(code), FIELD_IS_ENTRY);
    return LLVMConstIntGetZExtValue(is_entry) != 0;
}

LLVMValueRef instrument_count_code(struct instrument *instrument, LLVMBasicBlockRef block,
                                   bool is_entry)
{
    struct lower_context *lower = &instrument->lower;
    const struct lines lines = lines_of(instrument, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMValueRef fields[] = {
        instrument_text(lower, lower_name(LLVMGetBasicBlockParent(block))),
        lines_global(instrument, &lines),
        instrument_has_sides(end) ? instrument_branch_site(instrument, end)
                                  : LLVMConstNull(lower->types.ptr),
        LLVMConstInt(lower->types.i32, lines.count, 0),
        LLVMConstInt(lower->types.i32, is_entry, 0),
        LLVMConstInt(lower->types.i32, 0, 0),
        LLVMConstInt(lower->types.i32, 0, 0),
    };
    LLVMValueRef code =
        private_global(instrument, LLVMConstStructInContext(lower->llvm, fields,
                                                            sizeof fields / sizeof *fields, 0));
    LLVMSetExternallyInitialized(code, 1); /* the runtime sets its number */
    return code;
}
