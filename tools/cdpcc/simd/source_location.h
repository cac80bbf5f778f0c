/* Where remarks point to in the user's source. */
#ifndef CDPCC_SIMD_SOURCE_LOCATION_H
#define CDPCC_SIMD_SOURCE_LOCATION_H
#include <llvm-c/Types.h>

struct lower_context;
struct lower_place;

/* The location of the instruction in the user's source. For code that is inlined from cdpcc's own
 * headers, that is the place where the user calls it, and *call is the outermost function of those
 * headers; else NULL. No instruction, or none with a location: the file is NULL. */
struct lower_place simd_user_location(const struct lower_context *lower, LLVMValueRef at,
                                      const char **call);
/* The first instruction from here on that has a location, or NULL; a loop's first values have
 * none. */
LLVMValueRef simd_with_line(LLVMValueRef at);

#endif
