/* The table of instructions (forms.def): which form a statement has, and its translation. */
#ifndef CDPCC_PTX_FORMS_H
#define CDPCC_PTX_FORMS_H
#include "ptx/translate.h"

enum { PTX_MAX_CHOICES = 8 };

/* The words that a pattern's parts with # have in a statement, in the pattern's order: 1 for the
 * first word, 0 if the part is missing. */
struct ptx_choices {
    unsigned words[PTX_MAX_CHOICES];
    unsigned count;
};

/* Calls a function of the library (library/). False if the operands do not have the signature. */
bool ptx_call_library(struct ptx_code *code, const struct ptx_statement *statement,
                      const char *signature, const char *function,
                      const struct ptx_choices *choices);

/* Before the first and after the last statement of an asm: the carry of other asms. ptx/carry.c. */
void ptx_begin_carry(struct ptx_code *code, const struct ptx_block *block);
void ptx_end_carry(struct ptx_code *code, const struct ptx_block *block);

/* Adds the functions that ptx_call_library called to the module. */
void ptx_link_library(struct lower_context *lower);

/* The translators in forms.def. Each gets a statement of a form of the table, and returns false for
 * operands that it cannot translate. A function occurs in several rows, so it may be declared
 * several times. */
#define PTX_CODE(pattern, least, most, translate)                                                  \
    bool translate(struct ptx_code *code, const struct ptx_statement *statement);
#define PTX_LIBRARY(pattern, signature, function)
#include "ptx/forms.def"

#endif
