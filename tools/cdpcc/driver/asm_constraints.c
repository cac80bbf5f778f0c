/* Rewrites the constraints of PTX inline assembly in preprocessed code.
 *
 * asm("add.f32 %0, %1, %laneid;" : "=f"(x) : "f"(y)) names registers of a GPU. There "f" is a
 * register for floats, here it is an x87 register. There "h" is a 16-bit register, here it has no
 * meaning. The letters are replaced by those of this machine's registers of the same kind. The
 * lowering then translates the instructions. The percent sign of a %name that is no operand is
 * doubled, as clang requires in an asm with operands.
 *
 * All asm is treated in the same way, also that of host functions: the device compilation parses
 * it, but neither checks nor emits it.
 *
 * Before and after:
 *
 *     asm("mov.u32 %0, %laneid; add.u64 %1, %1, 1;" : "=r"(a), "+l"(b));
 *     asm("mov.u32 %0, %%laneid; add.u64 %1, %1, 1;" : "=r"(a), "+r"(b));
 *
 * The text is copied token by token, so words in comments, strings and raw strings are no asm.
 * Only sections 0 to 2 of an asm are changed: the instructions, the outputs and the inputs. */
#include "driver/asm_constraints.h"

#include "driver/diag.h"
#include "support/arena.h"
#include "support/str.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptx_asm_is_cause(const char *messages)
{
    static const char *const words[] = {"constraint '", "in inline asm", "inline assembly"};
    const char *error = messages;
    while ((error = strstr(error, " error: ")) != NULL) {
        const char *line = str_copy(error, strcspn(error, "\n"));
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            if (strstr(line, words[i]) != NULL) {
                return true;
            }
        }
        error++;
    }
    return false;
}

/* The input text, which ends with a NUL, and the output. */
struct scan {
    const char *at;
    FILE *out;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The end of a string or character literal that starts at text. */
static const char *literal_end(const char *text)
{
    char quote = *text++;
    while (*text != '\0' && *text != quote && *text != '\n') {
        text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
    }
    return *text == quote ? text + 1 : text;
}

/* The end of a raw string. text points to the quote after R. */
static const char *raw_end(const char *text)
{
    size_t length = strcspn(text + 1, "(");
    const char *closing = str_format(")%.*s\"", (int)length, text + 1);
    const char *end = strstr(text, closing);
    return end == NULL ? text + strlen(text) : end + strlen(closing);
}

/* The end of the token that starts at text; text is not at the end of the input. */
static const char *token_end(const char *text)
{
    if (*text == '"' || *text == '\'') {
        return literal_end(text);
    }
    if (isdigit((unsigned char)*text)) {
        /* 1'000 contains no character literal. */
        while (is_word(*text) || *text == '.' || (*text == '\'' && is_word(text[1]))) {
            text++;
        }
        return text;
    }
    if (!is_word(*text)) {
        return text + 1;
    }
    const char *end = text;
    while (is_word(*end)) {
        end++;
    }
    return end[-1] == 'R' && *end == '"' && end - text <= 3 ? raw_end(end) : end;
}

static void copy_to(struct scan *scan, const char *end)
{
    fwrite(scan->at, 1, (size_t)(end - scan->at), scan->out);
    scan->at = end;
}

/* Whether the token from text to end is the word. */
static bool token_is(const char *text, const char *end, const char *word)
{
    return (size_t)(end - text) == strlen(word) && strncmp(text, word, strlen(word)) == 0;
}

/* The opening parenthesis of an asm, after the word asm; NULL if there is none. */
static const char *find_open(const char *text)
{
    static const char *const qualifiers[] = {"volatile", "__volatile__", "__volatile", "inline",
                                             "goto"};
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text == '(' || *text == '\0') {
            return *text == '(' ? text : NULL;
        }
        const char *end = token_end(text);
        bool known = false;
        for (size_t i = 0; i < sizeof(qualifiers) / sizeof(qualifiers[0]); i++) {
            known = known || token_is(text, end, qualifiers[i]);
        }
        if (!known) {
            return NULL;
        }
        text = end;
    }
}

/* Whether the asm whose parenthesis opens at text has operands.
 *
 * A colon at the depth of the asm's own parenthesis. Without operands a percent sign has no
 * meaning to clang, and is not doubled. */
static bool has_operands(const char *text)
{
    int depth = 0;
    while (*text != '\0') {
        if (strchr("([{", *text) != NULL) {
            depth++;
        } else if (strchr(")]}", *text) != NULL && --depth == 0) {
            return false;
        } else if (*text == ':' && depth == 1) {
            return true;
        }
        text = token_end(text);
    }
    return false;
}

/* Copies one literal of the instructions, percent signs of names doubled. */
static void copy_instructions(struct scan *scan, const char *end)
{
    for (; scan->at < end; scan->at++) {
        char next = scan->at[0] == '%' ? scan->at[1] : '\0';
        if (next == '%') {
            fputc('%', scan->out);
            scan->at++;
        } else if (isalpha((unsigned char)next) || next == '_') {
            fputc('%', scan->out);
        }
        fputc(*scan->at, scan->out);
    }
}

/* The letters of PTX: h (16 bits), f and d (floating point), l (64 bits), q (128 bits), C
 * (constant), b (predicate). */
static char map_letter(char letter)
{
    static const char from[] = "hfdlqCb", to[] = "rxxrrir";
    const char *found = strchr(from, letter);
    return found == NULL ? letter : to[found - from];
}

/* Copies adjacent literals, which form one constraint, as one literal; keeps the line count. */
static void copy_constraint(struct scan *scan)
{
    char *text = arena_alloc(256);
    size_t length = 0, lines = 0;
    const char *next = scan->at;
    while (*next == '"') {
        const char *end = literal_end(next);
        for (const char *c = next + 1; c < end - 1 && length < 255; c++) {
            text[length++] = *c;
        }
        scan->at = end;
        for (next = end; isspace((unsigned char)*next); next++) {
        }
        if (*next == '"') {
            for (const char *c = end; c < next; c++) {
                lines += *c == '\n';
            }
        }
    }
    size_t marks = strspn(text, "=+&");
    if (length == marks + 1) {
        text[marks] = map_letter(text[marks]);
    }
    fprintf(scan->out, "\"%s\"", text);
    while (lines-- > 0) {
        fputc('\n', scan->out);
    }
}

/* Copies an asm from its opening parenthesis to the closing one. */
static void copy_asm(struct scan *scan)
{
    bool operands = has_operands(scan->at);
    int depth = 0, section = 0;
    while (*scan->at != '\0') {
        char c = *scan->at;
        if (c == '"' && depth == 1 && section == 0 && operands) {
            copy_instructions(scan, literal_end(scan->at));
            continue;
        }
        if (c == '"' && depth == 1 && (section == 1 || section == 2)) {
            copy_constraint(scan);
            continue;
        }
        depth += strchr("([{", c) != NULL;
        depth -= strchr(")]}", c) != NULL;
        section += c == ':' && depth == 1;
        copy_to(scan, token_end(scan->at));
        if (depth == 0) {
            return;
        }
    }
}

/* Lines that begin with '#' are line markers or pragmas. */
static void copy_all(struct scan *scan)
{
    bool line_start = true;
    while (*scan->at != '\0') {
        if (line_start && *scan->at == '#') {
            copy_to(scan, scan->at + strcspn(scan->at, "\n"));
            continue;
        }
        const char *end = token_end(scan->at);
        line_start = *scan->at == '\n';
        bool is_asm = token_is(scan->at, end, "asm") || token_is(scan->at, end, "__asm__") ||
                      token_is(scan->at, end, "__asm");
        copy_to(scan, end);
        const char *open = is_asm ? find_open(end) : NULL;
        if (open != NULL) {
            copy_to(scan, open);
            copy_asm(scan);
        }
    }
}

int ptx_asm_rewrite(const char *from, const char *to)
{
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    char *text = NULL;
    size_t size = 0;
    /* Preprocessed source contains no NUL, so this is the whole file. */
    if (in == NULL || out == NULL || (getdelim(&text, &size, '\0', in) < 0 && ferror(in))) {
        diag_error("cannot rewrite '%s' to '%s': %s", from, to, strerror(errno));
        return 1;
    }
    fclose(in);
    struct scan scan = {.at = text == NULL ? "" : text, .out = out};
    copy_all(&scan);
    free(text);
    if (fclose(out) != 0) {
        diag_error("cannot write '%s': %s", to, strerror(errno));
        return 1;
    }
    return 0;
}
