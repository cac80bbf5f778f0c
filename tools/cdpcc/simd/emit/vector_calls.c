/* Calls of vectorized functions (plan/callees.h).
 *
 * The version runs some vectors at a time, which may be fewer than the chunk has:
 *
 *     for each group of vectors:
 *         if (any lane of the group is active)
 *             result = cdp.vector.f(mask, block, first thread, blockIdx.x, operands)
 *
 * So a recursion ends when no lane continues.  A recursive function has frames many times as large
 * as a thread's: when half of the stack is used, the lanes run one after the other from there on,
 * which leaves each of them as much as half of a thread's stack.
 *
 * What always holds: a version is called for at least one lane. */
#include "simd/emit/vector_calls.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/function.h"
#include "simd/emit/metadata.h"
#include "simd/emit/publish.h"
#include "simd/emit/scalarize.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/branch_weights.h"
#include "simd/ir/numbers.h"
#include "simd/plan/callees.h"
#include "simd/plan/plan.h"
#include "support/arena.h"

#include <llvm-c/Core.h>

/* The call being emitted. Lives as long as simd_vector_call(). */
struct calling {
    struct simd_emit *emit;
    LLVMValueRef call, function;
    const struct simd_vector_function *version;
    struct simd_value *operands;
    LLVMTypeRef type; /* of a vector of results; NULL: there are none */
};

/* The lanes of the vectors from that one on, as many as the version runs.  The chunk may have
 * fewer. */
static LLVMValueRef mask_of_group(const struct calling *calling, unsigned first)
{
    struct simd_emit *emit = calling->emit;
    LLVMValueRef masks[SIMD_MOST_VECTORS];
    for (unsigned i = 0; i < calling->version->vectors; i++) {
        unsigned u = first + i;
        masks[i] = u >= emit->vectors   ? emit->none
                   : emit->mask == NULL ? emit->full
                                        : emit->mask[u];
    }
    return simd_join_bits(emit, masks, calling->version->vectors, emit->lower->types.i64);
}

/* An operand's part for a vector: a scalar if the parameter is affine. Vectors that the chunk does
 * not have are not active. */
static LLVMValueRef part_of_operand(const struct calling *calling, unsigned number, unsigned vector)
{
    struct simd_emit *emit = calling->emit;
    const struct simd_value *operand = &calling->operands[number];
    const struct simd_shape *shape = &calling->version->arguments[number + 1];
    LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(calling->call, number));
    return vector >= emit->vectors        ? LLVMConstNull(simd_part_type(emit, type, shape))
           : shape->kind == SHAPE_VARYING ? simd_vector(emit, operand, vector)
                                          : simd_scalar(operand, vector);
}

/* Appends the parts of an operand. */
static void add_operand(const struct calling *calling, unsigned number, unsigned first,
                        LLVMValueRef **arguments, size_t *count)
{
    bool is_uniform = calling->version->arguments[number + 1].kind == SHAPE_UNIFORM;
    unsigned parts = is_uniform ? 1 : calling->version->vectors;
    for (unsigned i = 0; i < parts; i++) {
        LLVMValueRef part = part_of_operand(calling, number, is_uniform ? 0 : first + i);
        LOWER_PUSH(*arguments, *count, part);
    }
}

static LLVMValueRef call_group(const struct calling *calling, unsigned first, LLVMValueRef mask)
{
    struct simd_emit *emit = calling->emit;
    LLVMValueRef *arguments = NULL;
    size_t count = 0;
    LOWER_PUSH(arguments, count, mask);
    LOWER_PUSH(arguments, count, emit->launch.block);
    LOWER_PUSH(arguments, count, simd_thread_of(emit, emit->chunk.first32[first]));
    LOWER_PUSH(arguments, count, emit->launch.block_x);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(calling->call); i++) {
        add_operand(calling, i, first, &arguments, &count);
    }
    return LLVMBuildCall2(emit->builder, LLVMGlobalGetValueType(calling->function),
                          calling->function, arguments, (unsigned)count, "");
}

/* Calls the version for the group if any lane of it is active, and sets its vectors of results. */
static void run_group(const struct calling *calling, unsigned first, struct simd_value *result)
{
    struct simd_emit *emit = calling->emit;
    LLVMBuilderRef b = emit->builder;
    LLVMBasicBlockRef called = simd_new(emit, "call"), join = simd_new(emit, "called");
    LLVMValueRef mask = mask_of_group(calling, first);
    LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, mask, LLVMConstNull(LLVMTypeOf(mask)), "");
    LLVMBasicBlockRef from[] = {simd_here(emit), called};
    LLVMBuildCondBr(b, any, called, join);
    simd_at(emit, called);
    LLVMValueRef returned = call_group(calling, first, mask);
    LLVMValueRef vectors[SIMD_MOST_VECTORS];
    unsigned count = calling->version->vectors;
    for (unsigned i = 0; calling->type != NULL && i < count; i++) {
        vectors[i] = count == 1 ? returned : LLVMBuildExtractValue(b, returned, i, "");
    }
    LLVMBuildBr(b, join);
    simd_at(emit, join);
    for (unsigned i = 0; calling->type != NULL && i < count && first + i < emit->vectors; i++) {
        LLVMValueRef values[] = {LLVMGetPoison(calling->type), vectors[i]};
        result->vector[first + i] = LLVMBuildPhi(b, calling->type, "");
        LLVMAddIncoming(result->vector[first + i], values, from, 2);
    }
}

static struct simd_value run_groups(const struct calling *calling)
{
    struct simd_value result = simd_varying();
    for (unsigned u = 0; u < calling->emit->vectors; u += calling->version->vectors) {
        run_group(calling, u, &result);
    }
    return result;
}

/* i1: less than half of the stack is used. */
static LLVMValueRef has_stack(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    LLVMTypeRef i64 = emit->lower->types.i64, ptr = emit->lower->types.ptr;
    LLVMValueRef ends[2];
    for (unsigned i = 0; i < 2; i++) {
        size_t offset = i == 0 ? offsetof(struct cdp_abi_thread, local_low)
                               : offsetof(struct cdp_abi_thread, local_size);
        LLVMValueRef at = lower_field(emit->lower, b, emit->launch.self, offset, "");
        ends[i] = lower_load_const(emit->lower, b, i64, at, "");
    }
    LLVMValueRef level = simd_int(emit->lower->types.i32, 0);
    LLVMValueRef frame = simd_intrinsic(emit, "llvm.frameaddress", &ptr, 1, &level, 1);
    LLVMValueRef left = LLVMBuildSub(b, LLVMBuildPtrToInt(b, frame, i64, ""), ends[0], "");
    LLVMValueRef half = LLVMBuildLShr(b, ends[1], simd_int(i64, 1), "");
    return LLVMBuildICmp(b, LLVMIntUGT, left, half, "");
}

static struct simd_value run_lanes(const struct calling *calling)
{
    simd_each_lane(calling->emit, calling->call);
    return calling->type == NULL ? simd_varying() : simd_get(calling->emit, calling->call);
}

/* By vectors, or lane by lane if the stack is used up. */
static struct simd_value run_by_stack(const struct calling *calling)
{
    struct simd_emit *emit = calling->emit;
    LLVMBasicBlockRef vectors = simd_new(emit, "vectors"), lanes = simd_new(emit, "lanes");
    LLVMBasicBlockRef join = simd_new(emit, "done");
    simd_mark_likely(emit->lower, LLVMBuildCondBr(emit->builder, has_stack(emit), vectors, lanes));
    simd_at(emit, lanes);
    struct simd_value by_lanes = run_lanes(calling);
    LLVMBasicBlockRef end_of_lanes = simd_here(emit);
    LLVMBuildBr(emit->builder, join);
    simd_at(emit, vectors);
    struct simd_value result = run_groups(calling);
    LLVMBasicBlockRef end_of_vectors = simd_here(emit);
    LLVMBuildBr(emit->builder, join);
    simd_at(emit, join);
    if (calling->type == NULL) {
        return result;
    }
    struct simd_value phi = simd_phi(emit, LLVMTypeOf(calling->call), result.shape);
    simd_add_incoming(emit, &phi, &by_lanes, end_of_lanes);
    simd_add_incoming(emit, &phi, &result, end_of_vectors);
    return phi;
}

void simd_vector_call(struct simd_emit *emit, LLVMValueRef call)
{
    struct simd_vector_function *version = emit->plan->functions[simd_number(emit->kernel, call)];
    struct calling calling = {.emit = emit,
                              .call = call,
                              .version = version,
                              .function = simd_emit_vector_function(version)};
    unsigned count = LLVMGetNumArgOperands(call);
    calling.operands = arena_alloc((count + 1) * sizeof *calling.operands);
    for (unsigned i = 0; i < count; i++) {
        calling.operands[i] = simd_get(emit, LLVMGetArgOperand(call, i));
    }
    LLVMTypeRef type = LLVMTypeOf(call);
    bool is_void = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    calling.type = is_void ? NULL : simd_vector_type(emit, type);
    struct simd_value result =
        version->callee->is_recursive ? run_by_stack(&calling) : run_groups(&calling);
    simd_publish_chunk(emit);
    if (!is_void) {
        simd_set(emit, call, result);
    }
}
