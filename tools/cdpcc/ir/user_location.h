/* Where messages and reports point to in the user's source. */
#ifndef CDPCC_IR_USER_LOCATION_H
#define CDPCC_IR_USER_LOCATION_H
#include <llvm-c/Types.h>

struct lower_context;
struct lower_place;

/* The DILocation of the instruction in the user's source, or NULL. For code that is inlined from
 * cdpcc's own headers, that is the place where the user calls it, and *call is the outermost
 * function of those headers; else NULL. at may be NULL. */
LLVMMetadataRef lower_user_debug_location(const struct lower_context *lower, LLVMValueRef at,
                                          const char **call);
/* The same as a place. No instruction, or none with a location: the file is NULL. */
struct lower_place lower_user_location(const struct lower_context *lower, LLVMValueRef at,
                                       const char **call);
/* The function that contains a DILocation: a DISubprogram, or NULL. */
LLVMMetadataRef lower_function_at(const struct lower_context *lower, LLVMMetadataRef location);
/* The first instruction from here on that has a location, or NULL; a loop's first values have
 * none. */
LLVMValueRef lower_with_line(LLVMValueRef at);

#endif
