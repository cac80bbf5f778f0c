/* What the two halves of the parser of PTX share: words and numbers, and declarations. */
#ifndef CDPCC_PTX_READ_H
#define CDPCC_PTX_READ_H
#include "ptx/parse.h"

const char *ptx_skip_blanks(const char *at);
/* A name, an opcode's part or a type; NULL if there is none.  Moves at behind it. */
const char *ptx_read_word(const char **at);
/* 12, -3, 0x1f, and the bits of a floating constant. */
bool ptx_read_number(const char **at, uint64_t *number);
/* Moves at behind blanks and the character; false if there is another one. */
bool ptx_accept(const char **at, char expected);

/* ptx/declare.c */
bool ptx_is_declaration(const char *text);
/* False if the declaration cannot be read, or repeats a name of its scope. */
bool ptx_declare(const char *text, unsigned depth, struct ptx_block *block);
/* What was declared deeper than that is out of scope from now on. */
void ptx_end_scope(struct ptx_block *block, unsigned depth);
/* Gives the names in the statement their unique forms. */
void ptx_resolve(const struct ptx_block *block, struct ptx_statement *statement);

#endif
