/* AddressSanitizer in block entries. */
#ifndef CDPCC_INSTRUMENT_ADDRESS_H
#define CDPCC_INSTRUMENT_ADDRESS_H
struct lower_context;

/* Puts a call of the runtime before each access of each thread entry. */
void instrument_addresses(const struct lower_context *lower);
/* Removes the calls that are left in thread entries. */
void instrument_forget_addresses(const struct lower_context *lower);

#endif
