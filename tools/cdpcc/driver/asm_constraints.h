/* PTX inline assembly in device code. Its operand constraints name registers of a GPU, and clang
 * refuses them for this machine. */
#ifndef CDPCC_PTX_ASM_H
#define CDPCC_PTX_ASM_H
#include <stdbool.h>

/* Whether clang's messages about a failed compilation show that such a constraint was the cause.
 * Then it is worth a second compilation of the rewritten source. */
bool ptx_asm_is_cause(const char *messages);

/* Copies preprocessed device code from one file to another, with constraints that clang accepts.
 * Lines keep their numbers. Returns 0, or 1 after printing an error. */
int ptx_asm_rewrite(const char *from, const char *to);

#endif
