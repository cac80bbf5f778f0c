/* Sites: the descriptions of accesses that checked code passes to the runtime. */
#ifndef CDPCC_INSTRUMENT_SITE_H
#define CDPCC_INSTRUMENT_SITE_H
#include "instrument/kept_lines.h"
#include "ir/context.h"

/* A global of struct cdp_abi_site in section cdp_sites for the instruction. flags: enum
 * cdp_abi_site_flags. variable: what is accessed, in the source's words; may be NULL. Instructions
 * of the same line and column share a site if the flags are the same. */
LLVMValueRef instrument_site(struct lower_context *lower, LLVMValueRef at, uint32_t flags,
                             const char *variable);
/* The flags of such a global. */
uint32_t instrument_flags_of_site(LLVMValueRef site);
/* The user's place of an instruction. The file is NULL if it is not known. */
struct instrument_place instrument_place_of(struct lower_context *lower, LLVMValueRef at);
/* A private constant string, once for each text; a null pointer for NULL. */
LLVMValueRef instrument_text(struct lower_context *lower, const char *text);
/* The source's name of a variable, from a stack slot or a global; NULL if it has none. */
const char *instrument_variable_name(struct lower_context *lower, LLVMValueRef variable);

#endif
