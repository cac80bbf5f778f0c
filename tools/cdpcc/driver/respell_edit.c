/* Forms that nvcc accepts and clang does not, and their replacements.
 *
 * Both forms are found in tokens, without knowledge of types. So the rules are careful: a form
 * that is not certainly one of these stays as it is, and clang's own message remains.
 *
 *     k << <1, 1>> >(p);      becomes    k <<< 1, 1>>> (p);      the same length
 *     a << b < c              stays: there is no end of a configuration
 *
 *     __shared__ T x;         becomes    typedef T __cdp_type_x;
 *                                        __shared__ __cdp_place<__cdp_type_x> __cdp_place_x;
 *                                        static constexpr auto &x = __cdp_unbuilt(__cdp_place_x);
 */
#include "driver/respell_edit.h"

#include "support/arena.h"
#include "support/str.h"

#include <string.h>

static void add_edit(struct edits *edits, struct edit edit)
{
    edits->items = arena_grow(edits->items, edits->count * sizeof(*edits->items),
                              (edits->count + 1) * sizeof(*edits->items));
    edits->items[edits->count++] = edit;
}

/* ---- k << <grid, block>> >(...) ---- */

/* Two tokens on one line with only blanks and comments between them. */
static bool are_pair(const struct tokens *tokens, size_t index, const char *first,
                     const char *second)
{
    return lexer_is(tokens, index, first) && lexer_is(tokens, index + 1, second) &&
           tokens->items[index].line == tokens->items[index + 1].line;
}

/* Joins such a pair without changing the length of the text: "<< <" becomes "<<< ". */
static void join_pair(struct edits *edits, const struct tokens *tokens, size_t index)
{
    size_t at = tokens->items[index].at + 2, end = tokens->items[index + 1].at + 1;
    char *with = str_format("%*s", (int)(end - at), "");
    with[0] = tokens->text[end - 1];
    add_edit(edits, (struct edit){.at = at, .length = end - at, .with = with});
}

/* Follows the configuration of a launch to its end: from the token after "<<<". */
struct scan {
    const struct tokens *tokens;
    size_t at;
    unsigned depth;  /* of brackets */
    unsigned angles; /* number of angle brackets that may be open: of template arguments, or
                        "smaller than" */
};

/* Whether a position is after the configuration in any case. */
static bool is_beyond(const struct scan *scan, unsigned directive)
{
    const struct tokens *tokens = scan->tokens;
    return scan->at >= tokens->count || tokens->items[scan->at].directive != directive ||
           (scan->depth == 0 &&
            (lexer_is(tokens, scan->at, ";") || lexer_is(tokens, scan->at, "}") ||
             lexer_is(tokens, scan->at, ")") || lexer_is(tokens, scan->at, "]")));
}

/* "<" may be the start of template arguments or "less than"; both are counted. */
static void count_brackets(struct scan *scan)
{
    const struct tokens *tokens = scan->tokens;
    char c = tokens->text[tokens->items[scan->at].at];
    bool is_short = tokens->items[scan->at].length == 1;
    if (is_short && strchr("([{", c) != NULL) {
        scan->depth++;
    } else if (is_short && strchr(")]}", c) != NULL) {
        scan->depth--;
    } else if (scan->depth == 0 && lexer_is(tokens, scan->at, "<")) {
        scan->angles++;
    } else if (scan->depth == 0 && c == '>') {
        unsigned closed = lexer_is(tokens, scan->at, ">")    ? 1
                          : lexer_is(tokens, scan->at, ">>") ? 2
                                                             : 0;
        scan->angles -= closed < scan->angles ? closed : scan->angles;
    }
}

/* The end of a configuration: ">>>" or ">> >" before the arguments. Returns the number of tokens if
 * there is none; then it is no configuration. Template arguments may make several ends possible.
 * Then it is the first one that leaves no template argument list open, else the last. */
static size_t find_end(const struct tokens *tokens, size_t start)
{
    size_t found = tokens->count;
    if (start >= tokens->count) {
        return found;
    }
    struct scan scan = {.tokens = tokens, .at = start};
    unsigned directive = tokens->items[start].directive;
    for (; !is_beyond(&scan, directive); scan.at++) {
        bool is_joined = lexer_is(tokens, scan.at, ">>>");
        bool is_spaced = are_pair(tokens, scan.at, ">>", ">");
        if (scan.depth == 0 && (is_joined || is_spaced) &&
            lexer_is(tokens, scan.at + 1 + is_spaced, "(")) {
            found = scan.at;
            if (is_joined || scan.angles == 0) {
                return found;
            }
        }
        count_brackets(&scan);
    }
    return found;
}

/* In C++, "<<" followed by "<" occurs only after the word operator. */
void respell_find_launches(struct edits *edits, const struct tokens *tokens)
{
    for (size_t i = 1; i < tokens->count; i++) {
        bool is_spaced = are_pair(tokens, i, "<<", "<");
        if (lexer_is(tokens, i - 1, "operator") || (!is_spaced && !lexer_is(tokens, i, "<<<"))) {
            continue;
        }
        size_t end = find_end(tokens, i + 1 + is_spaced);
        if (end < tokens->count && is_spaced) {
            join_pair(edits, tokens, i);
        }
        if (end < tokens->count && lexer_is(tokens, end, ">>")) {
            join_pair(edits, tokens, end);
        }
    }
}

/* ---- __shared__ T name; ---- */

/* A declaration of shared variables. */
struct declaration {
    size_t word;        /* the token __shared__ */
    size_t names, last; /* its first name and its semicolon */
};

/* The end or the start of a statement. */
static bool is_boundary(const struct tokens *tokens, size_t index)
{
    return lexer_is(tokens, index, ";") || lexer_is(tokens, index, "{") ||
           lexer_is(tokens, index, "}");
}

/* Whether a brace begins the body of a function or a statement, and not a class or a namespace. */
static bool begins_code(const struct tokens *tokens, size_t brace)
{
    static const char *const before[] = {")",     "]",       "const", "noexcept", "override",
                                         "final", "mutable", "else",  "do",       "try"};
    for (size_t i = 0; brace > 0 && i < sizeof(before) / sizeof(before[0]); i++) {
        if (lexer_is(tokens, brace - 1, before[i])) {
            return true;
        }
    }
    return false;
}

/* A shared variable at namespace scope has another form, which is not respelled. */
static bool is_in_function(const struct tokens *tokens, size_t index)
{
    unsigned closed = 0; /* blocks that end before the position and whose start is not reached yet,
                            going backwards */
    while (index-- > 0) {
        if (lexer_is(tokens, index, "}")) {
            closed++;
        } else if (lexer_is(tokens, index, "{") && closed > 0) {
            closed--;
        } else if (lexer_is(tokens, index, "{") && begins_code(tokens, index)) {
            return true;
        }
    }
    return false;
}

/* The token after "name" and the brackets of an array. */
static size_t after_array(const struct tokens *tokens, size_t index)
{
    while (lexer_is(tokens, index, "[")) {
        unsigned depth = 0;
        do {
            depth += lexer_is(tokens, index, "[");
            depth -= lexer_is(tokens, index, "]");
            index++;
        } while (depth != 0 && index < tokens->count);
    }
    return index;
}

/* Reads "__shared__ T name, other[2];" around its first name; false for other forms. */
static bool read_declaration(const struct tokens *tokens, size_t name,
                             struct declaration *declaration)
{
    declaration->names = name;
    declaration->word = name;
    while (!lexer_is(tokens, declaration->word, "__shared__")) {
        if (declaration->word == 0 || is_boundary(tokens, declaration->word)) {
            return false;
        }
        declaration->word--;
    }
    size_t at = name;
    while (at < tokens->count && tokens->items[at].kind == TOKEN_WORD) {
        at = after_array(tokens, at + 1);
        if (lexer_is(tokens, at, ";")) {
            declaration->last = at;
            return true;
        }
        if (!lexer_is(tokens, at, ",")) {
            return false;
        }
        at++;
    }
    return false;
}

/* nvcc's warning and its number, in a pragma of the file. */
static bool is_warning_off(const char *text)
{
    for (const char *at = strstr(text, "nv_diag_suppress"); at != NULL;
         at = strstr(at + 1, "nv_diag_suppress")) {
        const char *line = str_copy(at, strcspn(at, "\n"));
        if (strstr(line, "static_var_with_dynamic_init") != NULL || strstr(line, "20054") != NULL) {
            return true;
        }
    }
    return false;
}

/* "__shared__ T name[2];" becomes "typedef T __cdp_type_name[2]; __shared__ __cdp_place<...>
 * __cdp_place_name; static constexpr auto &name = ...;", all in the same line. */
static void respell_declaration(struct edits *edits, const struct tokens *tokens,
                                const struct declaration *declaration)
{
    const struct token *items = tokens->items;
    const char *text = tokens->text;
    const char *how = is_warning_off(text) ? "__cdp_unbuilt_quietly" : "__cdp_unbuilt";
    for (size_t i = declaration->word; i > 0 && !is_boundary(tokens, i); i--) {
        if (lexer_is(tokens, i, "static")) {
            add_edit(edits, (struct edit){items[i].at, items[i].length, "", 0});
        }
    }
    add_edit(edits, (struct edit){items[declaration->word].at, strlen("__shared__"), "typedef", 0});
    for (size_t i = declaration->names; i < declaration->last; i = after_array(tokens, i + 1) + 1) {
        const char *name = str_copy(text + items[i].at, items[i].length);
        add_edit(edits, (struct edit){items[i].at, 0, "__cdp_type_", 0});
        const char *with = str_format(" __shared__ __cdp_place<__cdp_type_%s> __cdp_place_%s; "
                                      "static constexpr auto &%s = %s(__cdp_place_%s);",
                                      name, name, name, how, name);
        add_edit(edits, (struct edit){items[declaration->last].at + 1, 0, with, items[i].at});
    }
}

/* The word at the position; the number of tokens if there is none. */
static size_t token_at(const struct tokens *tokens, const struct refused *place)
{
    const char *text = tokens->text;
    for (unsigned line = 1; line < place->line && *text != '\0'; line++) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    size_t at = (size_t)(text - tokens->text) + place->column - 1;
    for (size_t i = 0; i < tokens->count; i++) {
        if (tokens->items[i].at == at && tokens->items[i].kind == TOKEN_WORD) {
            return i;
        }
    }
    return tokens->count;
}

void respell_find_shared(struct edits *edits, const struct tokens *tokens,
                         const struct refused *refused, size_t count)
{
    size_t done = 0; /* of the tokens */
    for (size_t i = 0; i < count; i++) {
        size_t name = token_at(tokens, &refused[i]);
        struct declaration declaration;
        if (name < tokens->count && name >= done && is_in_function(tokens, name) &&
            read_declaration(tokens, name, &declaration)) {
            respell_declaration(edits, tokens, &declaration);
            done = declaration.last;
        }
    }
}
