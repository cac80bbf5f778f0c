/* PTX inline assembly in device code: its operand constraints mean registers of a
 * GPU, which clang refuses for this machine. */
#ifndef CDPCC_PTX_ASM_H
#define CDPCC_PTX_ASM_H
#include <stdbool.h>

/* Whether clang's messages say that such a constraint was the trouble. */
bool ptx_asm_is_cause(const char *messages);

/* Copies preprocessed device code with constraints that clang takes.  0, or 1 after
 * printing what is wrong. */
int ptx_asm_rewrite(const char *from, const char *to);

#endif
