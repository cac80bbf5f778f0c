/* The list of local variables.
 *
 * While there is debug information, a pass gives stack slots the names of the source's variables.
 * The optimizer keeps the names. The variables that it leaves on the stack, and whose address
 * escapes, are listed just before the instruction that lets the address escape: there the function
 * certainly has its frame. In functions with a stack protector, arrays are listed too, at the
 * function's return.
 *
 * Example: int x; f(&x); with debug information (%x is %"local variable 'x'"):
 *
 *     %x = alloca i32
 *     call void asm sideeffect "... .pushsection cdp_locals ... .asciz \22$0\22 ...", "*m"(ptr %x)
 *     call void @f(ptr %x)
 *
 * The operand $0 is printed as the address in the frame, for example "12(%rsp)". A row also has
 * the position in the code, relative to itself, the size and the text. The runtime unwinds a
 * stack, finds the frame by the position, and so the variable by its address. */
#include "backend/local_variables.h"

#include "backend/canary.h"
#include "ir/debug_info.h"
#include "ir/value.h"
#include "lower/origin.h"
#include "support/str.h"

#include <string.h>

static const char prefix[] = "local variable '";

/* ---- Names ---- */

/* Only slots that a debug record declares; temporaries have no name. */
static void name_slots(struct lower_context *lower, LLVMValueRef function)
{
    struct lower_origin_scope scope = {.lower = lower};
    lower_origin_enter(&scope, function);
    for (size_t i = 0; i < scope.count; i++) {
        LLVMValueRef slot = LLVMDbgVariableRecordGetValue(scope.records[i], 0);
        LLVMMetadataRef variable = LLVMDbgVariableRecordGetVariable(scope.records[i]);
        const char *name = lower_node_name(lower, variable);
        if (LLVMIsAAllocaInst(slot) != NULL && *name != '\0') {
            const char *text = str_format("%s%s'", prefix, name);
            LLVMSetValueName2(slot, text, strlen(text));
        }
    }
}

void lower_locals(struct lower_context *lower)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(lower->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function)) {
            name_slots(lower, function);
        }
    }
}

/* ---- Order ---- */

/* Slots of a fixed size move to the start of the function, with their names. */
static void move_slots(struct lower_context *lower, LLVMValueRef function)
{
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), next;
    while (LLVMIsAAllocaInst(at) != NULL) {
        at = LLVMGetNextInstruction(at);
    }
    LLVMBuilderRef builder = lower_builder_before(lower, at);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    for (; at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        if (LLVMIsAAllocaInst(at) != NULL && LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL) {
            const char *name = str_format("%s", lower_name(at));
            LLVMInstructionRemoveFromParent(at);
            LLVMInsertIntoBuilderWithName(builder, at, name);
        }
    }
    LLVMDisposeBuilder(builder);
}

void lower_locals_first(LLVMModuleRef module)
{
    struct lower_context lower = {.llvm = LLVMGetModuleContext(module), .module = module};
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function)) {
            move_slots(&lower, function);
        }
    }
}

/* ---- Which are listed ---- */

/* The name without the suffix of the optimizer; NULL if the pass did not name the slot. */
static const char *text_of(LLVMValueRef slot)
{
    const char *name = lower_name(slot);
    const char *end = strrchr(name, '\'');
    if (!str_starts(name, prefix) || end < name + strlen(prefix)) {
        return NULL;
    }
    return str_copy(name, (size_t)(end + 1 - name));
}

/* The slots of a function get the names of the source. */
static void restore_names(LLVMValueRef function)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        const char *text = LLVMIsAAllocaInst(at) != NULL ? text_of(at) : NULL;
        if (text != NULL) {
            size_t length = strlen(text) - strlen(prefix) - 1;
            LLVMSetValueName2(at, text + strlen(prefix), length);
        }
    }
}

void lower_locals_restore(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function)) {
            restore_names(function);
        }
    }
}

/* ---- Where an address goes ---- */

static bool is_captured_by_call(LLVMValueRef call, LLVMValueRef address)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("captures", 8);
    LLVMValueRef callee = lower_callee(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetOperand(call, i) != address) {
            continue;
        }
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
        if (attribute == NULL && callee != NULL && i < LLVMCountParams(callee)) {
            attribute = LLVMGetEnumAttributeAtIndex(callee, i + 1, kind);
        }
        if (attribute == NULL || LLVMGetEnumAttributeValue(attribute) != 0) {
            return true;
        }
    }
    return false;
}

static bool is_captured_by(LLVMValueRef user, LLVMValueRef address)
{
    if (LLVMIsALoadInst(user) != NULL || LLVMIsAICmpInst(user) != NULL) {
        return false;
    }
    if (LLVMIsAStoreInst(user) != NULL) {
        return LLVMGetOperand(user, 0) == address;
    }
    if (LLVMIsAAtomicRMWInst(user) != NULL || LLVMIsAAtomicCmpXchgInst(user) != NULL) {
        return LLVMGetOperand(user, 0) != address;
    }
    if (LLVMIsACallInst(user) != NULL || LLVMIsAInvokeInst(user) != NULL) {
        return LLVMIsAIntrinsicInst(user) == NULL && is_captured_by_call(user, address);
    }
    return LLVMIsAInstruction(user) != NULL;
}

/* An instruction that lets the address escape, or an address computed from it; NULL if there is
 * none.
 *
 * The first capture that is found is enough: the row describes the frame, not the instruction. */
static LLVMValueRef find_capture(LLVMValueRef address, struct lower_map *seen)
{
    unsigned unused;
    if (lower_map_find(seen, address, &unused)) {
        return NULL;
    }
    lower_map_put(seen, address, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), found = NULL;
        bool is_address = LLVMIsAGetElementPtrInst(user) != NULL || LLVMIsAPHINode(user) != NULL ||
                          LLVMIsASelectInst(user) != NULL || LLVMIsAFreezeInst(user) != NULL;
        if (is_address) {
            found = find_capture(user, seen);
        } else if (is_captured_by(user, address)) {
            found = user;
        }
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* ---- The list ---- */

/* An instruction's text, escaped: '$' starts an operand in inline assembly. */
static const char *escaped(const char *text)
{
    const char *result = "";
    for (; *text != '\0'; text++) {
        result = str_format("%s%c%s", result, *text, *text == '$' ? "$" : "");
    }
    return result;
}

/* '?' puts the entry into the COMDAT group of the function, if it has one: the linker keeps or
 * drops both. */
static const char *row_text(const char *variable, uint64_t size)
{
    return str_format("77:\n"
                      "\t.pushsection cdp_locals,\"a?\",@progbits\n"
                      "\t.long 77b-.\n"
                      "\t.long %llu\n"
                      "\t.asciz \"$0\"\n"
                      "\t.asciz \"%s\"\n"
                      "\t.popsection",
                      (unsigned long long)size, escaped(variable));
}

static void list_slot(struct lower_context *lower, LLVMValueRef slot, const char *variable,
                      LLVMValueRef before)
{
    static const char constraints[] = "*m";
    LLVMTypeRef contents = LLVMGetAllocatedType(slot);
    uint64_t size = LLVMABISizeOfType(lower->layout, lower_slot_type(slot)) *
                    LLVMConstIntGetZExtValue(LLVMGetOperand(slot, 0));
    const char *text = row_text(variable, size);
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, &lower->types.ptr, 1, 0);
    LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints),
                                         true, false, LLVMInlineAsmDialectATT, false);
    LLVMBuilderRef builder = lower_builder_before(lower, before);
    /* Without a line. The first data after the mark of a line takes the mark into its own section,
     * and the code of the line would have no mark. */
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef call = LLVMBuildCall2(builder, type, code, &slot, 1, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
    LLVMAddCallSiteAttribute(call, 1, LLVMCreateTypeAttribute(lower->llvm, kind, contents));
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(lower->llvm, nounwind, 0));
    LLVMDisposeBuilder(builder);
}

/* NULL if the function never returns. */
static LLVMValueRef first_return(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsAReturnInst(last) != NULL) {
            return last;
        }
    }
    return NULL;
}

/* Slots at a fixed place: those that are allocated at the function's start, with a fixed size. */
static void list_function(struct lower_context *lower, LLVMValueRef function)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        bool is_slot =
            LLVMIsAAllocaInst(at) != NULL && LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL;
        const char *variable = is_slot ? text_of(at) : NULL;
        struct lower_map seen = {.keys = NULL};
        LLVMValueRef capture = variable == NULL ? NULL : find_capture(at, &seen);
        if (variable != NULL && capture == NULL && lower_canary_is_array(at) &&
            lower_canary_guards(function)) {
            capture = first_return(function); /* for the report of its overrun */
        }
        if (capture != NULL) {
            list_slot(lower, at, variable, capture);
        }
    }
}

/* The context only serves the helpers. */
void lower_locals_list(LLVMModuleRef module)
{
    LLVMContextRef llvm = LLVMGetModuleContext(module);
    struct lower_context lower = {.llvm = llvm,
                                  .module = module,
                                  .layout = LLVMGetModuleDataLayout(module),
                                  .types.ptr = LLVMPointerTypeInContext(llvm, 0),
                                  .types.none = LLVMVoidTypeInContext(llvm)};
    if (!str_starts(LLVMGetTarget(module), "x86_64")) {
        return; /* the runtime can unwind the stacks of this processor only */
    }
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function)) {
            list_function(&lower, function);
        }
    }
}
