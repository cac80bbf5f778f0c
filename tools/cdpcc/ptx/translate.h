/* The state of a translation of inline PTX that the operations need.
 *
 * One struct ptx_code exists while one asm is translated. The translator of each group of
 * operations (ptx/operations.c, convert.c, carry.c, warp.c, memory.c, mbarrier.c) reads operands
 * with ptx_read, emits code at the builder, and writes results with ptx_write (the table is
 * forms.def). A translator returns false for a form that it does not know; the statement is then
 * reported as not supported. For a known form with a mistake it complains, which gives a better
 * message. */
#ifndef CDPCC_LOWER_PTX_H
#define CDPCC_LOWER_PTX_H
#include "ir/context.h"
#include "ptx/parse.h"

/* A product a * b that a sum may be joined with (ptx/float.c): values in the block; NULL: none. */
struct ptx_product {
    LLVMValueRef a, b;
    LLVMBasicBlockRef block;
    bool is_flushed; /* .ftz */
};

/* A PTX register, or an operand of the asm, as a stack slot of its width; or a .param. The name is
 * unique in the asm. The slot is an alloca of the function that replaces the asm. */
struct ptx_slot {
    const char *name;
    LLVMTypeRef type; /* an integer type; of a .param, an array of bytes */
    LLVMValueRef address;
    uint64_t bytes;             /* of a .param; else 0 */
    struct ptx_product product; /* that it holds */
};

/* A label, and the block that begins there. In the arena. */
struct ptx_block_label {
    const char *name;
    LLVMBasicBlockRef block;
};

/* The state of translating one asm. On the stack of make_function; arrays in the arena. Statements
 * before the builder's position are translated. */
struct ptx_code {
    struct lower_context *lower;
    const struct ptx_block *block; /* of the asm */
    LLVMValueRef function;         /* the function that replaces the asm */
    LLVMBuilderRef builder;
    struct ptx_slot *slots;
    size_t slot_count;
    bool is_volatile;   /* the asm is volatile */
    bool failed;        /* an operand or a type is unknown */
    const char *reason; /* for the message; NULL: no further reason */
    bool launches;      /* calls a function that launches a grid */
    bool shares_carry;  /* reads or writes the carry of other asms */
    struct ptx_block_label *labels;
    size_t label_count;
};

/* Records that the asm cannot be translated; the first reason counts. Translation may go on, and
 * emits code that is never used. */
void ptx_complain(struct ptx_code *code, const char *reason);

/* A PTX type: 'u' (unsigned), 's' (signed), 'b' (bits), 'f' (floating point), 'p' (predicate) and
 * its width in bits. */
struct ptx_type {
    char kind; /* 0: none */
    unsigned bits;
};
/* The type of "u32" and the like; kind 0 if it is no type. */
struct ptx_type ptx_type_of(const char *name);
/* The last type among the opcode's parts; kind 0 if there is none. */
struct ptx_type ptx_statement_type(const struct ptx_statement *statement);
/* Whether the opcode has the part, not counting the first: "volatile" in "ld.volatile.u32". */
bool ptx_has(const struct ptx_statement *statement, const char *part);

/* NULL if nothing of that name is declared. Valid until the next ptx_add_slot. */
struct ptx_slot *ptx_find_slot(struct ptx_code *code, const char *name);
void ptx_add_slot(struct ptx_code *code, struct ptx_slot slot);

/* The integer type with that many bits. */
LLVMTypeRef ptx_int(const struct ptx_code *code, unsigned bits);
/* The operand as an integer with that many bits: truncated or zero-extended. */
LLVMValueRef ptx_read(struct ptx_code *code, const struct ptx_operand *operand, unsigned bits);
/* The same as a value of the type; floating-point types as floating-point values. */
LLVMValueRef ptx_read_as(struct ptx_code *code, const struct ptx_operand *operand,
                         struct ptx_type type);
/* Stores a value to a register, with the register's width: truncated or zero-extended. Complains
 * if there is none of that name. "_" ignores the value. */
void ptx_write(struct ptx_code *code, const char *name, LLVMValueRef value);
/* A register, an operand of the asm, or a special register such as %laneid, with that many bits;
 * poison after a complaint. */
LLVMValueRef ptx_read_name(struct ptx_code *code, const char *name, unsigned bits);
/* The bits of a register or an operand of the asm; 0 if there is none of this name. */
unsigned ptx_width(struct ptx_code *code, const char *name);
/* The address of an operand in brackets. */
LLVMValueRef ptx_address(struct ptx_code *code, const struct ptx_statement *statement,
                         const struct ptx_operand *operand);

/* A special register, such as "%tid.x"; NULL if there is none of this name. */
LLVMValueRef ptx_special_register(struct ptx_code *code, const char *name);

/* A call of a function of the device headers or the runtime, by its device name. */
LLVMValueRef ptx_call(struct ptx_code *code, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count);
/* A call of an LLVM intrinsic that is overloaded for one type. */
LLVMValueRef ptx_intrinsic(struct ptx_code *code, const char *name, LLVMTypeRef type,
                           LLVMValueRef *arguments, unsigned count);
/* The number of the thread in its warp, 0 to 31, as i32. */
LLVMValueRef ptx_lane(struct ptx_code *code);

/* Translates one statement, without its guard; false if it is unknown. In ptx/forms.c. */
bool ptx_translate(struct ptx_code *code, const struct ptx_statement *statement);
/* The address in 64 bits of shared memory, from the whole one or its lower half. With
 * shared::cluster it may be another block's. */
LLVMValueRef ptx_shared_address(struct ptx_code *code, const struct ptx_statement *statement,
                                LLVMValueRef address);
/* Memory of the function for one value. */
LLVMValueRef ptx_scratch(struct ptx_code *code, LLVMTypeRef type);
/* Zero of the same sign instead of a subnormal float; other types do not change. */
LLVMValueRef ptx_flush(struct ptx_code *code, LLVMValueRef value);
/* Instead of any NaN of a float the one that a GPU's operations give; other types do not change.
 * ptx/float.c, like the following. */
LLVMValueRef ptx_one_nan(struct ptx_code *code, LLVMValueRef value);
/* Instead of a signalling NaN of a double the quiet one; other types do not change. */
LLVMValueRef ptx_quiet(struct ptx_code *code, LLVMValueRef value);
/* From 0 to 1; a NaN gives 0. */
LLVMValueRef ptx_clamp_float(struct ptx_code *code, LLVMValueRef value);

/* Creates the memory of a .param variable, filled with zeros. ptx/call.c, like the following. */
void ptx_add_param(struct ptx_code *code, const struct ptx_variable *variable);
/* The address of an access to a .param; poison, after a complaint, if it is outside. */
LLVMValueRef ptx_param_address(struct ptx_code *code, const struct ptx_operand *operand,
                               unsigned bytes);
/* False, after a complaint, if the launch functions have another form. */
bool ptx_check_prototype(struct ptx_code *code, const struct ptx_prototype *prototype);
bool ptx_translate_call(struct ptx_code *code, const struct ptx_call *call);

#endif
