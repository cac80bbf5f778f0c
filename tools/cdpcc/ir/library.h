/* Device code that cdpcc carries as bitcode and adds to a program's module (math/, ptx/library/).
 */
#ifndef CDPCC_IR_LIBRARY_H
#define CDPCC_IR_LIBRARY_H
#include "ir/context.h"

/* The bitcode from the first byte to the one after the last, as a module of the same LLVM context
 * and target as the program's. NULL if it cannot be read. The caller disposes or links it. */
LLVMModuleRef lower_load_library(const struct lower_context *lower, const unsigned char *bytes,
                                 const unsigned char *end);

/* Moves the library into the program's module and deletes what the program does not use. The
 * functions whose names start with the prefix are called by the program; they and what they call
 * become internal and alwaysinline. */
void lower_link_library(struct lower_context *lower, LLVMModuleRef library, const char *prefix);

#endif
