/* Host calls of the CUDA API whose results the program does not use, and host calls that access
 * memory.
 *
 * Only the compiler knows whether a program reads the result of a call. Before and after:
 *
 *     %e = call i32 @cudaFree(ptr %p)        %e = call i32 @cudaFree(ptr %p)
 *                                            call void (i32, ptr, ...) @cdp_abi_unread_call(
 *                                                i32 %e, ptr @"cudaFree", ptr %p)
 *
 * And memcpy, memmove and memset, which Clang's callbacks for loads and stores do not see: before
 * each
 *
 *     call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
 *
 * is a call of cdp_abi_host_access(%p, %n, 1), unless %p is a local variable.
 *
 * With the race check, a volatile or atomic load, which Clang's callbacks do not tell from a plain
 * one, has a call of cdp_abi_host_polls(%p) before it.
 *
 * The C++ overloads in cdpcc's headers are inlined before. So a call of an overload counts as a
 * call of its C function. */
#include "instrument/host_calls.h"

#include "ir/module.h"
#include "support/str.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
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

static bool is_local(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        address = LLVMGetOperand(address, 0);
    }
    return LLVMIsAAllocaInst(address) != NULL;
}

/* writes: 1 or 0. */
static void report_access(LLVMModuleRef module, LLVMValueRef call, unsigned operand,
                          unsigned writes)
{
    LLVMValueRef address = LLVMGetOperand(call, operand);
    if (is_local(address)) {
        return;
    }
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef words[] = {LLVMPointerTypeInContext(context, 0), LLVMInt64TypeInContext(context),
                           LLVMInt32TypeInContext(context)};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), words, 3, false);
    LLVMValueRef access = LLVMGetNamedFunction(module, "cdp_abi_host_access");
    if (access == NULL) {
        access = LLVMAddFunction(module, "cdp_abi_host_access", type);
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef size = LLVMBuildIntCast2(builder, LLVMGetOperand(call, 2), words[1], false, "");
    LLVMValueRef arguments[] = {address, size, LLVMConstInt(words[2], writes, 0)};
    LLVMValueRef report = LLVMBuildCall2(builder, type, access, arguments, 3, "");
    LLVMSetTailCallKind(report, LLVMTailCallKindNoTail); /* it has the call's line */
    LLVMInstructionSetDebugLoc(report, LLVMInstructionGetDebugLoc(call));
    LLVMDisposeBuilder(builder);
}

/* The calls of an intrinsic that copies or fills memory. */
static void visit_copies(LLVMModuleRef module, LLVMValueRef function)
{
    bool has_source = !str_starts(name_of(function), "llvm.memset.");
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        report_access(module, call, 0, 1);
        if (has_source) {
            report_access(module, call, 1, 0);
        }
    }
}

/* Whether others may write the memory at the same time. */
static bool is_poll(LLVMValueRef instruction)
{
    return LLVMIsALoadInst(instruction) != NULL && !is_local(LLVMGetOperand(instruction, 0)) &&
           (LLVMGetVolatile(instruction) ||
            LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic);
}

static void announce_poll(LLVMModuleRef module, LLVMValueRef load)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, false);
    LLVMValueRef address = LLVMGetOperand(load, 0);
    LLVMValueRef function = LLVMGetNamedFunction(module, "cdp_abi_host_polls");
    if (function == NULL) {
        function = LLVMAddFunction(module, "cdp_abi_host_polls", type);
    }
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, load);
    LLVMValueRef call = LLVMBuildCall2(builder, type, function, &address, 1, "");
    LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(load));
    LLVMDisposeBuilder(builder);
}

static void visit_polls(LLVMModuleRef module, LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (is_poll(at)) {
                announce_poll(module, at);
            }
        }
    }
}

/* After this the optimizer does not merge stores to a memset, which nothing would report. */
static void keep_stores(LLVMModuleRef module, LLVMValueRef function)
{
    static const char name[] = "no-builtin-memset";
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(LLVMGetModuleContext(module), name, sizeof name - 1, "", 0);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

void instrument_host_module(LLVMModuleRef module, const struct checks *checks)
{
    module_run_passes(module, "always-inline", NULL);
    bool accesses = checks->on[CHECK_MEMORY] || checks->on[CHECK_RACE];
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
        const char *name = name_of(f);
        if (accesses && !LLVMIsDeclaration(f)) {
            keep_stores(module, f);
        }
        if (checks->on[CHECK_RACE]) {
            visit_polls(module, f);
        }
        if (checks->on[CHECK_API] && returns_error(f)) {
            visit_calls(module, f);
        } else if (accesses &&
                   (str_starts(name, "llvm.memcpy.") || str_starts(name, "llvm.memmove.") ||
                    str_starts(name, "llvm.memset."))) {
            visit_copies(module, f);
        }
    }
}

int instrument_host_calls(const struct checks *checks, const char *input, const char *output)
{
    LLVMModuleRef module = module_load(input);
    if (module == NULL) {
        return 1;
    }
    instrument_host_module(module, checks);
    int failed = module_verify(module, "on the host side") || module_write_bitcode(module, output);
    module_dispose(module);
    return failed;
}
