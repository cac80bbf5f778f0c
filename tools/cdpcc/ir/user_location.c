/* Where messages and reports point to in the user's source.
 *
 * atomicCAS() is a function of cdpcc's headers. The remark on a loop that waits by it points to the
 * line of the call:
 *
 *     spin.cu:7           while (atomicCAS(lock, 0, 1)) {}         <- this line, in atomicCAS
 *     cdp/atomic.h:78     return __atomic_compare_exchange(...);   inlined at spin.cu:7 */
#include "ir/user_location.h"

#include "ir/debug_info.h"
#include "ir/report.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static bool is_own_header(const char *file)
{
    return file != NULL && strstr(file, "/include/cdpcc/") != NULL;
}

LLVMMetadataRef lower_function_at(const struct lower_context *lower, LLVMMetadataRef location)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    while (scope != NULL && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        scope = lower_scope_parent(lower, scope);
    }
    return scope;
}

LLVMMetadataRef lower_user_debug_location(const struct lower_context *lower, LLVMValueRef at,
                                          const char **call)
{
    LLVMMetadataRef debug = at == NULL ? NULL : LLVMInstructionGetDebugLoc(at);
    *call = NULL;
    while (debug != NULL && is_own_header(lower_place_at(debug).file)) {
        LLVMMetadataRef function = lower_function_at(lower, debug);
        *call = function == NULL ? *call : lower_node_name(lower, function);
        debug = LLVMDILocationGetInlinedAt(debug);
    }
    return debug;
}

struct lower_place lower_user_location(const struct lower_context *lower, LLVMValueRef at,
                                       const char **call)
{
    LLVMMetadataRef debug = lower_user_debug_location(lower, at, call);
    return debug == NULL ? (struct lower_place){.file = NULL} : lower_place_at(debug);
}

LLVMValueRef lower_with_line(LLVMValueRef at)
{
    while (at != NULL && LLVMGetDebugLocLine(at) == 0) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}
