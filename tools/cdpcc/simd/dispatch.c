/* The choice of a version at launch.
 *
 * All blocks of a grid have one size, but the choice is made for each call; it takes a few
 * comparisons. A call may run several blocks one after the other (`traits.range`). If the kernel
 * launches or prints, the call ends after the first block that did: the runtime then records what
 * that block has launched, and runs the other blocks by further calls.
 *
 * What is built for a kernel with two known sizes and a general version:
 *
 *     i32 cdp.block.k(params, block, count)
 *         if (threads < fewest || grid.x * block.x > most threads || n > limit) return 0;
 *         if (block is 256 x 1 x 1) { cdp.fixed1.k(...); return count; }
 *         if (block is 128 x 1 x 1) { cdp.fixed2.k(...); return count; }
 *         if (block is one row && threads <= most) { cdp.one_row.k(...); return count; }
 *         return 0;
 *
 * For a kernel that launches:
 *
 *         block->has_called = 0;
 *         x = first;
 *         do { cdp.one_row.k(..., x); x++; } while (x != first + count && !block->has_called);
 *         return x - first;
 *
 * With versions for launches in which a parameter is 1 (prepare/unit_strides.c):
 *
 *         if (incx == 1) {
 *             if (block is 256 x 1 x 1) { cdp.unit_fixed1.k(...); return count; }
 *         }
 *         if (block is 256 x 1 x 1) { cdp.fixed1.k(...); return count; }
 *
 * The result is the number of blocks that have been run; 0 tells the runtime to run the block by
 * thread entries. The first suitable version is taken, so the order of versions matters
 * (versions.c). */
#include "simd/dispatch.h"

#include "abi/cdp_abi.h"
#include "ir/context.h"
#include "ir/value.h"
#include "lower/kernel.h"
#include "simd/emit/function.h"
#include "simd/ir/kernel.h"
#include "simd/ir/symbolic_stride.h"
#include "simd/ir/variant.h"
#include "simd/post/nontemporal.h"
#include "simd/prepare/bounded_indices.h"
#include "simd/prepare/launch_values.h"
#include "simd/versions.h"
#include "support/str.h"

#include <llvm-c/Comdat.h>

/* The dispatcher being built.  Lives as long as simd_build_dispatch(). */
struct dispatch {
    struct lower_context *lower;
    const struct simd_kernel *kernel; /* of the alternative being built */
    bool has_nontemporal;             /* some version of it has nontemporal stores */
    LLVMBuilderRef builder;
    LLVMValueRef function, block;
    LLVMBasicBlockRef refuse; /* what follows if the alternative does not suit the launch */
};

/* A field of the block's record that does not change during the launch. */
static LLVMValueRef word(struct dispatch *dispatch, size_t offset)
{
    LLVMValueRef at = lower_field(dispatch->lower, dispatch->builder, dispatch->block, offset, "");
    return lower_load_const(dispatch->lower, dispatch->builder, dispatch->lower->types.i32, at, "");
}

/* Continues if the condition holds; otherwise the block runs by thread entries. */
static void require(struct dispatch *dispatch, LLVMValueRef condition, LLVMBasicBlockRef otherwise)
{
    LLVMBasicBlockRef next =
        LLVMAppendBasicBlockInContext(dispatch->lower->llvm, dispatch->function, "");
    LLVMBuildCondBr(dispatch->builder, condition, next, otherwise);
    LLVMPositionBuilderAtEnd(dispatch->builder, next);
}

/* The number of the grid's threads in a dimension, i64. */
static LLVMValueRef build_extent(struct dispatch *dispatch, unsigned dimension, uint64_t factor)
{
    LLVMBuilderRef b = dispatch->builder;
    LLVMTypeRef i32 = dispatch->lower->types.i32, i64 = dispatch->lower->types.i64;
    size_t before = dimension * sizeof(uint32_t);
    LLVMValueRef grid = word(dispatch, offsetof(struct cdp_abi_block, grid_dim) + before);
    LLVMValueRef size = word(dispatch, offsetof(struct cdp_abi_block, block_dim) + before);
    if (factor != 0) {
        LLVMValueRef constant = LLVMConstInt(i32, factor, 0);
        LLVMValueRef is_larger = LLVMBuildICmp(b, LLVMIntUGT, size, constant, "");
        size = LLVMBuildSelect(b, is_larger, size, constant, "");
    }
    return LLVMBuildNUWMul(b, LLVMBuildZExt(b, grid, i64, ""), LLVMBuildZExt(b, size, i64, ""), "");
}

/* Small blocks gain nothing. Indices must be below 2^31, because shapes rely on that. Products of
 * indices may have a lower limit (prepare/bounded_indices.c). */
static void require_size(struct dispatch *dispatch)
{
    struct lower_context *lower = dispatch->lower;
    LLVMBuilderRef b = dispatch->builder;
    LLVMValueRef threads = word(dispatch, offsetof(struct cdp_abi_block, thread_count));
    LLVMValueRef fewest = LLVMConstInt(lower->types.i32, CDP_ABI_FEWEST_AT_ONCE, 0);
    require(dispatch, LLVMBuildICmp(b, LLVMIntUGE, threads, fewest, ""), dispatch->refuse);
    LLVMValueRef all = build_extent(dispatch, 0, dispatch->kernel->conditions.block_factor);
    uint64_t most = dispatch->kernel->conditions.most_threads;
    most = most == 0 || most > SIMD_MOST_INDEX ? SIMD_MOST_INDEX : most;
    LLVMValueRef bound = LLVMConstInt(lower->types.i64, most, 0);
    require(dispatch, LLVMBuildICmp(b, LLVMIntULE, all, bound, ""), dispatch->refuse);
}

static LLVMValueRef build_parameter(struct dispatch *dispatch, uint64_t offset, LLVMTypeRef type)
{
    LLVMValueRef params = LLVMGetParam(dispatch->function, 0);
    LLVMValueRef at = lower_field(dispatch->lower, dispatch->builder, params, offset, "");
    LLVMValueRef load = LLVMBuildLoad2(dispatch->builder, type, at, "");
    LLVMSetAlignment(load, 1);
    return load;
}

/* Without flags: the kernel need not compute it in this launch. */
static LLVMValueRef build_value(struct dispatch *dispatch, const struct simd_launch_value *value)
{
    LLVMBuilderRef b = dispatch->builder;
    LLVMValueRef first, second;
    switch (value->kind) {
    case VALUE_CONSTANT:
        return LLVMConstInt(value->type, value->number, 0);
    case VALUE_EXTENT:
        return build_extent(dispatch, (unsigned)value->number, value->block_factor);
    case VALUE_PARAMETER:
        return build_parameter(dispatch, value->number, value->type);
    case VALUE_OPERATION:
        break;
    }
    first = build_value(dispatch, value->operands[0]);
    if (value->operands[1] == NULL) {
        return LLVMBuildCast(b, value->opcode, first, value->type, "");
    }
    second = build_value(dispatch, value->operands[1]);
    return LLVMBuildBinOp(b, value->opcode, first, second, "");
}

static void require_limits(struct dispatch *dispatch)
{
    for (size_t i = 0; i < dispatch->kernel->conditions.limit_count; i++) {
        const struct simd_index_limit *limit = &dispatch->kernel->conditions.limits[i];
        LLVMValueRef bound = build_value(dispatch, limit->bound);
        LLVMValueRef most = LLVMConstInt(LLVMTypeOf(bound), limit->most, 0);
        LLVMValueRef fits = LLVMBuildICmp(dispatch->builder, LLVMIntULE, bound, most, "");
        require(dispatch, fits, dispatch->refuse);
    }
}

static void require_unit_strides(struct dispatch *dispatch)
{
    const struct simd_launch_conditions *conditions = &dispatch->kernel->conditions;
    for (size_t i = 0; i < conditions->unit_stride_count; i++) {
        const struct simd_symbolic_stride *stride = &conditions->unit_strides[i];
        LLVMValueRef value = build_parameter(dispatch, stride->offset, stride->type);
        LLVMValueRef one = LLVMConstInt(stride->type, 1, 0);
        require(dispatch, LLVMBuildICmp(dispatch->builder, LLVMIntEQ, value, one, ""),
                dispatch->refuse);
    }
}

/* Of the block's dimensions as the version has them. */
static LLVMValueRef dimension_of(struct dispatch *dispatch, const struct simd_version *version,
                                 unsigned dimension)
{
    unsigned launched = simd_launched_dimension(version->plan->kernel, dimension);
    return word(dispatch, offsetof(struct cdp_abi_block, block_dim) + sizeof(uint32_t) * launched);
}

/* y * z == 1. */
static LLVMValueRef is_linear(struct dispatch *dispatch, const struct simd_version *version)
{
    LLVMValueRef y = dimension_of(dispatch, version, 1);
    LLVMValueRef z = dimension_of(dispatch, version, 2);
    LLVMValueRef rows = LLVMBuildNUWMul(dispatch->builder, y, z, "");
    return LLVMBuildICmp(dispatch->builder, LLVMIntEQ, rows,
                         LLVMConstInt(dispatch->lower->types.i32, 1, 0), "");
}

/* Rows of whole vectors, or only one row. */
static LLVMValueRef has_rows(struct dispatch *dispatch, const struct simd_version *version)
{
    LLVMBuilderRef b = dispatch->builder;
    LLVMTypeRef i32 = dispatch->lower->types.i32;
    LLVMValueRef x = dimension_of(dispatch, version, 0);
    LLVMValueRef lanes = LLVMConstInt(i32, version->options.lanes, 0);
    LLVMValueRef rest = LLVMBuildURem(b, x, lanes, "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntEQ, rest, LLVMConstInt(i32, 0, 0), "");
    return LLVMBuildOr(b, fits, is_linear(dispatch, version), "");
}

static LLVMValueRef is_size(struct dispatch *dispatch, const struct simd_size *size)
{
    const unsigned sizes[] = {size->x, size->y, size->z};
    LLVMValueRef all = LLVMConstInt(dispatch->lower->types.i1, 1, 0);
    for (unsigned i = 0; i < 3; i++) {
        LLVMValueRef is = word(dispatch, offsetof(struct cdp_abi_block, block_dim) + 4 * i);
        LLVMValueRef wanted = LLVMConstInt(dispatch->lower->types.i32, sizes[i], 0);
        LLVMValueRef same = LLVMBuildICmp(dispatch->builder, LLVMIntEQ, is, wanted, "");
        all = LLVMBuildAnd(dispatch->builder, all, same, "");
    }
    return all;
}

/* Whether the loop over blocks may end before its last one. */
static bool may_stop(const struct dispatch *dispatch)
{
    return dispatch->kernel->traits.range == RANGE_UP_TO_A_CALL;
}

/* The address of has_called in the block. */
static LLVMValueRef has_called(const struct dispatch *dispatch)
{
    return lower_field(dispatch->lower, dispatch->builder, dispatch->block,
                       offsetof(struct cdp_abi_block, has_called), "");
}

/* Calls the entry in a loop over blocks. No other code runs between two blocks.  Returns the index
 * after the last one that it ran. */
static LLVMValueRef call_for_each(struct dispatch *dispatch, const struct simd_entry *entry,
                                  LLVMValueRef first, LLVMValueRef end)
{
    struct lower_context *lower = dispatch->lower;
    LLVMBuilderRef b = dispatch->builder;
    LLVMTypeRef type = LLVMGlobalGetValueType(entry->function), i32 = lower->types.i32;
    if (may_stop(dispatch)) {
        LLVMBuildStore(b, LLVMConstInt(i32, 0, 0), has_called(dispatch));
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef loop =
        LLVMAppendBasicBlockInContext(lower->llvm, dispatch->function, "block");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(lower->llvm, dispatch->function, "done");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef x = LLVMBuildPhi(b, i32, "x");
    simd_store_index(lower, b, dispatch->block, x);
    LLVMValueRef arguments[] = {LLVMGetParam(dispatch->function, 0), dispatch->block, x};
    LLVMBuildCall2(b, type, entry->function, arguments, 3, "");
    LLVMValueRef next = LLVMBuildAdd(b, x, LLVMConstInt(i32, 1, 0), "");
    LLVMValueRef goes_on = LLVMBuildICmp(b, LLVMIntNE, next, end, "");
    if (may_stop(dispatch)) {
        LLVMValueRef called = LLVMBuildLoad2(b, i32, has_called(dispatch), "has_called");
        LLVMValueRef none = LLVMBuildICmp(b, LLVMIntEQ, called, LLVMConstInt(i32, 0, 0), "");
        goes_on = LLVMBuildAnd(b, goes_on, none, "");
    }
    LLVMBuildCondBr(b, goes_on, loop, done);
    LLVMAddIncoming(x, &first, &before, 1);
    LLVMAddIncoming(x, &next, &loop, 1);
    LLVMPositionBuilderAtEnd(b, done);
    return next;
}

/* Nontemporal stores are ordered before all later stores of the caller. */
static void order_nontemporal_stores(struct dispatch *dispatch)
{
    LLVMBuilderRef b = dispatch->builder;
    LLVMModuleRef module = dispatch->lower->module;
    LLVMContextRef llvm = dispatch->lower->llvm;
    LLVMBasicBlockRef fence = LLVMAppendBasicBlockInContext(llvm, dispatch->function, "fence");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(llvm, dispatch->function, "done");
    LLVMValueRef nontemporal =
        simd_build_nontemporal(module, b, dispatch->block, dispatch->kernel->nontemporal_bytes);
    LLVMBuildCondBr(b, nontemporal, fence, done);
    LLVMPositionBuilderAtEnd(b, fence);
    simd_build_nontemporal_fence(module, b);
    LLVMBuildBr(b, done);
    LLVMPositionBuilderAtEnd(b, done);
}

/* Calls the version's entry, in a loop if the entry has no loop over blocks. */
static void call_entry(struct dispatch *dispatch, const struct simd_version *version)
{
    const struct simd_entry *entry = &version->entry;
    LLVMBuilderRef b = dispatch->builder;
    LLVMTypeRef i32 = dispatch->lower->types.i32, type = LLVMGlobalGetValueType(entry->function);
    LLVMValueRef index = lower_field(dispatch->lower, b, dispatch->block,
                                     offsetof(struct cdp_abi_block, block_idx), "");
    LLVMValueRef first = LLVMBuildLoad2(b, i32, index, "first");
    LLVMValueRef arguments[] = {LLVMGetParam(dispatch->function, 0), dispatch->block, first, NULL};
    bool has_loop = dispatch->kernel->traits.range != RANGE_ONE;
    LLVMValueRef count = has_loop ? LLVMGetParam(dispatch->function, 2) : LLVMConstInt(i32, 1, 0);
    arguments[3] = LLVMBuildAdd(b, first, count, "");
    if (version->plan->takes_range) {
        LLVMBuildCall2(b, type, entry->function, arguments, 4, "");
    } else if (has_loop) {
        LLVMValueRef end = call_for_each(dispatch, entry, first, arguments[3]);
        count = may_stop(dispatch) ? LLVMBuildSub(b, end, first, "") : count;
    } else {
        LLVMBuildCall2(b, type, entry->function, arguments, 3, "");
    }
    if (dispatch->has_nontemporal) {
        order_nontemporal_stores(dispatch);
    }
    LLVMBuildRet(b, count);
}

/* The dispatcher has the linkage and the comdat of the thread entry, so the linker treats both
 * alike. */
static LLVMValueRef create_dispatcher(struct lower_context *lower,
                                      const struct lower_kernel *kernel)
{
    LLVMTypeRef parameters[] = {lower->types.ptr, lower->types.ptr, lower->types.i32};
    LLVMTypeRef type = LLVMFunctionType(lower->types.i32, parameters, 3, 0);
    LLVMValueRef function =
        LLVMAddFunction(lower->module, str_format("cdp.block.%s", kernel->name), type);
    LLVMSetLinkage(function, LLVMGetLinkage(kernel->entry));
    LLVMSetVisibility(function, LLVMGetVisibility(kernel->entry));
    if (kernel->comdat != NULL) {
        LLVMSetComdat(function, kernel->comdat);
    }
    lower_add_attribute(lower, function, "nounwind");
    return function;
}

/* The entry's conditions on the block. */
static LLVMValueRef conditions_of(struct dispatch *dispatch, const struct simd_version *version)
{
    if (version->size.x != 0) {
        return is_size(dispatch, &version->size);
    }
    LLVMTypeRef i32 = dispatch->lower->types.i32;
    LLVMValueRef threads = word(dispatch, offsetof(struct cdp_abi_block, thread_count));
    LLVMValueRef most = LLVMConstInt(i32, simd_most_threads(version->plan), 0);
    LLVMValueRef fits = LLVMBuildICmp(dispatch->builder, LLVMIntULE, threads, most, "");
    LLVMValueRef is_laid_out = version->layout == LAYOUT_ONE_ROW ? is_linear(dispatch, version)
                               : version->layout == LAYOUT_ROWS
                                   ? has_rows(dispatch, version)
                                   : LLVMConstInt(dispatch->lower->types.i1, 1, 0);
    return LLVMBuildAnd(dispatch->builder, is_laid_out, fits, "");
}

/* Continues in a block that is reached if no version suits. */
static void add_alternative(struct dispatch *dispatch, const struct simd_alternative *alternative)
{
    const struct simd_versions *versions = alternative->versions;
    dispatch->kernel = alternative->kernel;
    dispatch->has_nontemporal = false;
    for (unsigned i = 0; i < versions->count; i++) {
        dispatch->has_nontemporal |= versions->items[i].entry.has_nontemporal;
    }
    dispatch->refuse = LLVMAppendBasicBlockInContext(dispatch->lower->llvm, dispatch->function, "");
    require_unit_strides(dispatch);
    require_size(dispatch);
    require_limits(dispatch);
    for (unsigned i = 0; i < versions->count; i++) {
        LLVMBasicBlockRef other =
            LLVMAppendBasicBlockInContext(dispatch->lower->llvm, dispatch->function, "other");
        require(dispatch, conditions_of(dispatch, &versions->items[i]), other);
        call_entry(dispatch, &versions->items[i]);
        LLVMPositionBuilderAtEnd(dispatch->builder, other);
    }
    LLVMBuildBr(dispatch->builder, dispatch->refuse);
    LLVMPositionBuilderAtEnd(dispatch->builder, dispatch->refuse);
}

LLVMValueRef simd_build_dispatch(const struct simd_alternative *alternatives, size_t count)
{
    const struct simd_kernel *kernel = alternatives[0].kernel;
    struct lower_context *lower = kernel->lower;
    struct dispatch dispatch = {.lower = lower};
    dispatch.function = create_dispatcher(lower, kernel->source);
    dispatch.block = LLVMGetParam(dispatch.function, 1);
    dispatch.builder = LLVMCreateBuilderInContext(lower->llvm);
    LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(lower->llvm, dispatch.function, "");
    LLVMPositionBuilderAtEnd(dispatch.builder, first);
    for (size_t i = 0; i < count; i++) {
        add_alternative(&dispatch, &alternatives[i]);
    }
    LLVMBuildRet(dispatch.builder, LLVMConstInt(lower->types.i32, 0, 0));
    LLVMDisposeBuilder(dispatch.builder);
    return dispatch.function;
}
