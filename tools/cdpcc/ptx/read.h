/* The interface between the two halves of the PTX parser: words and numbers, and declarations. */
#ifndef CDPCC_PTX_READ_H
#define CDPCC_PTX_READ_H
#include "ptx/parse.h"

const char *ptx_skip_blanks(const char *at);
/* A name, a part of an opcode, or a type; NULL if there is none. Moves at behind it. */
const char *ptx_read_word(const char **at);
/* 12, -3, 0x1f, and the bits of a floating constant. */
bool ptx_read_number(const char **at, uint64_t *number);
/* Moves at behind blanks and the expected character; false if there is another one. */
bool ptx_accept(const char **at, char expected);

/* ptx/declare.c */
bool ptx_is_declaration(const char *text);
/* False if the declaration cannot be parsed, or repeats a name of its scope. */
bool ptx_declare(const char *text, unsigned depth, struct ptx_block *block);
/* Ends the scope of all declarations that are deeper. */
void ptx_end_scope(struct ptx_block *block, unsigned depth);
/* Replaces the names in the statement by their unique names. */
void ptx_resolve(const struct ptx_block *block, struct ptx_statement *statement);

#endif
