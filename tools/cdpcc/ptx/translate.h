/* The state of a translation of inline PTX that the operations need. */
#ifndef CDPCC_LOWER_PTX_H
#define CDPCC_LOWER_PTX_H
#include "ir/context.h"
#include "ptx/parse.h"

/* A PTX register, or an operand of the asm, as a stack slot of its width; or a .param. */
struct ptx_slot {
    const char *name;
    LLVMTypeRef type; /* an integer type; of a .param, an array of bytes */
    LLVMValueRef address;
    uint64_t bytes; /* of a .param; else 0 */
};

struct ptx_code {
    struct lower_context *lower;
    LLVMValueRef function; /* the function that replaces the asm */
    LLVMBuilderRef builder;
    struct ptx_slot *slots;
    size_t slot_count;
    bool is_volatile;   /* the asm is volatile */
    bool failed;        /* an operand or a type is unknown */
    const char *reason; /* for the message; NULL: no further reason */
    bool launches;      /* calls a function that launches a grid */
};

/* Records that the asm cannot be translated; the first reason counts. */
void ptx_complain(struct ptx_code *code, const char *reason);

/* A PTX type: 'u' 's' 'b' 'f' 'p' and a width. */
struct ptx_type {
    char kind; /* 0: none */
    unsigned bits;
};
struct ptx_type ptx_type_of(const char *name);
/* The last type among the opcode's parts. */
struct ptx_type ptx_statement_type(const struct ptx_statement *statement);
bool ptx_has(const struct ptx_statement *statement, const char *part);

/* NULL if nothing of that name is declared. */
struct ptx_slot *ptx_find_slot(struct ptx_code *code, const char *name);
void ptx_add_slot(struct ptx_code *code, struct ptx_slot slot);

LLVMTypeRef ptx_int(const struct ptx_code *code, unsigned bits);
/* The operand as an integer with that many bits: truncated or zero-extended. */
LLVMValueRef ptx_read(struct ptx_code *code, const struct ptx_operand *operand, unsigned bits);
/* The same as a value of the type; floating-point types as floating-point values. */
LLVMValueRef ptx_read_as(struct ptx_code *code, const struct ptx_operand *operand,
                         struct ptx_type type);
void ptx_write(struct ptx_code *code, const char *name, LLVMValueRef value);
LLVMValueRef ptx_read_name(struct ptx_code *code, const char *name, unsigned bits);
/* The bits of a register or an operand of the asm; 0 if there is none of this name. */
unsigned ptx_width(struct ptx_code *code, const char *name);
/* The address of an operand in brackets. */
LLVMValueRef ptx_address(struct ptx_code *code, const struct ptx_statement *statement,
                         const struct ptx_operand *operand);

/* A call of a function of the device headers or the runtime, by its device name. */
LLVMValueRef ptx_call(struct ptx_code *code, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count);
LLVMValueRef ptx_intrinsic(struct ptx_code *code, const char *name, LLVMTypeRef type,
                           LLVMValueRef *arguments, unsigned count);
LLVMValueRef ptx_lane(struct ptx_code *code);

/* Translates one statement, without its guard; false if it is unknown. */
bool ptx_translate(struct ptx_code *code, const struct ptx_statement *statement);
bool ptx_translate_warp(struct ptx_code *code, const struct ptx_statement *statement);
bool ptx_translate_memory(struct ptx_code *code, const struct ptx_statement *statement);
bool ptx_translate_mbarrier(struct ptx_code *code, const struct ptx_statement *statement);

/* ptx/call.c: .param variables and calls. */
void ptx_add_param(struct ptx_code *code, const struct ptx_variable *variable);
/* The address of an access to a .param; poison, after a complaint, if it is outside. */
LLVMValueRef ptx_param_address(struct ptx_code *code, const struct ptx_operand *operand,
                               unsigned bytes);
/* False, after a complaint, if the launch functions have another form. */
bool ptx_check_prototype(struct ptx_code *code, const struct ptx_prototype *prototype);
bool ptx_translate_call(struct ptx_code *code, const struct ptx_call *call);

#endif
