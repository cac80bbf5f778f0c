/* Shows things in a debugger that are no longer variables: threadIdx and the like in code compiled
 * for debugging (-G), and shared variables. It also keeps lines whose code consists only of other
 * functions.
 *
 * Each becomes a local variable of the functions in which it is visible. Its address is in the
 * thread's context or the block's slab.
 *
 * In a debugger, in code compiled with -G:
 *
 *     (gdb) print threadIdx
 *     $1 = {x = 3, y = 0, z = 0}
 *     (gdb) print tile[7]
 *
 * With -G each address is stored in a stack slot, because code without optimization does not keep
 * it in a register. Without -G a debug record refers to the address as a value. In both forms the
 * expression DW_OP_deref says that the variable is at the address. */
#include "lower/view.h"

#include "ir/debug_info.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "support/arena.h"

#include "abi/cdp_abi.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { DW_OP_DEREF = 0x06, DW_ATE_UNSIGNED = 0x07, INT_BITS = 32 };

/* The variable has the line of the function. */
static LLVMMetadataRef local_variable(LLVMDIBuilderRef builder, LLVMMetadataRef scope,
                                      const char *name, LLVMMetadataRef type)
{
    unsigned line = LLVMDISubprogramGetLine(scope);
    return LLVMDIBuilderCreateAutoVariable(builder, scope, name, strlen(name),
                                           LLVMDIScopeGetFile(scope), line, type, 0, LLVMDIFlagZero,
                                           0);
}

/* A stack slot stores the address while the function runs. */
static void declare_in_slot(struct lower_context *lower, LLVMDIBuilderRef debug,
                            LLVMValueRef address, LLVMMetadataRef variable, LLVMMetadataRef place)
{
    uint64_t through[] = {DW_OP_DEREF};
    LLVMValueRef next = LLVMGetNextInstruction(address);
    LLVMBuilderRef builder = lower_builder_before(lower, next);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef slot = LLVMBuildAlloca(builder, lower->types.ptr, "cdp.view");
    LLVMBuildStore(builder, address, slot);
    LLVMDisposeBuilder(builder);
    LLVMDIBuilderInsertDeclareRecordBefore(
        debug, slot, variable, LLVMDIBuilderCreateExpression(debug, through, 1), place, next);
}

void lower_view_variable(struct lower_context *lower, LLVMValueRef function, LLVMValueRef address,
                         const char *name, LLVMMetadataRef type)
{
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    if (scope == NULL || type == NULL || lower->options->strip_debug) {
        return;
    }
    LLVMDIBuilderRef debug = LLVMCreateDIBuilderDisallowUnresolved(lower->module);
    LLVMMetadataRef variable = local_variable(debug, scope, name, type);
    LLVMMetadataRef place = LLVMDIBuilderCreateDebugLocation(
        lower->llvm, LLVMDISubprogramGetLine(scope), 0, scope, NULL);
    if (lower->options->debug_device) {
        declare_in_slot(lower, debug, address, variable, place);
    } else {
        uint64_t through[] = {DW_OP_DEREF};
        LLVMDIBuilderInsertDbgValueRecordBefore(debug, address, variable,
                                                LLVMDIBuilderCreateExpression(debug, through, 1),
                                                place, LLVMGetNextInstruction(address));
    }
    LLVMDIBuilderFinalize(debug);
    LLVMDisposeDIBuilder(debug);
}

/* struct { unsigned x, y, z; } */
static LLVMMetadataRef vector_type(LLVMDIBuilderRef debug, LLVMMetadataRef file, const char *name)
{
    static const char *const names[] = {"x", "y", "z"};
    LLVMMetadataRef word =
        LLVMDIBuilderCreateBasicType(debug, "unsigned int", 12, INT_BITS, DW_ATE_UNSIGNED, 0);
    LLVMMetadataRef members[3];
    for (unsigned i = 0; i < 3; i++) {
        members[i] = LLVMDIBuilderCreateMemberType(debug, file, names[i], 1, file, 0, INT_BITS, 0,
                                                   INT_BITS * (uint64_t)i, 0, word);
    }
    return LLVMDIBuilderCreateStructType(debug, file, name, strlen(name), file, 0, 3 * INT_BITS, 0,
                                         LLVMDIFlagZero, NULL, members, 3, 0, NULL, "", 0);
}

/* The variables of the CUDA language. offset is in bytes in the context. */
static const struct builtin {
    const char *name, *type;
    bool in_block; /* of the block's context, or of the thread's */
    size_t offset;
} builtins[] = {
    {"threadIdx", "uint3", false, offsetof(struct cdp_abi_thread, thread_idx)},
    {"blockIdx", "uint3", true, offsetof(struct cdp_abi_block, block_idx)},
    {"blockDim", "dim3", true, offsetof(struct cdp_abi_block, block_dim)},
    {"gridDim", "dim3", true, offsetof(struct cdp_abi_block, grid_dim)},
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

/* At the start of the function, so that all its lines can print them. */
static void show_builtins(struct lower_context *lower, LLVMValueRef function,
                          const LLVMMetadataRef *types)
{
    LLVMBuilderRef builder = lower_builder_at_entry(lower, function);
    LLVMValueRef self = lower_self(lower, builder);
    LLVMValueRef block = lower_block(lower, builder);
    for (unsigned i = 0; i < BUILTIN_COUNT; i++) {
        LLVMValueRef base = builtins[i].in_block ? block : self;
        LLVMValueRef address = lower_field(lower, builder, base, builtins[i].offset, "");
        lower_view_variable(lower, function, address, builtins[i].name, types[i]);
    }
    LLVMDisposeBuilder(builder);
}

/* Whether the entry of the debug information is that of a shared variable. */
static bool is_shared_node(const struct lower_context *lower, LLVMMetadataRef node)
{
    for (size_t i = 0; i < lower->shared_count; i++) {
        if (lower->shared[i].node == node) {
            return true;
        }
    }
    return false;
}

/* The debug information of a compile unit lists its global variables as one operand. */
static void forget_in_unit(struct lower_context *lower, LLVMMetadataRef unit)
{
    enum { UNIT_GLOBALS = 6 };
    unsigned count, kept = 0;
    LLVMMetadataRef *operands = lower_md_operands(lower, unit, &count);
    LLVMMetadataRef globals = count > UNIT_GLOBALS ? operands[UNIT_GLOBALS] : NULL;
    if (globals == NULL) {
        return;
    }
    LLVMMetadataRef *rows = lower_md_operands(lower, globals, &count);
    for (unsigned i = 0; i < count; i++) {
        if (rows[i] != NULL && !is_shared_node(lower, rows[i])) {
            rows[kept++] = rows[i];
        }
    }
    LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(lower->llvm, unit), UNIT_GLOBALS,
                                 LLVMMDNodeInContext2(lower->llvm, rows, kept));
}

void lower_view_forget_shared(struct lower_context *lower)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(lower->module, "llvm.dbg.cu");
    LLVMValueRef *units = arena_alloc((count + 1) * sizeof *units);
    LLVMGetNamedMetadataOperands(lower->module, "llvm.dbg.cu", units);
    for (unsigned i = 0; i < count; i++) {
        forget_in_unit(lower, LLVMValueAsMetadata(units[i]));
    }
}

/* An inlined call leaves no code of its own line if its arguments need none. A nop gives
 * breakpoints on the line an address. */
static void mark_line(struct lower_context *lower, LLVMValueRef at)
{
    static const char nop[] = "nop";
    LLVMValueRef callee = lower_callee(at);
    if (callee == NULL || LLVMGetSubprogram(callee) == NULL || LLVMGetDebugLocLine(at) == 0 ||
        !lower_has_attribute(callee, "alwaysinline")) {
        return;
    }
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, NULL, 0, 0);
    LLVMValueRef code = LLVMGetInlineAsm(type, nop, strlen(nop), "", 0, true, false,
                                         LLVMInlineAsmDialectATT, false);
    LLVMBuilderRef builder = lower_builder_before(lower, at);
    LLVMBuildCall2(builder, type, code, NULL, 0, "");
    LLVMDisposeBuilder(builder);
}

/* Only with -G. Functions that are always inlined are not shown: they have no frame. */
void lower_view(struct lower_context *lower)
{
    if (!lower->options->debug_device) {
        return;
    }
    lower_each_instruction(lower, mark_line);
    LLVMMetadataRef types[BUILTIN_COUNT] = {0};
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        LLVMMetadataRef scope = LLVMGetSubprogram(function);
        if (LLVMIsDeclaration(function) || scope == NULL ||
            lower_has_attribute(function, "alwaysinline")) {
            continue;
        }
        if (types[0] == NULL) {
            LLVMDIBuilderRef debug = LLVMCreateDIBuilderDisallowUnresolved(lower->module);
            for (unsigned i = 0; i < BUILTIN_COUNT; i++) {
                types[i] = vector_type(debug, LLVMDIScopeGetFile(scope), builtins[i].type);
            }
            LLVMDIBuilderFinalize(debug);
            LLVMDisposeDIBuilder(debug);
        }
        show_builtins(lower, function, types);
    }
}
