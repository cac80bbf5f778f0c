/* Places of accesses, also of those that the optimizer moves or merges. */
#ifndef CDPCC_INSTRUMENT_KEPT_LINES_H
#define CDPCC_INSTRUMENT_KEPT_LINES_H
#include "ir/context.h"

/* Where an access is in the source. The strings may be NULL; without a file the place is not
 * known. */
struct instrument_place {
    const char *file, *folder, *function;
    unsigned line, column;
};

/* The place of a DILocation, which may be NULL. */
struct instrument_place instrument_place_at(struct lower_context *lower, LLVMMetadataRef debug);
/* Gives each load an annotation with its place. Before the optimizer runs. */
void instrument_keep_lines(struct lower_context *lower);
/* The place in a load's annotation. The file is NULL for other instructions. */
struct instrument_place instrument_kept_line(struct lower_context *lower, LLVMValueRef at);

#endif
