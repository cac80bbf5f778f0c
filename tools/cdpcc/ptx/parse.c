/* Reads PTX. A template is first converted to plain text (without LLVM's escapes and comments).
 * Then each statement up to its semicolon is parsed.
 *
 * LLVM's template of asm("{ .reg .u32 t; add.u32 t, %1, 1; mov.u32 %0, t; }" ...) is
 *
 *     $( .reg .u32 t; add.u32 t, $1, 1; mov.u32 $0, t; $)
 *
 * The parser reads it from left to right with a pointer to the next byte. Each function moves the
 * pointer behind what it has read, or reports that it cannot read the text. A brace at the start
 * of a statement opens a scope; a brace within a statement is a vector.
 *
 * Opcodes are not known here. "ld.global.v2.u32" is a list of four parts, and ptx/operations.c and
 * its neighbours decide what they mean. So new instructions need no change of the parser. */
#include "ptx/read.h"
#include "support/arena.h"
#include "support/str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "$(" "$|" "$)" "$$" mean { | } $; "$0" does not change. */
static char *plain_text(const char *from)
{
    char *text = arena_alloc(strlen(from) + 1), *to = text;
    while (*from != '\0') {
        if (from[0] == '/' && from[1] == '/') {
            from += strcspn(from, "\n");
        } else if (from[0] == '/' && from[1] == '*') {
            const char *end = strstr(from + 2, "*/");
            from = end == NULL ? from + strlen(from) : end + 2;
            *to++ = ' ';
        } else if (from[0] == '$' && from[1] != '\0' && strchr("(|)$", from[1]) != NULL) {
            *to++ = from[1] == '(' ? '{' : from[1] == ')' ? '}' : from[1];
            from += 2;
        } else {
            *to++ = *from++;
        }
    }
    return text;
}

const char *ptx_skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at)) {
        at++;
    }
    return at;
}

bool ptx_accept(const char **at, char expected)
{
    *at = ptx_skip_blanks(*at);
    bool is_there = **at == expected;
    *at += is_there;
    return is_there;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

const char *ptx_read_word(const char **at)
{
    const char *start = *at;
    while (is_name_char(**at)) {
        (*at)++;
    }
    return *at == start ? NULL : str_copy(start, (size_t)(*at - start));
}

/* 12, -3, 0x1f, and 0f3F800000, 0d...: the bits of a float or double. A number with a decimal point
 * is a double. */
bool ptx_read_number(const char **at, uint64_t *number)
{
    const char *start = *at;
    char *end;
    bool is_bits = start[0] == '0' && start[1] != '\0' && strchr("fFdD", start[1]) != NULL &&
                   isxdigit((unsigned char)start[2]);
    if (is_bits) {
        *number = strtoull(start + 2, &end, 16);
    } else if (start[0] == '-') {
        *number = (uint64_t)strtoll(start, &end, 0);
    } else {
        *number = strtoull(start, &end, 0);
    }
    if (end == start) {
        return false;
    }
    if (*end == '.') {
        double value = strtod(start, &end);
        memcpy(number, &value, sizeof value);
    }
    end += *end == 'U' || *end == 'u';
    *at = end;
    return true;
}

/* A name, or the text of a number. NULL: neither. */
static const char *read_element(const char **at)
{
    if (**at != '-' && !isdigit((unsigned char)**at)) {
        return ptx_read_word(at);
    }
    const char *start = *at;
    uint64_t number;
    return ptx_read_number(at, &number) ? str_copy(start, (size_t)(*at - start)) : NULL;
}

/* From the opening brace. */
static bool read_vector(const char **at, struct ptx_operand *operand)
{
    operand->kind = PTX_VECTOR;
    do {
        *at = ptx_skip_blanks(*at + 1);
        const char *name = read_element(at);
        if (name == NULL || operand->element_count == PTX_MAX_VECTOR) {
            return false;
        }
        operand->elements[operand->element_count++] = name;
        *at = ptx_skip_blanks(*at);
    } while (**at == ',');
    return *(*at)++ == '}';
}

/* From the opening bracket. The number is the offset from the name, or the whole address.
 * A vector may follow. */
static bool read_address(const char **at, struct ptx_operand *operand)
{
    operand->kind = PTX_ADDRESS;
    *at = ptx_skip_blanks(*at + 1);
    if (isdigit((unsigned char)**at)) {
        if (!ptx_read_number(at, &operand->number)) {
            return false;
        }
    } else {
        operand->name = ptx_read_word(at);
        *at = ptx_skip_blanks(*at);
        if (operand->name != NULL && (**at == '+' || **at == '-')) {
            *at = ptx_skip_blanks(*at + (**at == '+'));
            if (!ptx_read_number(at, &operand->number)) {
                return false;
            }
        }
    }
    *at = ptx_skip_blanks(*at);
    if (**at == ',') {
        *at = ptx_skip_blanks(*at + 1);
        if (**at != '{' || !read_vector(at, operand)) {
            return false;
        }
        operand->kind = PTX_TENSOR;
        *at = ptx_skip_blanks(*at);
    }
    return *(*at)++ == ']';
}

/* ".b3210" or ".h1" at the end of a register's name selects its bytes or halves. */
static void split_selector(struct ptx_operand *operand)
{
    const char *dot = operand->name == NULL ? NULL : strrchr(operand->name, '.');
    if (dot == NULL || (dot[1] != 'b' && dot[1] != 'h')) {
        return;
    }
    size_t digits = strspn(dot + 2, dot[1] == 'b' ? "01234567" : "0123");
    if (digits != 0 && digits <= (dot[1] == 'b' ? 4 : 2) && dot[2 + digits] == '\0') {
        operand->selector = dot + 1;
        operand->name = str_copy(operand->name, (size_t)(dot - operand->name));
    }
}

/* "|p" behind a result is another one. False: its name is missing. */
static bool read_second(const char **at, struct ptx_operand *operand)
{
    *at = ptx_skip_blanks(*at);
    if (**at != '|') {
        return true;
    }
    *at = ptx_skip_blanks(*at + 1);
    operand->second = ptx_read_word(at);
    return operand->second != NULL;
}

/* A sign before a digit belongs to the number; before a name it negates the operand. */
static bool read_operand(const char **at, struct ptx_operand *operand)
{
    *operand = (struct ptx_operand){0};
    *at = ptx_skip_blanks(*at);
    if (**at == '!') {
        operand->negated = true;
        *at = ptx_skip_blanks(*at + 1);
    }
    if (**at == '[') {
        return read_address(at, operand);
    }
    if (**at == '{') {
        return read_vector(at, operand) && read_second(at, operand);
    }
    if (isdigit((unsigned char)**at) || (**at == '-' && isdigit((unsigned char)(*at)[1]))) {
        operand->kind = PTX_NUMBER;
        return ptx_read_number(at, &operand->number);
    }
    if (**at == '-') {
        operand->negated = true;
        *at = ptx_skip_blanks(*at + 1);
    }
    operand->kind = PTX_NAME;
    operand->name = ptx_read_word(at);
    split_selector(operand);
    return operand->name != NULL && read_second(at, operand);
}

/* Between its dots. Of the sub-scopes after "::" only that of shared::cluster has a meaning on this
 * machine. */
static bool split_opcode(const char *opcode, struct ptx_statement *statement)
{
    char *copy = str_copy(opcode, strlen(opcode)), *rest = copy;
    for (char *part = strsep(&rest, "."); part != NULL; part = strsep(&rest, ".")) {
        const char *scope = strstr(part, "::"); /* "shared::cta" is "shared" */
        if (scope != NULL) {
            statement->is_of_cluster |= strcmp(part, "shared::cluster") == 0;
            part[scope - part] = '\0';
        }
        if (statement->part_count == PTX_MAX_PARTS) {
            return false;
        }
        statement->parts[statement->part_count++] = part;
    }
    return statement->part_count > 0;
}

static bool read_opcode(const char **at, struct ptx_statement *statement)
{
    const char *start = *at;
    while (is_name_char(**at) || **at == ':') {
        (*at)++;
    }
    return *at != start && split_opcode(str_copy(start, (size_t)(*at - start)), statement);
}

static bool read_operands(const char *at, struct ptx_statement *statement)
{
    at = ptx_skip_blanks(at);
    while (*at != '\0') {
        if (statement->operand_count == PTX_MAX_OPERANDS ||
            !read_operand(&at, &statement->operands[statement->operand_count++])) {
            return false;
        }
        at = ptx_skip_blanks(at);
        if (*at == ',') {
            at = ptx_skip_blanks(at + 1);
        } else if (*at != '\0') {
            return false;
        }
    }
    return true;
}

static bool read_argument_list(const char **at, struct ptx_call *call)
{
    while (!ptx_accept(at, ')')) {
        *at = ptx_skip_blanks(*at);
        const char *name = ptx_read_word(at);
        if (name == NULL || call->argument_count == PTX_MAX_ARGUMENTS) {
            return false;
        }
        call->arguments[call->argument_count++] = name;
        (void)ptx_accept(at, ',');
    }
    return true;
}

/* "(r), f, (a, b)", "f, (a)" or "f" */
static bool read_call(const char *at, struct ptx_statement *statement)
{
    struct ptx_call *call = arena_alloc(sizeof *call);
    *call = (struct ptx_call){0};
    if (ptx_accept(&at, '(')) {
        at = ptx_skip_blanks(at);
        call->result = ptx_read_word(&at);
        if (call->result == NULL || !ptx_accept(&at, ')') || !ptx_accept(&at, ',')) {
            return false;
        }
    }
    at = ptx_skip_blanks(at);
    call->function = ptx_read_word(&at);
    statement->call = call;
    bool is_well_formed = call->function != NULL;
    if (is_well_formed && ptx_accept(&at, ',')) {
        is_well_formed = ptx_accept(&at, '(') && read_argument_list(&at, call);
    }
    return is_well_formed && *ptx_skip_blanks(at) == '\0';
}

static void add_statement(struct ptx_block *block, const struct ptx_statement *statement)
{
    size_t size = sizeof *statement, count = block->statement_count;
    block->statements = arena_grow(block->statements, count * size, (count + 1) * size);
    block->statements[block->statement_count++] = *statement;
}

/* "NAME:"; moves at behind it. Two colons are a part of an opcode. */
static bool read_label(const char **at, struct ptx_block *block)
{
    const char *end = *at;
    struct ptx_statement statement = {.label = ptx_read_word(&end)};
    end = ptx_skip_blanks(end);
    if (statement.label == NULL || end[0] != ':' || end[1] == ':' ||
        strchr(statement.label, '.') != NULL) {
        return false;
    }
    statement.text = statement.label;
    add_statement(block, &statement);
    *at = end + 1;
    return true;
}

/* Adds a declaration or a statement to the block. The text is stored without its semicolon. */
static bool read_statement(const char *text, unsigned depth, struct ptx_block *block)
{
    if (ptx_is_declaration(text)) {
        return ptx_declare(text, depth, block);
    }
    struct ptx_statement statement = {.text = text};
    const char *at = text;
    if (*at == '@') {
        at++;
        statement.guard_negated = *at == '!';
        at += statement.guard_negated;
        statement.guard = ptx_read_word(&at);
        at = ptx_skip_blanks(at);
    }
    if (!read_opcode(&at, &statement)) {
        return false;
    }
    bool is_call = strcmp(statement.parts[0], "call") == 0;
    if (is_call ? !read_call(at, &statement) : !read_operands(at, &statement)) {
        return false;
    }
    ptx_resolve(block, &statement);
    add_statement(block, &statement);
    return true;
}

/* The end of a statement: its semicolon outside braces. Braces enclose a vector. */
static const char *statement_end(const char *at)
{
    while (*at != '\0' && *at != ';') {
        at++;
    }
    return at;
}

const char *ptx_parse(const char *template_text, struct ptx_block *block)
{
    *block = (struct ptx_block){0};
    const char *at = ptx_skip_blanks(plain_text(template_text));
    unsigned depth = 0;
    while (*at != '\0') {
        if (*at == '{' || *at == '}' || *at == ';') {
            depth += *at == '{';
            depth -= *at == '}' && depth > 0;
            ptx_end_scope(block, depth);
            at = ptx_skip_blanks(at + 1);
            continue;
        }
        if (read_label(&at, block)) {
            at = ptx_skip_blanks(at);
            continue;
        }
        const char *end = statement_end(at);
        size_t length = (size_t)(end - at);
        while (length > 0 && isspace((unsigned char)at[length - 1])) {
            length--;
        }
        char *text = str_copy(at, length);
        if (!read_statement(text, depth, block)) {
            return text;
        }
        at = ptx_skip_blanks(end);
    }
    return NULL;
}
