/* The changes of a source: the interface between respell.c, which handles the files, and
 * respell_edit.c, which handles the forms. */
#ifndef CDPCC_RESPELL_EDIT_H
#define CDPCC_RESPELL_EDIT_H
#include "driver/lexer.h"

/* A position where clang refused the constructor of a shared variable. */
struct refused {
    unsigned line, column;
};

/* A change of a text: length bytes at a position become the string with. */
struct edit {
    size_t at, length;
    const char *with;
    size_t anchor; /* the position to which messages about the new text refer; at if it is 0 */
};

/* In the order in which they were found; sorted by position before they are applied. In the
 * arena. */
struct edits {
    struct edit *items;
    size_t count;
};

/* Joins the parts of <<< and >>>. */
void respell_find_launches(struct edits *edits, const struct tokens *tokens);
/* Replaces shared variables whose constructors clang refused by plain memory, in the order of the
 * text. */
void respell_find_shared(struct edits *edits, const struct tokens *tokens,
                         const struct refused *refused, size_t count);

#endif
