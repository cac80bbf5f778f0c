/* Errors, warnings and notes of the lowering, in clang's form. */
#ifndef CDPCC_IR_REPORT_H
#define CDPCC_IR_REPORT_H
#include "ir/context.h"

/* A position in the source. file is NULL if it is unknown, column is 0 if it is unknown.
 *
 * A value without owner: file is in the arena or a string of the debug information. */
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

/* Sets the column to the first place in the line where the name is a whole word. Leaves it if the
 * file cannot be read or the line does not have the name. */
void lower_place_find(struct lower_place *place, const char *name);

/* Prints "file:line:column: error: ..." with the line of the source, and counts it in
 * lower->errors. where is the instruction or function that the message is about; NULL for none. */
void lower_error(struct lower_context *lower, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints a warning with the option that turns it off. False if it is disabled; then notes must not
 * follow. Counts as an error if the user has chosen that. */
bool lower_warning(struct lower_context *lower, enum warning warning,
                   const struct lower_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A note that belongs to the previous message. */
void lower_note(const struct lower_context *lower, const struct lower_place *place,
                const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
