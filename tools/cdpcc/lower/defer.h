/* Constant expressions that have no value in C++ are computed by the program.
 *
 * (1u << 32) - 1, 5 % 0 and INT_MIN / -1 have values on a GPU. Clang folds them to poison while it
 * writes bitcode, before any pass of cdpcc can define them, and poison spreads to all constants
 * that depend on them. If a unit's bitcode contains poison, the unit is compiled once more. In its
 * preprocessed source the right operand of each such operator is then the result of a function,
 * __cdp_at_run_time. So the operation is an ordinary instruction. Clang's own warnings give the
 * positions of the operators. Such units are rare, and other units have no extra cost. */
#ifndef CDPCC_DEFER_H
#define CDPCC_DEFER_H
#include "support/vec.h"

#include <llvm-c/Types.h>
#include <stdbool.h>

/* The commands and their files. Borrowed: all of it is in the arena, with the plan. */
struct defer_commands {
    struct vec preprocess; /* writes source */
    struct vec find;       /* reads plain, and writes warnings to standard error */
    struct vec compile;    /* reads rewritten, writes bitcode */
    const char *source;    /* preprocessed device code */
    /* the output of ptx_asm_rewrite, if it was needed: then there is no preprocess */
    const char *ptx;
    const char *plain; /* source without line markers: positions are those in the file */
    const char *warnings;
    const char *rewritten, *bitcode;
};

/* Whether an operand is poison, except for aggregates, which are built from poison. */
bool defer_is_poisoned(LLVMValueRef instruction);
/* Whether there is such an operand anywhere in the module. */
bool defer_is_needed(LLVMModuleRef module);

/* Runs the commands. False if there is no bitcode, for example because the language demands a
 * constant expression. Then nothing is printed, and the first bitcode is used.
 *
 * The files remain; they are temporary files of the plan. */
bool defer_constants(const struct defer_commands *commands);

#endif
