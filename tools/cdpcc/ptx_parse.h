/* The text of an inline PTX statement block, taken apart.
 *
 * Only the grammar: labels, guards, opcodes and operands.  What an opcode means is
 * lower_ptx_ops.c's business. */
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
};

enum { PTX_MAX_OPERANDS = 8, PTX_MAX_VECTOR = 4, PTX_MAX_PARTS = 10 };

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;       /* !p, -r */
    const char *name;   /* NULL in an address that is a plain number */
    const char *second; /* of "d|p" */
    uint64_t number;
    const char *elements[PTX_MAX_VECTOR];
    unsigned element_count;
};

struct ptx_statement {
    const char *text;  /* the statement itself, for messages */
    const char *guard; /* of "@p"; NULL: always */
    bool guard_negated;
    const char *parts[PTX_MAX_PARTS]; /* the opcode between its dots */
    unsigned part_count;
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    unsigned operand_count;
};

/* A declaration: ".reg .u32 a, b;" gives each name its type. */
struct ptx_register {
    const char *name, *type; /* type without its dot */
};

struct ptx_block {
    struct ptx_statement *statements;
    size_t statement_count;
    struct ptx_register *registers;
    size_t register_count;
};

/* Takes the template of an LLVM inline assembly.  NULL, or what cannot be read. */
const char *ptx_parse(const char *template_text, struct ptx_block *block);

#endif
