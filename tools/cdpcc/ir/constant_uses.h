/* A constant address that becomes a value of each function. */
#ifndef CDPCC_IR_CONSTANT_USES_H
#define CDPCC_IR_CONSTANT_USES_H
#include "ir/context.h"

/* What replaces a constant. Used during one call of lower_replace_uses; data is the caller's. */
struct lower_replacement {
    LLVMValueRef constant;
    /* The address within a function: an instruction near its start. */
    LLVMValueRef (*address_in)(struct lower_context *lower, void *data, LLVMValueRef function);
    void *data;
};
/* Replaces all uses of the constant in functions, also those within other constants; these become
 * instructions. Reports an error if a variable of the program is initialized with the address. */
void lower_replace_uses(struct lower_context *lower, const struct lower_replacement *replacement);
/* Calls visit for each function that uses the constant, also through other constants and variables
 * that contain it. A function may be visited several times. */
void lower_using_functions(LLVMValueRef constant, void (*visit)(void *data, LLVMValueRef function),
                           void *data);

#endif
