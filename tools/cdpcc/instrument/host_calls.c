/* Host calls of the CUDA API whose results the program does not use.
 *
 * Only the compiler knows whether a program reads the result of a call. Before and after:
 *
 *     %e = call i32 @cudaFree(ptr %p)        %e = call i32 @cudaFree(ptr %p)
 *                                            call void (i32, ptr, ...) @cdp_abi_unread_call(
 *                                                i32 %e, ptr @"cudaFree", ptr %p)
 *
 * The C++ overloads in cdpcc's headers are inlined before. So a call of an overload counts as a
 * call of its C function. */
#include "instrument/host_calls.h"

#include "ir/module.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_ARGUMENTS = 12 };

static const char *name_of(LLVMValueRef value)
{
    size_t length;
    return LLVMGetValueName2(value, &length);
}

/* A function of the API that returns an error. Those that only query errors are left out. */
static bool returns_error(LLVMValueRef function)
{
    const char *name = name_of(function);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    return LLVMIsDeclaration(function) && str_starts(name, "cuda") &&
           LLVMGetTypeKind(result) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(result) == 32 &&
           !str_equals(name, "cudaGetLastError") && !str_equals(name, "cudaPeekAtLastError");
}

/* A kernel's stub calls cudaLaunchKernel for <<<>>>, which returns nothing. The runtime knows these
 * launches. */
static bool is_in_stub(LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    return strstr(name_of(function), "__device_stub__") != NULL;
}

/* The arguments before the first one that is a struct or a floating-point number: these have other
 * forms in a list of variable length. */
static unsigned plain_arguments(LLVMValueRef call, LLVMValueRef *out)
{
    static const char by_value[] = "byval";
    unsigned kind = LLVMGetEnumAttributeKindForName(by_value, sizeof by_value - 1);
    unsigned count = LLVMGetNumArgOperands(call), used = 0;
    while (used < count && used < MOST_ARGUMENTS) {
        LLVMValueRef argument = LLVMGetOperand(call, used);
        LLVMTypeRef type = LLVMTypeOf(argument);
        bool is_word = LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
                       (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
                        (LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64));
        if (!is_word || LLVMGetCallSiteEnumAttribute(call, used + 1, kind) != NULL) {
            break;
        }
        out[used++] = argument;
    }
    return used;
}

/* Places the builder after the call. An invoke gets a new block for its normal result. False if
 * that is not possible. */
static bool place_after(LLVMBuilderRef builder, LLVMValueRef call)
{
    if (LLVMIsAInvokeInst(call) == NULL) {
        LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(call));
        return true;
    }
    LLVMBasicBlockRef normal = LLVMGetNormalDest(call);
    if (LLVMIsAPHINode(LLVMGetFirstInstruction(normal)) != NULL) {
        return false;
    }
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(context, normal, "cdp.unread");
    LLVMSetNormalDest(call, block);
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMPositionBuilderBefore(builder, LLVMBuildBr(builder, normal));
    return true;
}

static LLVMValueRef declare(LLVMModuleRef module, LLVMTypeRef *type)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef words[] = {LLVMInt32TypeInContext(context), LLVMPointerTypeInContext(context, 0)};
    *type = LLVMFunctionType(LLVMVoidTypeInContext(context), words, 2, true);
    LLVMValueRef function = LLVMGetNamedFunction(module, "cdp_abi_unread_call");
    return function != NULL ? function : LLVMAddFunction(module, "cdp_abi_unread_call", *type);
}

static void report_result(LLVMModuleRef module, LLVMValueRef call, LLVMValueRef callee)
{
    LLVMTypeRef type;
    LLVMValueRef words[2 + MOST_ARGUMENTS], unread = declare(module, &type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    if (place_after(builder, call)) {
        words[0] = call;
        words[1] = LLVMBuildGlobalString(builder, name_of(callee), "cdp.call");
        unsigned count = plain_arguments(call, words + 2);
        LLVMValueRef report = LLVMBuildCall2(builder, type, unread, words, 2 + count, "");
        LLVMSetTailCallKind(report, LLVMTailCallKindNoTail); /* it has the call's line */
        LLVMInstructionSetDebugLoc(report, LLVMInstructionGetDebugLoc(call));
    }
    LLVMDisposeBuilder(builder);
}

/* Handles the calls of one function. */
static void visit_calls(LLVMModuleRef module, LLVMValueRef function)
{
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        bool is_call = LLVMIsACallInst(user) != NULL || LLVMIsAInvokeInst(user) != NULL;
        if (is_call && LLVMGetCalledValue(user) == function && LLVMGetFirstUse(user) == NULL &&
            !is_in_stub(user)) {
            report_result(module, user, function);
        }
    }
}

void instrument_host_module(LLVMModuleRef module)
{
    LLVMPassBuilderOptionsRef settings = LLVMCreatePassBuilderOptions();
    LLVMConsumeError(LLVMRunPasses(module, "always-inline", NULL, settings));
    LLVMDisposePassBuilderOptions(settings);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        if (returns_error(f)) {
            visit_calls(module, f);
        }
    }
}

int instrument_host_calls(const char *input, const char *output)
{
    LLVMModuleRef module = module_load(input);
    if (module == NULL) {
        return 1;
    }
    instrument_host_module(module);
    int failed = module_verify(module, "on the host side") || module_write_bitcode(module, output);
    module_dispose(module);
    return failed;
}
