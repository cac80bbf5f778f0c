/* What is to be changed in a source: between respell.c, which knows the files, and
 * respell_edit.c, which knows the forms. */
#ifndef CDPCC_RESPELL_EDIT_H
#define CDPCC_RESPELL_EDIT_H
#include "driver/lexer.h"

/* A place where clang refused the constructor of a shared variable. */
struct refused {
    unsigned line, column;
};

/* A change of a text. */
struct edit {
    size_t at, length;
    const char *with;
    size_t anchor; /* what messages about the new text are about; at if it is 0 */
};

struct edits {
    struct edit *items;
    size_t count;
};

/* Joins the parts of <<< and >>>. */
void respell_find_launches(struct edits *edits, const struct tokens *tokens);
/* Makes memory of the shared variables whose constructors clang refused, in the order of the
 * text. */
void respell_find_shared(struct edits *edits, const struct tokens *tokens,
                         const struct refused *refused, size_t count);

#endif
