/* The functions by which passes read a kernel. */
#include "simd/ir/kernel.h"

#include "ir/value.h"
#include "simd/ir/counts.h"
#include "simd/ir/node.h"
#include "simd/ir/numbers.h"
#include "simd/ir/origin.h"
#include "simd/ir/placement.h"
#include "simd/ir/traits.h"
#include "simd/ir/values.h"
#include "simd/ir/variant.h"

int simd_number(const struct simd_kernel *kernel, LLVMValueRef value)
{
    unsigned number;
    return lower_map_find(&kernel->numbers, value, &number) ? (int)number : -1;
}

int simd_node_of(const struct simd_kernel *kernel, LLVMValueRef value)
{
    int number = simd_number(kernel, value);
    return number < 0 ? -1 : kernel->node_of[number];
}

int simd_node_of_number(const struct simd_kernel *kernel, size_t number)
{
    return kernel->node_of[number];
}

size_t simd_value_count(const struct simd_kernel *kernel)
{
    return kernel->value_count;
}

LLVMValueRef simd_value_at(const struct simd_kernel *kernel, size_t number)
{
    return kernel->values[number];
}

size_t simd_node_count(const struct simd_kernel *kernel)
{
    return kernel->node_count;
}

const struct simd_node *simd_node(const struct simd_kernel *kernel, size_t number)
{
    return &kernel->nodes[number];
}

struct simd_size simd_launched_size(const struct simd_kernel *kernel)
{
    const struct simd_variant *variant = simd_variant_of(kernel);
    struct simd_size size = variant->size == NULL ? (struct simd_size){0, 0, 0} : *variant->size;
    return variant->is_transposed ? (struct simd_size){size.y, size.x, size.z} : size;
}

unsigned simd_launched_dimension(const struct simd_kernel *kernel, unsigned dimension)
{
    return simd_variant_of(kernel)->is_transposed && dimension < 2 ? 1 - dimension : dimension;
}

const struct simd_variant *simd_variant_of(const struct simd_kernel *kernel)
{
    return &kernel->variant;
}

bool simd_is_called(const struct simd_kernel *kernel)
{
    return kernel->variant.arguments != NULL;
}

const struct simd_traits *simd_traits_of(const struct simd_kernel *kernel)
{
    return &kernel->traits;
}

struct lower_context *simd_context_of(const struct simd_kernel *kernel)
{
    return kernel->lower;
}

struct simd_callees *simd_callees_of(const struct simd_kernel *kernel)
{
    return kernel->callees;
}

const struct lower_kernel *simd_source_of(const struct simd_kernel *kernel)
{
    return kernel->source;
}

LLVMValueRef simd_function_of(const struct simd_kernel *kernel)
{
    return kernel->function;
}
