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
        .ptr = LLVMPointerTypeInContext(llvm, 0),
        .i1 = LLVMInt1TypeInContext(llvm),
        .i8 = LLVMInt8TypeInContext(llvm),
        .i32 = LLVMInt32TypeInContext(llvm),
        .i64 = LLVMInt64TypeInContext(llvm),
        .void_type = LLVMVoidTypeInContext(llvm),
    };
}
