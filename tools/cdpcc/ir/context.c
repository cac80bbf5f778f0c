/* A context with no tables yet. */
#include "ir/context.h"

void lower_context_init(struct lower_context *lower, const struct lower_options *options,
                        LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    LLVMContextRef llvm = LLVMGetModuleContext(module);
    *lower = (struct lower_context){
        .options = options,
        .llvm = llvm,
        .module = module,
        .machine = machine,
        .layout = LLVMCreateTargetDataLayout(machine),
        .types.ptr = LLVMPointerTypeInContext(llvm, 0),
        .types.i1 = LLVMInt1TypeInContext(llvm),
        .types.i8 = LLVMInt8TypeInContext(llvm),
        .types.i32 = LLVMInt32TypeInContext(llvm),
        .types.i64 = LLVMInt64TypeInContext(llvm),
        .types.none = LLVMVoidTypeInContext(llvm),
    };
}
