/* The parsed text of an inline PTX statement block.
 *
 * Only the grammar: labels, guards, opcodes, operands, declarations and their scopes.
 * ptx/operations.c implements the opcodes.
 *
 * Example: the template "@$2 add.u32 $0, $1, -3;" has one statement with the guard "$2", the parts
 * "add" and "u32", and the operands $0, $1 (names) and a number.
 *
 * All strings and arrays are in the arena. A block and what it refers to live as long as the
 * program; nothing changes after ptx_parse. */
#ifndef CDPCC_PTX_PARSE_H
#define CDPCC_PTX_PARSE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_operand_kind {
    PTX_NAME,    /* a register, "$3" for an operand of the asm, or "%laneid" */
    PTX_NUMBER,  /* an integer, or the bits of a floating constant */
    PTX_ADDRESS, /* [name+number] or [number] */
    PTX_VECTOR,  /* {name, name, ...} */
    PTX_TENSOR,  /* [name, {name, ...}]: an address and a vector */
};

/* Limits of one statement. The parser refuses text that exceeds them, it never cuts it off. */
enum { PTX_MAX_OPERANDS = 8, PTX_MAX_VECTOR = 8, PTX_MAX_PARTS = 14, PTX_MAX_ARGUMENTS = 16 };

/* One operand. Only the fields of its kind are set, the others are 0. */
struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;         /* !p, -r */
    const char *name;     /* NULL in an address that is a plain number */
    const char *second;   /* of "d|p" */
    const char *selector; /* "b3210" or "h1" behind the name; NULL: none */
    uint64_t number;
    const char *elements[PTX_MAX_VECTOR];
    unsigned element_count;
};

/* "call.uni (result), function, (argument, ...)": names of .param variables.
 *
 * Strings are unique names of variables, except function. In the arena. */
struct ptx_call {
    const char *result; /* NULL: none */
    const char *function;
    const char *arguments[PTX_MAX_ARGUMENTS];
    unsigned argument_count;
};

/* One statement, in the order of the text. Names of declared variables are already their unique
 * names. */
struct ptx_statement {
    const char *text;  /* the statement itself, for messages */
    const char *label; /* of "NAME:", which is a statement without parts; else NULL */
    const char *guard; /* of "@p"; NULL: always */
    bool guard_negated;
    const char *parts[PTX_MAX_PARTS]; /* the opcode between its dots */
    unsigned part_count;
    bool is_of_cluster; /* a part was "shared::cluster"; it is "shared" here, as "shared::cta" is */
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    unsigned operand_count;
    struct ptx_call *call; /* of the opcode "call", which has no operands; else NULL */
};

/* A variable declared by ".reg .u32 a, b;" or ".param .align 4 .b8 g[12];".
 *
 * A variable of the whole asm: its scope only matters while the text is read. */
struct ptx_variable {
    const char *name;   /* unique in the block: operands have this name instead of source */
    const char *source; /* the name in the text */
    const char *type;   /* of an element, without its dot */
    uint64_t count;     /* elements; 1 unless it is an array */
    unsigned align;     /* bytes; 0: the type's alignment */
    unsigned depth;     /* braces around it */
    bool is_param;      /* memory for arguments and results of calls; else a register */
    bool is_visible;    /* while its scope is read */
};

/* ".extern .func (.param .b64 r) f (.param .b64 a);"
 *
 * Only checked against the functions that the runtime has; calls do not need one. */
struct ptx_prototype {
    const char *text; /* for messages */
    const char *name;
    struct ptx_variable result; /* type NULL: none */
    struct ptx_variable parameters[PTX_MAX_ARGUMENTS];
    unsigned parameter_count;
};

/* The result of parsing one template. Each array is in the order of the text, in the arena. */
struct ptx_block {
    struct ptx_statement *statements;
    size_t statement_count;
    struct ptx_variable *variables;
    size_t variable_count;
    struct ptx_prototype *prototypes;
    size_t prototype_count;
    const char *reason; /* why ptx_parse stopped, if it is known */
};

/* The name in the text for a name in an operand: "r" for "r'3". In the arena. */
const char *ptx_source_name(const char *name);

/* Parses the template of an LLVM inline assembly, and replaces *block. Returns NULL, or the text
 * that cannot be parsed; then block->reason may say why. */
const char *ptx_parse(const char *template_text, struct ptx_block *block);

#endif
