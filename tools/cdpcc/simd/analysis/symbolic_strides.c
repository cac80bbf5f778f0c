/* Parameters that are strides of accesses.
 *
 *     y[i * incy] += a * x[i * incx]                  threads are incx and incy elements apart
 *     row = x + 3 * i; row[0] + row[s] + row[2 * s]   fields are s elements apart
 *
 * Programs are often written for any stride, and launched with 1.  LLVM's loop vectorizer assumes
 * the same of the strides in loops, and tests it before the loop.
 *
 * A parameter with which indices are compared, or by which they are divided, is the size of a
 * dimension, which is not 1. */
#include "simd/analysis/symbolic_strides.h"

#include "ir/context.h"
#include "ir/value.h"
#include "simd/analysis/shape.h"
#include "simd/ir/counts.h"
#include "simd/ir/memory.h"
#include "simd/ir/origin.h"
#include "simd/ir/symbolic_stride.h"
#include "simd/ir/values.h"

#include <llvm-c/Target.h>
#include <stdbool.h>

enum {
    MOST_DEPTH = 8,
    MOST_FIELDS = 8, /* of an element with fields */
};

/* The strides that were found so far. */
struct search {
    const struct simd_kernel *kernel;
    struct simd_symbolic_stride *items;
    size_t count;
    bool has_fields; /* the access reads or writes one of several fields */
};

/* The value without extensions, truncations and freeze. */
static LLVMValueRef without_casts(LLVMValueRef value)
{
    while (LLVMIsASExtInst(value) != NULL || LLVMIsAZExtInst(value) != NULL ||
           LLVMIsATruncInst(value) != NULL || LLVMIsAFreezeInst(value) != NULL) {
        value = LLVMGetOperand(value, 0);
    }
    return value;
}

static bool is_integer_parameter(LLVMValueRef value)
{
    int64_t offset;
    return LLVMIsALoadInst(value) != NULL && !LLVMGetVolatile(value) &&
           LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           simd_is_parameter(value, &offset);
}

/* The value is compared with an index, or divides one. */
static bool bounds_indices(LLVMValueRef value, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAICmpInst(user) != NULL && LLVMIsAConstant(LLVMGetOperand(user, 0)) == NULL &&
            LLVMIsAConstant(LLVMGetOperand(user, 1)) == NULL) {
            return true;
        }
        switch ((int)LLVMGetInstructionOpcode(user)) {
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
            return true;
        case LLVMSExt:
        case LLVMZExt:
        case LLVMTrunc:
        case LLVMFreeze:
        case LLVMSelect: /* of a divisor that is not 0 */
        case LLVMAdd:
        case LLVMSub:
            if (depth != 0 && bounds_indices(user, depth - 1)) {
                return true;
            }
            break;
        default:
            break;
        }
    }
    return false;
}

static void add(struct search *search, LLVMValueRef parameter)
{
    int64_t offset;
    (void)simd_is_parameter(parameter, &offset);
    for (size_t i = 0; i < search->count; i++) {
        if (search->items[i].offset == (uint64_t)offset) {
            return;
        }
    }
    const struct simd_symbolic_stride found = {.offset = (uint64_t)offset,
                                               .type = LLVMTypeOf(parameter)};
    LOWER_PUSH(search->items, search->count, found);
}

/* With another number, such as one from memory, the access is a gather for stride 1, too. */
static bool is_affine(const struct search *search, LLVMValueRef value)
{
    return simd_shape_of(search->kernel, value)->kind == SHAPE_LINEAR;
}

static bool is_product(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) != NULL && (LLVMGetInstructionOpcode(value) == LLVMMul ||
                                                 LLVMGetInstructionOpcode(value) == LLVMShl);
}

static bool is_sum(LLVMValueRef value)
{
    return LLVMIsAInstruction(value) != NULL && (LLVMGetInstructionOpcode(value) == LLVMAdd ||
                                                 LLVMGetInstructionOpcode(value) == LLVMSub);
}

/* A term of an index: a product of which one factor is a parameter. A parameter alone is no
 * distance between fields, but the number of a field. */
static void look_at_term(struct search *search, LLVMValueRef term)
{
    for (unsigned i = 0; is_product(term) && i < 2; i++) {
        LLVMValueRef factor = without_casts(LLVMGetOperand(term, i));
        LLVMValueRef other = without_casts(LLVMGetOperand(term, 1 - i));
        bool separates =
            LLVMIsAConstantInt(other) != NULL ? search->has_fields : is_affine(search, other);
        if (is_integer_parameter(factor) && separates) {
            add(search, factor);
        }
    }
}

static void look_at_index(struct search *search, LLVMValueRef index, unsigned depth)
{
    index = without_casts(index);
    if (is_sum(index) && depth != 0) {
        look_at_index(search, LLVMGetOperand(index, 0), depth - 1);
        look_at_index(search, LLVMGetOperand(index, 1), depth - 1);
        return;
    }
    look_at_term(search, index);
    /* A constant times a sum or a product. */
    LLVMValueRef inner =
        is_product(index) && depth != 0 && LLVMIsAConstantInt(LLVMGetOperand(index, 1)) != NULL
            ? without_casts(LLVMGetOperand(index, 0))
            : NULL;
    if (inner != NULL && (is_sum(inner) || is_product(inner))) {
        look_at_index(search, inner, depth - 1);
    }
}

static void look_at_access(struct search *search, LLVMValueRef access)
{
    LLVMValueRef address = simd_accessed(access);
    const struct simd_shape *shape = simd_shape_of(search->kernel, address);
    uint64_t size =
        LLVMABISizeOfType(simd_context_of(search->kernel)->layout, simd_accessed_type(access));
    uint64_t stride = shape->kind == SHAPE_LINEAR ? (uint64_t)shape->stride : 0;
    if (shape->kind < SHAPE_LINEAR || (shape->kind == SHAPE_LINEAR && stride <= size)) {
        return;
    }
    search->has_fields = stride != 0 && stride <= MOST_FIELDS * size;
    while (LLVMIsAGetElementPtrInst(address) != NULL) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(address); i++) {
            look_at_index(search, LLVMGetOperand(address, i), MOST_DEPTH);
        }
        address = LLVMGetOperand(address, 0);
    }
}

/* Removes the parameters that are sizes of dimensions. */
static void drop_sizes(struct search *search)
{
    for (size_t v = 0; v < simd_value_count(search->kernel) && search->count != 0; v++) {
        LLVMValueRef value = simd_value_at(search->kernel, v);
        int64_t offset;
        if (!is_integer_parameter(value) || !simd_is_parameter(value, &offset) ||
            !bounds_indices(value, MOST_DEPTH)) {
            continue;
        }
        for (size_t i = search->count; i-- > 0;) {
            if (search->items[i].offset == (uint64_t)offset) {
                search->items[i] = search->items[--search->count];
            }
        }
    }
}

struct simd_symbolic_stride *simd_find_symbolic_strides(const struct simd_kernel *kernel,
                                                        size_t *count)
{
    struct search search = {.kernel = kernel};
    for (size_t v = 0; v < simd_value_count(kernel); v++) {
        LLVMValueRef at = simd_value_at(kernel, v);
        if (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL) {
            look_at_access(&search, at);
        }
    }
    drop_sizes(&search);
    *count = search.count;
    return search.items;
}
