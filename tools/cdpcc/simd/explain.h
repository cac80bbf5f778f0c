/* Explains the plan of a version: --explain=plan, --explain=json, and cdpcc-opt --print. */
#ifndef CDPCC_SIMD_EXPLAIN_H
#define CDPCC_SIMD_EXPLAIN_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdio.h>

struct simd_kernel;
struct simd_plan;

/* Prints a line for the version, and one for each of its regions, loops, accesses and scalar calls.
 * Lines name locations in the user's source, never in cdpcc's own headers.  JSON is one object on
 * one line. */
void simd_explain_plan(FILE *file, const struct simd_plan *plan, bool as_json);
/* Prints, for a kernel without versions, the reason; only in JSON. */
void simd_explain_threads(FILE *file, const struct simd_kernel *kernel, const char *why,
                          LLVMValueRef blamed, const char *advice);
/* For tests: prints each instruction with its shape. */
void simd_print_shapes(FILE *file, const struct simd_kernel *kernel);
/* For tests: prints the regions, with their nodes, paths, slots and hoisted loads. */
void simd_print_regions(FILE *file, const struct simd_plan *plan);

#endif
