/* Marks the stores that the plan selects as nontemporal (plan/nontemporal.c).  post/nontemporal.c
 * makes them nontemporal after the optimizer has run. */
#include "simd/emit/nontemporal.h"

#include "ir/context.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/ir/kernel.h"
#include "simd/post/nontemporal.h"

#include <string.h>

static unsigned number_of(LLVMContextRef llvm, const char *name)
{
    return LLVMGetMDKindIDInContext(llvm, name, (unsigned)strlen(name));
}

void simd_announce_nontemporal(struct simd_emit *emit)
{
    if (emit->kernel->nontemporal_bytes != 0) {
        LLVMMetadataRef bytes = LLVMValueAsMetadata(
            simd_int(emit->lower->types.i64, (int64_t)emit->kernel->nontemporal_bytes));
        LLVMGlobalSetMetadata(emit->function, number_of(emit->lower->llvm, SIMD_NONTEMPORAL_MARK),
                              LLVMMDNodeInContext2(emit->lower->llvm, &bytes, 1));
    }
}

void simd_mark_nontemporal(struct simd_emit *emit, LLVMValueRef result)
{
    LLVMContextRef llvm = emit->lower->llvm;
    emit->code.has_nontemporal = true;
    LLVMSetMetadata(result, number_of(llvm, SIMD_NONTEMPORAL_MARK),
                    LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, NULL, 0)));
}
