/* Turns small local arrays whose indices differ between threads into values. */
#ifndef CDPCC_SIMD_PREPARE_SMALL_ARRAYS_H
#define CDPCC_SIMD_PREPARE_SMALL_ARRAYS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>

struct lower_context;
struct simd_local_uses;

/* Elements that such an array may have. */
enum { SIMD_MOST_SMALL_ELEMENTS = 8 };

/* Vector registers may hold all elements. */
bool simd_has_few_elements(const struct simd_local_uses *array);
/* The array may become values: it has few elements, its addresses are not compared, it is filled at
 * constant offsets only, and it has few accesses. */
bool simd_is_small_array(const struct simd_local_uses *array);
/* Marks the array's variables. A clone of the function has the marks, too. */
void simd_mark_small_array(const struct simd_local_uses *array);
/* Turns the marked arrays of a function into values. */
void simd_expand_small_arrays(struct lower_context *lower, LLVMValueRef function);
/* Removes all marks of a function. */
void simd_unmark_small_arrays(struct lower_context *lower, LLVMValueRef function);

#endif
