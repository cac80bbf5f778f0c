/* Constant expressions whose value C++ leaves open: computed by the program instead.
 *
 * (1u << 32) - 1, 5 % 0 and INT_MIN / -1 have values on a GPU. Clang folds them to poison while it
 * writes bitcode, before any pass of ours can define them, and poison spreads to all constants
 * around it. Where a unit's bitcode holds poison, the unit is compiled once more, from preprocessed
 * source in which the right operand of each such operator is the result of a function,
 * __cdp_at_run_time: then it is an instruction like any other. Clang's own warnings say where the
 * operators are. Such units are rare, and others pay nothing. */
#ifndef CDPCC_DEFER_H
#define CDPCC_DEFER_H
#include "support/vec.h"

#include <llvm-c/Types.h>
#include <stdbool.h>

/* The commands and their files. Borrowed: all of it lives in the arena, with the plan. */
struct defer_commands {
    struct vec preprocess; /* writes source */
    struct vec find;       /* reads plain, and writes warnings to standard error */
    struct vec compile;    /* reads rewritten, writes bitcode */
    const char *source;    /* preprocessed device code */
    const char *ptx;   /* what ptx_asm_rewrite made of it, if it had to: then without preprocess */
    const char *plain; /* source without line markers: positions are those in the file */
    const char *warnings;
    const char *rewritten, *bitcode;
};

/* Whether an operand is poison, but for aggregates, which are built from poison. */
bool defer_is_poisoned(LLVMValueRef instruction);
/* Whether that is so anywhere in the module. */
bool defer_is_needed(LLVMModuleRef module);

/* Runs the commands. False if the bitcode could not be made, as where the language demands a
 * constant expression: nothing is printed then, and the first bitcode stays the best there is. */
bool defer_constants(const struct defer_commands *commands);

#endif
