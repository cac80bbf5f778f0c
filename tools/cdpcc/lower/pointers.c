/* Warns of pointers that cannot be used: a child that is given an address of local or shared
 * memory, and a write to a constant through a pointer.
 *
 * The front end's code stores every pointer in a stack slot and passes it through inline functions.
 * So this pass works on a copy of the module in which the relevant functions are inlined and their
 * slots are values. Nothing else is optimized, so the debug information still has the names of
 * variables and the lines. The copy is made only if there is a launch, or a constant whose address
 * escapes.
 *
 * Source that gets the first warning:
 *
 *     __device__ void launch(int *p) { child<<<1, 1>>>(p); }
 *     __global__ void parent()
 *     {
 *         int x;
 *         launch(&x);      // the child has a stack of its own: &x is not its local variable
 *     }
 *
 * A launch is two calls in the front end's code: one returns the parameter buffer, the other
 * launches. So the pass looks at what is stored into the buffer between them:
 *
 *     %buffer = call ptr @cudaGetParameterBufferV2(ptr @child, ...)
 *     store ptr %x, ptr %buffer
 *     call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr %stream)
 *
 * The warning says "passed to" if the variable is the only origin of the pointer, else "may point
 * to". The module itself does not change. The pass reads the shared variables that collect has
 * found, by name. */
#include "ir/call_graph.h"
#include "ir/constant_uses.h"
#include "ir/debug_info.h"
#include "ir/module.h"
#include "ir/report.h"
#include "ir/value.h"
#include "lower/check.h"
#include "lower/origin.h"
#include "lower/passes.h"
#include "support/arena.h"
#include "support/str.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* No instcombine: it would turn the addresses of variables into values.
 *
 * globaldce removes what nothing calls; the inliner works bottom-up; sroa makes slots values; sccp
 * and simplifycfg remove branches that constants decide, such as those on arguments of inlined
 * calls. */
static const char simplification[] =
    "globaldce,cgscc(inline),function(sroa,sccp,simplifycfg,sroa),globaldce";

static bool is_launch(LLVMValueRef call)
{
    LLVMValueRef callee = lower_callee(call);
    return callee != NULL && lower_is_launch(lower_name(callee));
}

static bool is_transfer(LLVMValueRef at)
{
    return LLVMIsAMemCpyInst(at) != NULL || LLVMIsAMemMoveInst(at) != NULL;
}

/* Whether the code does more with a constant's address than read the constant. */
static bool hands_on(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_offset =
            LLVMIsAGetElementPtrInst(user) != NULL || LLVMIsAConstantExpr(user) != NULL;
        bool is_source = is_transfer(user) && LLVMGetOperand(user, 0) != address;
        if (is_offset ? hands_on(user) : LLVMIsALoadInst(user) == NULL && !is_source) {
            return true;
        }
    }
    return false;
}

/* The functions that are wanted, by their numbers in the call graph; while constants are
 * searched. */
struct marking {
    const struct lower_graph *graph;
    bool *wanted;
};

/* Marks the function that uses a constant. */
static void mark(void *data, LLVMValueRef function)
{
    struct marking *marking = data;
    unsigned number;
    if (lower_map_find(&marking->graph->numbers, function, &number)) {
        marking->wanted[number] = true;
    }
}

/* Constants whose address is only loaded from need no analysis. */
static void mark_constants(const struct lower_context *lower, struct marking *marking)
{
    for (LLVMValueRef global = LLVMGetFirstGlobal(lower->module); global != NULL;
         global = LLVMGetNextGlobal(global)) {
        if (lower_is_constant_variable(global) && hands_on(global)) {
            lower_using_functions(global, mark, marking);
        }
    }
}

/* Whether some callee is wanted. */
static bool calls_wanted(const struct marking *marking, unsigned number)
{
    for (size_t i = 0; i < marking->graph->callee_count[number]; i++) {
        if (marking->wanted[marking->graph->callees[number][i]]) {
            return true;
        }
    }
    return false;
}

/* The functions that launch, or name a constant, and all their callers. */
static bool *find_wanted(const struct lower_context *lower, const struct lower_graph *graph)
{
    struct marking marking = {graph, arena_alloc((graph->count + 1) * sizeof(bool))};
    for (unsigned i = 0; i < graph->count; i++) {
        marking.wanted[i] = lower_is_launch(lower_name(graph->functions[i]));
    }
    mark_constants(lower, &marking);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < graph->count; i++) {
            if (!marking.wanted[i] && calls_wanted(&marking, i)) {
                marking.wanted[i] = changed = true;
            }
        }
    }
    return marking.wanted;
}

/* Only attributes of the function itself, not of its parameters. */
static void remove_attribute(LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

/* Wanted functions are kept and inlined into their callers. Others exist only as inlined parts. */
static void prepare(struct lower_context *lower, LLVMValueRef function, bool is_wanted)
{
    if (LLVMIsDeclaration(function)) {
        return;
    }
    LLVMSetVisibility(function, LLVMDefaultVisibility);
    LLVMSetComdat(function, NULL);
    LLVMSetLinkage(function, is_wanted ? LLVMExternalLinkage : LLVMInternalLinkage);
    remove_attribute(function, "optnone");
    remove_attribute(function, "noinline");
    if (is_wanted) {
        lower_add_attribute(lower, function, "alwaysinline");
    }
}

/* NULL if LLVM cannot run the passes: then there are no warnings. */
static LLVMModuleRef make_copy(struct lower_context *lower, const struct lower_graph *graph,
                               const bool *wanted)
{
    LLVMModuleRef copy = LLVMCloneModule(lower->module);
    for (unsigned i = 0; i < graph->count; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(copy, lower_name(graph->functions[i]));
        if (function != NULL) {
            prepare(lower, function, wanted[i]);
        }
    }
    if (!module_run_passes(copy, simplification, lower->machine)) {
        LLVMDisposeModule(copy);
        return NULL;
    }
    return copy;
}

/* Messages. */

/* The warnings that were printed, as texts with their positions: after inlining one source
 * position occurs several times. */
struct said {
    const char **texts;
    size_t count;
};

/* Adds the text if it is new. */
static bool is_new(struct said *said, const char *text)
{
    for (size_t i = 0; i < said->count; i++) {
        if (str_equals(said->texts[i], text)) {
            return false;
        }
    }
    LOWER_PUSH(said->texts, said->count, text);
    return true;
}

/* The state of the pass: the analysis of the current function, and the warnings printed so far. */
struct pointers {
    struct lower_context *lower;
    struct lower_origin_scope scope;
    struct said said;
};

/* The function whose code was inlined. */
static const char *scope_name(const struct lower_context *lower, LLVMMetadataRef location)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    while (scope != NULL && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        scope = lower_scope_parent(lower, scope);
    }
    return scope == NULL ? "a function" : lower_node_name(lower, scope);
}

/* Notes for the calls through which an inlined position was reached, the innermost first. */
static void note_calls(const struct lower_context *lower, LLVMValueRef at)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
    while (location != NULL && LLVMDILocationGetInlinedAt(location) != NULL) {
        const char *name = scope_name(lower, location);
        location = LLVMDILocationGetInlinedAt(location);
        struct lower_place place = lower_place_at(location);
        lower_note(lower, &place, "in a call of '%s' here", name);
    }
}

/* The kernel is not known if it is chosen at run time. */
static const char *kernel_text(struct lower_context *lower, LLVMValueRef kernel)
{
    if (kernel == NULL || LLVMIsAFunction(kernel) == NULL) {
        return "a child kernel";
    }
    return str_format("child kernel '%s'", lower_function_name(lower, kernel));
}

/* Warns of one variable to which an argument of a launch points. */
static void warn_of(struct pointers *pointers, const struct lower_origin *origin, bool is_sure,
                    LLVMValueRef store, LLVMValueRef kernel)
{
    struct lower_context *lower = pointers->lower;
    struct lower_place place = lower_place_of(store);
    struct lower_variable variable = lower_origin_variable(&pointers->scope, origin);
    const char *text =
        str_format("pointer %s %s passed to %s", is_sure ? "to" : "that may point to",
                   variable.text, kernel_text(lower, kernel));
    const char *key = str_format("%s:%u:%u:%u:%s", place.file == NULL ? "" : place.file, place.line,
                                 place.column, variable.place.line, text);
    if (!is_new(&pointers->said, key)) {
        return;
    }
    enum warning warning =
        origin->kind == LOWER_ORIGIN_SHARED ? WARNING_SHARED_POINTER : WARNING_LOCAL_POINTER;
    if (!lower_warning(lower, warning, &place, "%s", text)) {
        return;
    }
    note_calls(lower, store);
    if (variable.place.file != NULL) {
        lower_note(lower, &variable.place, "%s declared here", variable.name);
    }
}

/* Warns of each local or shared variable to which the value may point. is_whole is false if other
 * values may be in the same place. */
static void check_value(struct pointers *pointers, LLVMValueRef value, bool is_whole,
                        LLVMValueRef store, LLVMValueRef kernel)
{
    struct lower_origins origins;
    lower_origins_find(&pointers->scope, value, &origins);
    for (size_t i = 0; i < origins.count; i++) {
        if (origins.items[i].kind != LOWER_ORIGIN_CONSTANT) {
            warn_of(pointers, &origins.items[i], is_whole && !origins.others, store, kernel);
        }
    }
}

/* A class that stayed in memory until it was copied into the buffer. It may contain any pointer
 * that was ever stored in it. */
static void check_copied(struct pointers *pointers, LLVMValueRef address, LLVMValueRef copy,
                         LLVMValueRef kernel)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) != NULL) {
            check_copied(pointers, user, copy, kernel);
        } else if (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 1) == address) {
            check_value(pointers, LLVMGetOperand(user, 0), false, copy, kernel);
        }
    }
}

/* Checks the values that are stored into the parameter buffer. */
static void check_buffer(struct pointers *pointers, LLVMValueRef buffer, LLVMValueRef kernel,
                         struct lower_map *seen)
{
    unsigned unused;
    if (lower_map_find(seen, buffer, &unused)) {
        return;
    }
    lower_map_put(seen, buffer, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(buffer); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) != NULL || LLVMIsAPHINode(user) != NULL) {
            check_buffer(pointers, user, kernel, seen);
        } else if (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 1) == buffer) {
            check_value(pointers, LLVMGetOperand(user, 0), true, user, kernel);
        } else if (is_transfer(user) && LLVMGetOperand(user, 0) == buffer) {
            LLVMValueRef source = LLVMGetOperand(user, 1);
            if (LLVMIsAAllocaInst(source) != NULL) {
                check_copied(pointers, source, user, kernel);
            }
        }
    }
}

static bool is_call_of(LLVMValueRef value, const char *name)
{
    LLVMValueRef callee = LLVMIsAInstruction(value) != NULL ? lower_callee(value) : NULL;
    return callee != NULL && str_equals(lower_name(callee), name);
}

/* In the first form the kernel and the buffer are operands of the launch. In the second form the
 * kernel is an operand of the call that returned the buffer, if that call is in the same
 * function. */
static void check_launch(struct pointers *pointers, LLVMValueRef call)
{
    bool is_second_form = str_equals(lower_name(lower_callee(call)), "cudaLaunchDeviceV2");
    LLVMValueRef buffer = LLVMGetOperand(call, is_second_form ? 0 : 1);
    LLVMValueRef kernel = LLVMGetOperand(call, 0);
    if (is_second_form) {
        kernel = is_call_of(buffer, "cudaGetParameterBufferV2") ? LLVMGetOperand(buffer, 0) : NULL;
    }
    struct lower_map seen = {.keys = NULL};
    if (LLVMIsAInstruction(buffer) != NULL) {
        check_buffer(pointers, buffer, kernel, &seen);
    }
}

/* Direct writes are errors, see lower/check.c. */
static void check_write(struct pointers *pointers, LLVMValueRef at)
{
    LLVMValueRef address = lower_written_address(at);
    struct lower_origins origins;
    if (address == NULL) {
        return;
    }
    lower_origins_find(&pointers->scope, address, &origins);
    if (origins.count != 1 || origins.others || origins.items[0].kind != LOWER_ORIGIN_CONSTANT) {
        return;
    }
    struct lower_variable variable = lower_origin_variable(&pointers->scope, &origins.items[0]);
    struct lower_place place = lower_place_of(at);
    const char *text = str_format("device code writes to %s through a pointer", variable.text);
    const char *key = str_format("%s:%u:%u:%s", place.file == NULL ? "" : place.file, place.line,
                                 place.column, text);
    if (is_new(&pointers->said, key) &&
        lower_warning(pointers->lower, WARNING_CONSTANT_WRITE, &place, "%s", text)) {
        note_calls(pointers->lower, at);
    }
}

/* One function of the copy, after inlining. */
static void check_function(struct pointers *pointers, LLVMValueRef function)
{
    lower_origin_enter(&pointers->scope, function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (is_launch(at)) {
                check_launch(pointers, at);
            } else {
                check_write(pointers, at);
            }
        }
    }
}

static bool any(const bool *wanted, size_t count)
{
    return count != 0 && memchr(wanted, true, count * sizeof *wanted) != NULL;
}

/* Without the warnings the pass costs nothing. */
static bool is_silent(const struct warnings *warnings)
{
    return !warning_is_on(warnings, WARNING_LOCAL_POINTER) &&
           !warning_is_on(warnings, WARNING_SHARED_POINTER) &&
           !warning_is_on(warnings, WARNING_CONSTANT_WRITE);
}

void lower_pointers(struct lower_context *lower)
{
    if (is_silent(&lower->options->warnings) || lower->errors != 0) {
        return;
    }
    struct lower_graph graph;
    lower_graph_build(lower, &graph);
    bool *wanted = find_wanted(lower, &graph);
    if (!any(wanted, graph.count)) {
        return;
    }
    LLVMModuleRef copy = make_copy(lower, &graph, wanted);
    if (copy == NULL) {
        return;
    }
    struct pointers pointers = {.lower = lower, .scope = {.lower = lower}};
    for (LLVMValueRef function = LLVMGetFirstFunction(copy); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function)) {
            check_function(&pointers, function);
        }
    }
    LLVMDisposeModule(copy);
}
