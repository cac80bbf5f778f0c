/* Errors, warnings and notes of the lowering, in clang's form. */
#ifndef CDPCC_IR_REPORT_H
#define CDPCC_IR_REPORT_H
#include "ir/context.h"

/* A position in the source. file is NULL if it is unknown, column is 0 if it is unknown. */
struct lower_place {
    const char *file;
    unsigned line, column;
};
/* The path of a DIFile, as in messages; NULL if there is none. */
const char *lower_file_path(LLVMMetadataRef file);
/* The position of an instruction or a function; where may be NULL. */
struct lower_place lower_place_of(LLVMValueRef where);
/* The position of a DILocation; may be NULL. */
struct lower_place lower_place_at(LLVMMetadataRef location);

/* Sets the column to where the line has the name. */
void lower_place_find(struct lower_place *place, const char *name);

/* Prints "file:line:column: error: ..." with the line of the source, and counts it. */
void lower_error(struct lower_context *lower, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* False if the warning is disabled. Counts as an error if the user has chosen that. */
bool lower_warning(struct lower_context *lower, enum warning warning,
                   const struct lower_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A note that belongs to the previous message. */
void lower_note(const struct lower_context *lower, const struct lower_place *place,
                const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
