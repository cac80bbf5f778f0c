/* Finds the variables to which a pointer of device code may point: the local, shared and constant
 * ones among its origins, through offsets, casts and selects. For code in which stack slots have
 * become values. */
#ifndef CDPCC_LOWER_ORIGIN_H
#define CDPCC_LOWER_ORIGIN_H
#include "ir/context.h"
#include "ir/report.h"
#include "ir/value.h"

enum lower_origin_kind { LOWER_ORIGIN_LOCAL, LOWER_ORIGIN_SHARED, LOWER_ORIGIN_CONSTANT };

/* One possible variable. For a local variable value is a value of the function in the scope. */
struct lower_origin {
    enum lower_origin_kind kind;
    LLVMValueRef value; /* a stack slot, a parameter in memory, or a variable */
};

/* The result of one search, in the arena. Each variable is in the list once. */
struct lower_origins {
    struct lower_origin *items;
    size_t count;
    bool others; /* it may point elsewhere, or nowhere */
    struct lower_map seen;
};

/* The analysis covers one function at a time: its local variables in the debug information. The
 * caller sets lower before lower_origin_enter; the rest is replaced by each call of it. */
struct lower_origin_scope {
    struct lower_context *lower; /* shared variables are known by their names */
    struct lower_map numbers;    /* of stack slots */
    LLVMDbgRecordRef *records;   /* the records that declare them */
    size_t count;
};

/* The description of a variable in messages.
 *
 * All strings are in the arena. place.file is NULL if there is no debug information. */
struct lower_variable {
    const char *text;         /* "local variable 'x'" */
    const char *name;         /* "'x'" */
    struct lower_place place; /* of its declaration, if known */
};

/* Starts with another function: collects its debug records. */
void lower_origin_enter(struct lower_origin_scope *scope, LLVMValueRef function);
/* Replaces *origins by the origins of a pointer of the scope's function. For a value of another
 * type only "others" is set. */
void lower_origins_find(const struct lower_origin_scope *scope, LLVMValueRef pointer,
                        struct lower_origins *origins);
/* The texts for messages, in the arena. An unnamed slot is "a local temporary". */
struct lower_variable lower_origin_variable(const struct lower_origin_scope *scope,
                                            const struct lower_origin *origin);

#endif
