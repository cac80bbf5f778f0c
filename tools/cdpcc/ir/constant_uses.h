/* A constant address that becomes a value of each function. */
#ifndef CDPCC_IR_CONSTANT_USES_H
#define CDPCC_IR_CONSTANT_USES_H
#include "ir/context.h"

struct lower_replacement {
    LLVMValueRef constant;
    /* The address within a function: an instruction near its start. */
    LLVMValueRef (*address_in)(struct lower_context *lower, void *data, LLVMValueRef function);
    void *data;
};
/* Also replaces uses in other constants; these become instructions. */
void lower_replace_uses(struct lower_context *lower, const struct lower_replacement *replacement);
/* Each function that uses the constant, perhaps several times. */
void lower_using_functions(LLVMValueRef constant, void (*visit)(void *data, LLVMValueRef function),
                           void *data);

#endif
