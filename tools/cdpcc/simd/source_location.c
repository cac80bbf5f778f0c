/* Where remarks point to in the user's source.
 *
 * atomicCAS() is a function of cdpcc's headers. The remark on a loop that waits by it points to the
 * line of the call:
 *
 *     spin.cu:7           while (atomicCAS(lock, 0, 1)) {}         <- this line, in atomicCAS
 *     cdp/atomic.h:78     return __atomic_compare_exchange(...);   inlined at spin.cu:7 */
#include "simd/source_location.h"

#include "ir/debug_info.h"
#include "ir/report.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

static bool is_own_header(const char *file)
{
    return file != NULL && strstr(file, "/include/cdpcc/") != NULL;
}

struct lower_place simd_user_location(const struct lower_context *lower, LLVMValueRef at,
                                      const char **call)
{
    LLVMMetadataRef debug = at == NULL ? NULL : LLVMInstructionGetDebugLoc(at);
    struct lower_place location = lower_place_at(debug);
    *call = NULL;
    while (debug != NULL && is_own_header(location.file)) {
        LLVMMetadataRef scope = LLVMDILocationGetScope(debug);
        while (scope != NULL && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
            scope = lower_scope_parent(lower, scope);
        }
        *call = scope == NULL ? *call : lower_node_name(lower, scope);
        debug = LLVMDILocationGetInlinedAt(debug);
        location = debug == NULL ? (struct lower_place){.file = NULL} : lower_place_at(debug);
    }
    return location;
}

LLVMValueRef simd_with_line(LLVMValueRef at)
{
    while (at != NULL && LLVMGetDebugLocLine(at) == 0) {
        at = LLVMGetNextInstruction(at);
    }
    return at;
}
