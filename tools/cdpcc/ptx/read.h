/* The interface between the two halves of the PTX parser: words and numbers, and declarations. */
#ifndef CDPCC_PTX_READ_H
#define CDPCC_PTX_READ_H
#include "ptx/parse.h"

/* The first byte at or after at that is no blank. */
const char *ptx_skip_blanks(const char *at);
/* A name, a part of an opcode, or a type; NULL if there is none. Moves at behind it. */
const char *ptx_read_word(const char **at);
/* 12, -3, 0x1f, and the bits of a floating constant. */
bool ptx_read_number(const char **at, uint64_t *number);
/* Moves at behind blanks, and behind the character if it is the expected one; false if it is
 * another. */
bool ptx_accept(const char **at, char expected);

/* Whether the statement begins with .reg, .param or .extern. In ptx/declare.c, like the
 * following. */
bool ptx_is_declaration(const char *text);
/* Adds the variables or the prototype of a declaration within depth braces. False if the
 * declaration cannot be parsed, or repeats a name of its scope. */
bool ptx_declare(const char *text, unsigned depth, struct ptx_block *block);
/* Ends the scope of all declarations that are deeper. */
void ptx_end_scope(struct ptx_block *block, unsigned depth);
/* Replaces the names in the statement by their unique names. */
void ptx_resolve(const struct ptx_block *block, struct ptx_statement *statement);

#endif
