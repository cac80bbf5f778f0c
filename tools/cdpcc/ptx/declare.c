/* Declarations in PTX: registers, .param variables, forms of functions.
 *
 * A name is visible from its declaration to the end of the enclosing braces. It may be declared
 * again in other braces with another type, as compilers do for each call. So each variable gets a
 * unique name, "source'number", and operands use this name.
 *
 * Example, from code that compilers emit for two calls:
 *
 *     { .param .b64 p;  st.param.b64 [p], $1;  call f, (p); }      p is "p'0"
 *     { .param .b32 p;  st.param.b32 [p], $2;  call g, (p); }      p is "p'1"
 *
 * A quote cannot be a part of a PTX name, so a unique name never equals a name of the source. */
#include "ptx/read.h"
#include "support/arena.h"
#include "support/str.h"

#include <ctype.h>
#include <string.h>

static bool starts_with_word(const char *text, const char *word)
{
    return str_starts(text, word) && isspace((unsigned char)text[strlen(word)]);
}

bool ptx_is_declaration(const char *text)
{
    return starts_with_word(text, ".reg") || starts_with_word(text, ".param") ||
           starts_with_word(text, ".extern");
}

/* The visible variable with this name that was declared last. */
static const struct ptx_variable *find(const struct ptx_block *block, const char *source)
{
    for (size_t i = block->variable_count; i-- > 0;) {
        const struct ptx_variable *variable = &block->variables[i];
        if (variable->is_visible && strcmp(variable->source, source) == 0) {
            return variable;
        }
    }
    return NULL;
}

/* A name that is not declared stays as it is: an operand of the asm or a special register. */
static const char *resolve(const struct ptx_block *block, const char *source)
{
    const struct ptx_variable *variable = source == NULL ? NULL : find(block, source);
    return variable == NULL ? source : variable->name;
}

void ptx_resolve(const struct ptx_block *block, struct ptx_statement *statement)
{
    statement->guard = resolve(block, statement->guard);
    for (unsigned i = 0; i < statement->operand_count; i++) {
        struct ptx_operand *operand = &statement->operands[i];
        operand->name = resolve(block, operand->name);
        operand->second = resolve(block, operand->second);
        for (unsigned k = 0; k < operand->element_count; k++) {
            operand->elements[k] = resolve(block, operand->elements[k]);
        }
    }
    struct ptx_call *call = statement->call;
    if (call == NULL) {
        return;
    }
    call->result = resolve(block, call->result);
    for (unsigned i = 0; i < call->argument_count; i++) {
        call->arguments[i] = resolve(block, call->arguments[i]);
    }
}

/* Variables stay in the block's list, because they need memory for the whole function. */
void ptx_end_scope(struct ptx_block *block, unsigned depth)
{
    for (size_t i = 0; i < block->variable_count; i++) {
        block->variables[i].is_visible &= block->variables[i].depth <= depth;
    }
}

const char *ptx_source_name(const char *name)
{
    return str_copy(name, strcspn(name, "'"));
}

/* A variable hides one of the same name in an outer scope. */
static bool add_variable(struct ptx_block *block, struct ptx_variable variable)
{
    const struct ptx_variable *other = find(block, variable.source);
    if (other != NULL && other->depth == variable.depth) {
        block->reason = str_format("'%s' is declared twice", variable.source);
        return false;
    }
    variable.name = str_format("%s'%zu", variable.source, block->variable_count);
    variable.is_visible = true;
    size_t size = sizeof variable, count = block->variable_count;
    block->variables = arena_grow(block->variables, count * size, (count + 1) * size);
    block->variables[block->variable_count++] = variable;
    return true;
}

/* [12] after a name; [] has no size here. */
static bool read_length(const char **at, struct ptx_variable *variable)
{
    variable->count = 1;
    if (!ptx_accept(at, '[')) {
        return true;
    }
    *at = ptx_skip_blanks(*at);
    return ptx_read_number(at, &variable->count) && variable->count > 0 && ptx_accept(at, ']');
}

/* ".param .align 4 .b8 name[12]" and ".reg .u32 name". The form of a function may omit the name;
 * then it is "". */
static bool read_variable(const char **at, struct ptx_variable *variable)
{
    *variable = (struct ptx_variable){.source = ""};
    const char *space = ptx_read_word(at), *word;
    if (space == NULL) {
        return false;
    }
    variable->is_param = strcmp(space, ".param") == 0;
    *at = ptx_skip_blanks(*at);
    word = ptx_read_word(at);
    if (word != NULL && strcmp(word, ".align") == 0) {
        uint64_t align;
        *at = ptx_skip_blanks(*at);
        if (!ptx_read_number(at, &align) || align == 0 || align > 128) {
            return false;
        }
        variable->align = (unsigned)align;
        *at = ptx_skip_blanks(*at);
        word = ptx_read_word(at);
    }
    if (word == NULL || word[0] != '.') {
        return false;
    }
    variable->type = word + 1;
    *at = ptx_skip_blanks(*at);
    word = ptx_read_word(at);
    variable->source = word == NULL ? "" : word;
    return read_length(at, variable);
}

/* The parenthesis of results or parameters. */
static bool read_list(const char **at, struct ptx_variable *list, unsigned most, unsigned *count)
{
    *count = 0;
    if (!ptx_accept(at, '(')) {
        return false;
    }
    while (!ptx_accept(at, ')')) {
        *at = ptx_skip_blanks(*at);
        if (*count == most || !read_variable(at, &list[(*count)++])) {
            return false;
        }
        (void)ptx_accept(at, ',');
    }
    return true;
}

/* ".extern .func (result) name (parameters)"; both lists may be missing. */
static bool read_prototype(const char *text, struct ptx_block *block)
{
    struct ptx_prototype prototype = {.text = text};
    const char *at = ptx_skip_blanks(text + strlen(".extern"));
    const char *word = ptx_read_word(&at);
    unsigned results = 0;
    if (word == NULL || strcmp(word, ".func") != 0) {
        return false;
    }
    at = ptx_skip_blanks(at);
    if (*at == '(' && !read_list(&at, &prototype.result, 1, &results)) {
        return false;
    }
    at = ptx_skip_blanks(at);
    prototype.name = ptx_read_word(&at);
    at = ptx_skip_blanks(at);
    if (prototype.name == NULL ||
        (*at == '(' &&
         !read_list(&at, prototype.parameters, PTX_MAX_ARGUMENTS, &prototype.parameter_count)) ||
        *ptx_skip_blanks(at) != '\0') {
        return false;
    }
    size_t size = sizeof prototype, count = block->prototype_count;
    block->prototypes = arena_grow(block->prototypes, count * size, (count + 1) * size);
    block->prototypes[block->prototype_count++] = prototype;
    return true;
}

/* "r<3>" means r0, r1, r2. */
static bool add_numbered(const char **at, struct ptx_block *block, struct ptx_variable variable)
{
    enum { MOST = 1024 };
    const char *stem = variable.source;
    uint64_t count;
    *at = ptx_skip_blanks(*at);
    if (!ptx_read_number(at, &count) || count > MOST || !ptx_accept(at, '>')) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        variable.source = str_format("%s%u", stem, i);
        if (!add_variable(block, variable)) {
            return false;
        }
    }
    return true;
}

bool ptx_declare(const char *text, unsigned depth, struct ptx_block *block)
{
    if (starts_with_word(text, ".extern")) {
        return read_prototype(text, block);
    }
    struct ptx_variable variable;
    const char *at = text;
    if (!read_variable(&at, &variable)) {
        return false;
    }
    variable.depth = depth;
    while (variable.source[0] != '\0') {
        bool is_added = ptx_accept(&at, '<') ? add_numbered(&at, block, variable)
                                             : add_variable(block, variable);
        if (!is_added || !ptx_accept(&at, ',')) {
            return is_added && *ptx_skip_blanks(at) == '\0';
        }
        at = ptx_skip_blanks(at);
        const char *name = ptx_read_word(&at);
        variable.source = name == NULL ? "" : name;
        if (!read_length(&at, &variable)) {
            return false;
        }
    }
    return false;
}
