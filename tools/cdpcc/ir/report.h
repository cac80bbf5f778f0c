/* Errors, warnings and notes of the lowering, in the form of clang's own. */
#ifndef CDPCC_IR_REPORT_H
#define CDPCC_IR_REPORT_H
#include "ir/context.h"

/* A place in the source; file is NULL where
 * none is known, column 0 likewise. */
struct lower_place {
    const char *file;
    unsigned line, column;
};
/* Of a DIFile, as messages have it; NULL if there is none. */
const char *lower_file_path(LLVMMetadataRef file);
/* Of an instruction or a function; where may be NULL. */
struct lower_place lower_place_of(LLVMValueRef where);
/* Of a DILocation; may be NULL. */
struct lower_place lower_place_at(LLVMMetadataRef location);

/* Sets the column to where the line has the name. */
void lower_place_find(struct lower_place *place, const char *name);

/* Prints "file:line:column: error: ..." with the line of the source, and counts it. */
void lower_error(struct lower_context *lower, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* False if it was not wanted.  Counts as an error if the user says so. */
bool lower_warning(struct lower_context *lower, enum warning warning,
                   const struct lower_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* More about the message before. */
void lower_note(const struct lower_context *lower, const struct lower_place *place,
                const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
