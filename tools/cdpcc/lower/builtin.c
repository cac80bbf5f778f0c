/* Replaces threadIdx and the like by loads from the thread's context, and the barrier that the
 * front end knows by name by the runtime's barrier.
 *
 * The device headers declare the getters without a body.
 *
 * Source:
 *
 *     int i = blockIdx.x * blockDim.x + threadIdx.x;
 *
 * The front end turns each property into a call of a getter, for example of @__cdp_threadIdx_x.
 * After the pass such a call is a load through the thread-local pointer of the runtime:
 *
 *     %cdp.self = load ptr, ptr @cdp_abi_self, !invariant.load !0
 *     %field = getelementptr inbounds i8, ptr %cdp.self, i64 OFFSET
 *     %x = load i32, ptr %field, !range !{i32 0, i32 1024}, !invariant.load !0
 *
 * blockIdx, blockDim and gridDim need one more load, of the thread's block. A thread's context
 * does not change while the thread runs. So the loads are invariant, and the optimizer computes
 * each of them once. The ranges are CUDA's limits of launches; with them the optimizer knows that
 * an index is not negative.
 *
 * The pass runs after ptx, which also emits calls of getters, and before the vectorizer, which
 * recognizes the loads by their offsets. */
#include "ir/value.h"
#include "lower/passes.h"
#include "support/arena.h"

#include "abi/cdp_abi.h"

#include <string.h>

/* The struct that has the value: that of the running thread, or that of its block. */
enum context { CONTEXT_THREAD, CONTEXT_BLOCK };

#define THREAD(field, index) CONTEXT_THREAD, offsetof(struct cdp_abi_thread, field) + 4 * (index)
#define BLOCK(field, index) CONTEXT_BLOCK, offsetof(struct cdp_abi_block, field) + 4 * (index)

/* One row for each function without a body in the device headers. offset is the position of an
 * unsigned 32-bit field of the context, in bytes. */
static const struct getter {
    const char *name;
    enum context context;
    size_t offset;
    uint64_t low, high; /* values it can have: low <= value < high */
} getters[] = {
    {"__cdp_threadIdx_x", THREAD(thread_idx, 0), 0, 1024},
    {"__cdp_threadIdx_y", THREAD(thread_idx, 1), 0, 1024},
    {"__cdp_threadIdx_z", THREAD(thread_idx, 2), 0, 64},
    {"__cdp_blockIdx_x", BLOCK(block_idx, 0), 0, 0x7fffffff},
    {"__cdp_blockIdx_y", BLOCK(block_idx, 1), 0, 65535},
    {"__cdp_blockIdx_z", BLOCK(block_idx, 2), 0, 65535},
    {"__cdp_blockDim_x", BLOCK(block_dim, 0), 1, 1025},
    {"__cdp_blockDim_y", BLOCK(block_dim, 1), 1, 1025},
    {"__cdp_blockDim_z", BLOCK(block_dim, 2), 1, 65},
    {"__cdp_gridDim_x", BLOCK(grid_dim, 0), 1, 0x80000000},
    {"__cdp_gridDim_y", BLOCK(grid_dim, 1), 1, 65536},
    {"__cdp_gridDim_z", BLOCK(grid_dim, 2), 1, 65536},
    {"__cdp_dynamic_smem_size", BLOCK(dynamic_shared_size, 0), 0, 0x80000000},
};

/* Objects that exist only as the "this" of the getters. */
static const char *const objects[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

static LLVMValueRef load_field(struct lower_context *lower, LLVMBuilderRef builder,
                               const struct getter *getter)
{
    LLVMValueRef base = getter->context == CONTEXT_THREAD ? lower_self(lower, builder)
                                                          : lower_block(lower, builder);
    LLVMValueRef field = lower_field(lower, builder, base, getter->offset, "");
    LLVMValueRef value = lower_load_const(lower, builder, lower->types.i32, field, "");
    LLVMMetadataRef bounds[] = {
        LLVMValueAsMetadata(LLVMConstInt(lower->types.i32, getter->low, 0)),
        LLVMValueAsMetadata(LLVMConstInt(lower->types.i32, getter->high, 0)),
    };
    LLVMMetadataRef range = LLVMMDNodeInContext2(lower->llvm, bounds, 2);
    LLVMSetMetadata(value, LLVMGetMDKindIDInContext(lower->llvm, "range", 5),
                    LLVMMetadataAsValue(lower->llvm, range));
    return value;
}

/* The number of the thread in its block. x is the fastest dimension. */
static LLVMValueRef load_linear(struct lower_context *lower, LLVMBuilderRef builder)
{
    const struct getter linear = {NULL, THREAD(linear, 0), 0, 1024};
    return load_field(lower, builder, &linear);
}

/* PTX's %total_smem_size: the kernel's static shared memory, which is in the kernel's descriptor,
 * and the dynamic part of this launch, in units of 128 bytes, as a GPU allots it. */
static LLVMValueRef total_shared(struct lower_context *lower, LLVMBuilderRef builder)
{
    const struct getter dynamic = {NULL, BLOCK(dynamic_shared_size, 0), 0, 0x80000000};
    LLVMValueRef block = lower_block(lower, builder);
    LLVMValueRef field =
        lower_field(lower, builder, block, offsetof(struct cdp_abi_block, kernel), "");
    LLVMValueRef kernel = lower_load_const(lower, builder, lower->types.ptr, field, "");
    field = lower_field(lower, builder, kernel, offsetof(struct cdp_abi_kernel, shared_size), "");
    LLVMValueRef size = lower_load_const(lower, builder, lower->types.i32, field, "");
    const unsigned unit = 128;
    size = LLVMBuildAdd(builder, size, load_field(lower, builder, &dynamic), "");
    size = LLVMBuildAdd(builder, size, LLVMConstInt(lower->types.i32, unit - 1, 0), "");
    return LLVMBuildAnd(builder, size, LLVMConstInt(lower->types.i32, -(uint64_t)unit, 1), "");
}

/* The start of the block's shared memory, as a number. */
static LLVMValueRef shared_base(struct lower_context *lower, LLVMBuilderRef builder)
{
    LLVMValueRef block = lower_block(lower, builder);
    LLVMValueRef field =
        lower_field(lower, builder, block, offsetof(struct cdp_abi_block, shared), "");
    LLVMValueRef shared = lower_load_const(lower, builder, lower->types.ptr, field, "");
    return LLVMBuildPtrToInt(builder, shared, lower->types.i64, "");
}

/* The value that replaces a call of the named function, or NULL to keep the call. */
static LLVMValueRef replacement(struct lower_context *lower, LLVMBuilderRef builder,
                                const char *name)
{
    for (size_t i = 0; i < sizeof getters / sizeof *getters; i++) {
        if (strcmp(name, getters[i].name) == 0) {
            return load_field(lower, builder, &getters[i]);
        }
    }
    LLVMValueRef warp = LLVMConstInt(lower->types.i32, 32, 0);
    if (strcmp(name, "__cdp_laneid") == 0) {
        return LLVMBuildURem(builder, load_linear(lower, builder), warp, "");
    }
    if (strcmp(name, "__cdp_warpid") == 0) {
        return LLVMBuildUDiv(builder, load_linear(lower, builder), warp, "");
    }
    if (strcmp(name, "__cdp_total_smem_size") == 0) {
        return total_shared(lower, builder);
    }
    if (strcmp(name, "__cdp_shared_base") == 0) {
        return shared_base(lower, builder);
    }
    return NULL;
}

static void call_barrier(struct lower_context *lower, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMFunctionType(lower->types.none, NULL, 0, 0);
    LLVMValueRef barrier = lower_runtime(lower, "cdp_abi_syncthreads", type);
    LLVMBuilderRef builder = lower_builder_before(lower, call);
    LLVMBuildCall2(builder, type, barrier, NULL, 0, "");
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(call);
}

/* A function with a body is the program's own, even if its name begins like a getter's. So only
 * declarations are replaced. */
static void lower_call(struct lower_context *lower, LLVMValueRef at)
{
    LLVMValueRef callee = lower_callee(at);
    if (callee == NULL || !LLVMIsDeclaration(callee)) {
        return;
    }
    const char *name = lower_name(callee);
    if (strncmp(name, "llvm.nvvm.barrier.cta.sync.aligned.all", 38) == 0) {
        call_barrier(lower, at);
        return;
    }
    if (strncmp(name, "__cdp_", 6) != 0) {
        return;
    }
    LLVMBuilderRef builder = lower_builder_before(lower, at);
    LLVMValueRef value = replacement(lower, builder, name);
    LLVMDisposeBuilder(builder);
    if (value != NULL) {
        LLVMReplaceAllUsesWith(at, value);
        LLVMInstructionEraseFromParent(at);
    }
}

/* A null "this" would be undefined behaviour, even in a getter that ignores it. */
static void drop_objects(struct lower_context *lower)
{
    LLVMValueRef stand_in = NULL;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        LLVMValueRef object = LLVMGetNamedGlobal(lower->module, objects[i]);
        if (object == NULL || !LLVMIsDeclaration(object)) {
            continue;
        }
        if (stand_in == NULL) {
            LLVMTypeRef type = LLVMArrayType2(lower->types.i8, 16);
            stand_in = LLVMAddGlobal(lower->module, type, "cdp.this");
            LLVMSetInitializer(stand_in, LLVMConstNull(type));
            LLVMSetLinkage(stand_in, LLVMPrivateLinkage);
            LLVMSetGlobalConstant(stand_in, 1);
            LLVMSetAlignment(stand_in, 16);
        }
        LLVMReplaceAllUsesWith(object, stand_in);
        LLVMDeleteGlobal(object);
    }
}

void lower_builtin(struct lower_context *lower)
{
    lower_each_instruction(lower, lower_call);
    drop_objects(lower);
}
