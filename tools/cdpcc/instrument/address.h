/* AddressSanitizer in block entries. */
#ifndef CDPCC_INSTRUMENT_ADDRESS_H
#define CDPCC_INSTRUMENT_ADDRESS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct lower_context;

/* Puts a test before each access of each thread entry, and removes the markers of shared variables.
 */
void instrument_addresses(const struct lower_context *lower);
/* Removes the calls that are left in thread entries. */
void instrument_forget_addresses(const struct lower_context *lower);
/* Whether all accesses of a local variable have a test that needs no red zones. */
bool instrument_is_plain_local(LLVMValueRef address);

#endif
