/* Finds kernels, and shared, managed and device symbols, by their annotations. Removes the lists,
 * which would keep dead code alive or make addresses escape.
 *
 * llvm.global.annotations has one entry per annotation: the value, the text, the file, the line,
 * and a constant struct with the annotation's own arguments.
 *
 * The headers of compat/ define CUDA's keywords with annotations:
 *
 *     __global__ void k() {}           @llvm.global.annotations has { @_Z1kv, "cdp.kernel", ... }
 *     __shared__ int tile[64];         { @tile, "cdp.shared", ... }
 *     __launch_bounds__(256, 2)        { @_Z1kv, "cdp.launch_bounds", ..., { 256, 2 } }
 *     __managed__ int m;               { @m, "cdp.managed", ... }
 *
 * This is the first pass. After it the context has all kernels, also those that the unit only
 * declares, and all shared variables. No later pass reads annotations of globals. */
#include "ir/constant_uses.h"
#include "ir/debug_info.h"
#include "ir/value.h"
#include "ir/report.h"
#include "lower/kernel.h"
#include "lower/passes.h"
#include "support/str.h"

#include <limits.h>
#include <string.h>

/* Operands of a row of llvm.global.annotations. */
enum row { ROW_VALUE, ROW_TEXT, ROW_FILE, ROW_LINE, ROW_ARGUMENTS };

/* A kernel can have several annotations: they all belong to one entry. The pointer is valid until
 * the next kernel is added. */
static struct lower_kernel *kernel_of(struct lower_context *lower, LLVMValueRef function)
{
    for (size_t i = 0; i < lower->kernel_count; i++) {
        if (lower->kernels[i].function == function) {
            return &lower->kernels[i];
        }
    }
    const char *name = lower_name(function);
    struct lower_kernel kernel = {
        .function = function,
        .name = str_copy(name, strlen(name)),
        .is_defined = !LLVMIsDeclaration(function),
        .linkage = LLVMGetLinkage(function),
        .visibility = LLVMGetVisibility(function),
    };
    LOWER_PUSH(lower->kernels, lower->kernel_count, kernel);
    return &lower->kernels[lower->kernel_count - 1];
}

static bool is_shared(const struct lower_context *lower, LLVMValueRef variable)
{
    for (size_t i = 0; i < lower->shared_count; i++) {
        if (lower->shared[i].variable == variable) {
            return true;
        }
    }
    return false;
}

/* A variable without a definition is dynamic shared memory: extern __shared__ T name[]. Its size
 * is 0 if its type is incomplete. All such variables have the same address. */
static void add_shared(struct lower_context *lower, LLVMValueRef variable)
{
    if (is_shared(lower, variable)) {
        return;
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    bool dynamic = LLVMIsDeclaration(variable) != 0;
    uint64_t align = LLVMGetAlignment(variable);
    struct lower_shared shared = {
        .variable = variable,
        .name = lower_source_name(lower, variable),
        .type = lower_source_type(lower, variable),
        .node = lower_debug_node(variable),
        .size = dynamic && !LLVMTypeIsSized(type) ? 0 : LLVMABISizeOfType(lower->layout, type),
        .align = align != 0 ? align : LLVMABIAlignmentOfType(lower->layout, type),
        .place = dynamic ? LOWER_SHARED_DYNAMIC : LOWER_SHARED_BLOCK,
    };
    LOWER_PUSH(lower->shared, lower->shared_count, shared);
}

/* The annotation's argument with that index; 0 if it has none. */
static unsigned argument(LLVMValueRef arguments, unsigned index)
{
    LLVMValueRef global = LLVMIsAGlobalVariable(arguments);
    LLVMValueRef values = global == NULL ? NULL : LLVMGetInitializer(global);
    if (values == NULL || index >= LLVMCountStructElementTypes(LLVMTypeOf(values))) {
        return 0;
    }
    LLVMValueRef value = LLVMGetAggregateElement(values, index);
    return LLVMIsAConstantInt(value) == NULL ? 0 : (unsigned)LLVMConstIntGetZExtValue(value);
}

static unsigned argument_count(LLVMValueRef arguments)
{
    LLVMValueRef global = LLVMIsAGlobalVariable(arguments);
    LLVMValueRef values = global == NULL ? NULL : LLVMGetInitializer(global);
    return values == NULL ? 0 : LLVMCountStructElementTypes(LLVMTypeOf(values));
}

/* Sizes that are left out are 1. */
static void set_clusters(struct lower_context *lower, struct lower_kernel *kernel,
                         LLVMValueRef arguments)
{
    enum { FIRST_ARCH = 900 }; /* with clusters, like __CUDA_ARCH__ */
    bool is_valid = true;
    for (unsigned i = 0; i < 3; i++) {
        unsigned blocks = i < argument_count(arguments) ? argument(arguments, i) : 1;
        is_valid = is_valid && blocks != 0 && blocks <= INT_MAX;
        kernel->cluster_dim[i] = blocks;
    }
    if (lower->options->arch < FIRST_ARCH) {
        lower_error(lower, kernel->function,
                    "__cluster_dims__ needs compute capability 9.0 (-arch=sm_90 or later); "
                    "-arch=sm_%u was given",
                    lower->options->arch / 10);
    } else if (!is_valid) {
        lower_error(lower, kernel->function, "__cluster_dims__ needs positive numbers of blocks");
    }
}

/* Marks the loads of a function that reads memory with a cache hint. */
static void mark_loads(struct lower_context *lower, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (LLVMIsALoadInst(at) != NULL && LLVMGetOrdering(at) == LLVMAtomicOrderingMonotonic) {
                lower_mark_cached(lower->llvm, at);
            }
        }
    }
}

/* A static variable of a module, which the front end takes for one that the host cannot reach:
 * programs write it by cuModuleGetGlobal. A const variable without __constant__ stays a number. */
static void open_static(struct lower_context *lower, LLVMValueRef value, bool is_constant)
{
    if (lower->options->kind == LOWER_MODULE && LLVMIsAGlobalVariable(value) != NULL &&
        LLVMGetLinkage(value) == LLVMInternalLinkage &&
        (is_constant || !LLVMIsGlobalConstant(value))) {
        LLVMSetExternallyInitialized(value, 1);
    }
}

/* Other annotations are the user's own, and are ignored. */
static void collect_row(struct lower_context *lower, LLVMValueRef row)
{
    LLVMValueRef value = LLVMGetOperand(row, ROW_VALUE);
    size_t length;
    const char *text = LLVMGetAsString(LLVMGetInitializer(LLVMGetOperand(row, ROW_TEXT)), &length);
    if (strcmp(text, "cdp.kernel") == 0) {
        kernel_of(lower, value);
    } else if (strcmp(text, "cdp.launch_bounds") == 0) {
        struct lower_kernel *kernel = kernel_of(lower, value);
        kernel->max_threads = argument(LLVMGetOperand(row, ROW_ARGUMENTS), 0);
        kernel->min_blocks = argument(LLVMGetOperand(row, ROW_ARGUMENTS), 1);
    } else if (strcmp(text, "cdp.cluster_dims") == 0) {
        set_clusters(lower, kernel_of(lower, value), LLVMGetOperand(row, ROW_ARGUMENTS));
    } else if (strcmp(text, "cdp.shared") == 0) {
        add_shared(lower, value);
    } else if (strcmp(text, "cdp.managed") == 0) {
        LOWER_PUSH(lower->managed.items, lower->managed.count, value);
    } else if (strcmp(text, "cdp.device") == 0) {
        LOWER_PUSH(lower->device.items, lower->device.count, value);
        open_static(lower, value, false);
    } else if (strcmp(text, "cdp.constant") == 0) {
        open_static(lower, value, true);
    } else if (strcmp(text, "cdp.cached") == 0) {
        mark_loads(lower, value);
    } else if (strcmp(text, "cdp.host") == 0) {
        LOWER_PUSH(lower->host.items, lower->host.count, value);
    }
}

/* A static variable that a kernel uses before host code names it has two names in the module: that
 * of the use and that of the definition, which ends with "__static__HASH". */
static void join_statics(struct lower_context *lower)
{
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstGlobal(lower->module); at != NULL; at = next) {
        next = LLVMGetNextGlobal(at);
        const char *mark = strstr(lower_name(at), "__static__");
        if (mark == NULL || LLVMIsDeclaration(at)) {
            continue;
        }
        const char *short_name = str_copy(lower_name(at), (size_t)(mark - lower_name(at)));
        LLVMValueRef use = LLVMGetNamedGlobal(lower->module, short_name);
        if (use != NULL && LLVMIsDeclaration(use)) {
            next = next == use ? LLVMGetNextGlobal(use) : next;
            LLVMReplaceAllUsesWith(use, at);
            LLVMDeleteGlobal(use);
        }
    }
}

/* The functions that use a global: weak are templates and inline functions, strong are all
 * others. */
struct users {
    bool weak, strong;
};

static void note_user(void *data, LLVMValueRef function)
{
    struct users *users = data;
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool weak = linkage == LLVMLinkOnceODRLinkage || linkage == LLVMLinkOnceAnyLinkage ||
                linkage == LLVMWeakODRLinkage || linkage == LLVMWeakAnyLinkage;
    users->weak |= weak;
    users->strong |= !weak;
}

/* Whether the global is an array without a size that only templates and inline functions use:
 * extern __shared__ declared in a template. (An array of another unit, extern __device__ T x[],
 * would look the same, but other code uses device arrays as well.) */
static bool is_of_templates(LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    bool is_vtable = strncmp(lower_name(global), "_ZTV", 4) == 0;
    if (is_vtable || LLVMGetTypeKind(type) != LLVMArrayTypeKind || LLVMGetArrayLength2(type) != 0) {
        return false;
    }
    struct users users = {0};
    lower_using_functions(global, note_user, &users);
    return users.weak && !users.strong;
}

static bool is_row(LLVMValueRef row, LLVMValueRef value, const char *name)
{
    size_t length;
    const char *text = LLVMGetAsString(LLVMGetInitializer(LLVMGetOperand(row, ROW_TEXT)), &length);
    return (value == NULL || LLVMGetOperand(row, ROW_VALUE) == value) && strcmp(text, name) == 0;
}

/* __cluster_dims__ of a function that is no kernel. False after the message. */
static bool check_clusters(struct lower_context *lower, LLVMValueRef rows, LLVMValueRef row)
{
    LLVMValueRef value = LLVMGetOperand(row, ROW_VALUE);
    if (!is_row(row, NULL, "cdp.cluster_dims")) {
        return true;
    }
    for (int i = 0; i < LLVMGetNumOperands(rows); i++) {
        if (is_row(LLVMGetOperand(rows, (unsigned)i), value, "cdp.kernel")) {
            return true;
        }
    }
    lower_error(lower, value, "__cluster_dims__ is allowed for __global__ functions only");
    return false;
}

/* The lists are removed after the rows were read. */
void lower_collect(struct lower_context *lower)
{
    LLVMValueRef list = LLVMGetNamedGlobal(lower->module, "llvm.global.annotations");
    LLVMValueRef rows = list == NULL ? NULL : LLVMGetInitializer(list);
    int row_count = rows == NULL ? 0 : LLVMGetNumOperands(rows);
    for (int i = 0; i < row_count; i++) {
        LLVMValueRef row = LLVMGetOperand(rows, (unsigned)i);
        if (check_clusters(lower, rows, row)) {
            collect_row(lower, row);
        }
    }
    /* extern __shared__ has no annotation. But nothing else has protected visibility, and only in a
     * template the attribute is lost. */
    for (LLVMValueRef global = LLVMGetFirstGlobal(lower->module); global != NULL;
         global = LLVMGetNextGlobal(global)) {
        if (LLVMIsDeclaration(global) &&
            (LLVMGetVisibility(global) == LLVMProtectedVisibility || is_of_templates(global))) {
            add_shared(lower, global);
        }
    }
    lower_drop_list(lower, "llvm.global.annotations");
    lower_drop_list(lower, "llvm.used");
    lower_drop_list(lower, "llvm.compiler.used");
    lower_drop_list(lower, "__clang_gpu_used_external");
    join_statics(lower);
}
