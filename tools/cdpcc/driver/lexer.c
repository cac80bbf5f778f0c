/* Reads C++ source into tokens. A malformed token ends with its line, as in a branch that the
 * preprocessor skips. */
#include "driver/lexer.h"

#include "support/arena.h"
#include "support/str.h"

#include <ctype.h>
#include <string.h>

/* The state of reading one text. at is the next byte, line its line from 1; directive is not 0
 * within a preprocessor line. */
struct reader {
    struct tokens out;
    const char *at;
    unsigned line, directive, directives;
    bool is_line_start; /* nothing but blanks and comments before it */
    size_t room;
};

/* The length of a line splice at this position, or 0. */
static size_t splice(const char *at)
{
    if (at[0] != '\\') {
        return 0;
    }
    return at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

/* Advances by one byte within a token or a comment. */
static void step(struct reader *reader)
{
    reader->line += *reader->at == '\n';
    reader->at++;
}

/* A line comment goes on after a spliced line end. */
static void skip_comment(struct reader *reader)
{
    bool is_line = reader->at[1] == '/';
    reader->at += 2;
    while (*reader->at != '\0') {
        size_t spliced = splice(reader->at);
        if (is_line && *reader->at == '\n') {
            return;
        }
        if (!is_line && reader->at[0] == '*' && reader->at[1] == '/') {
            reader->at += 2;
            return;
        }
        for (size_t i = 0; i < (spliced != 0 ? spliced : 1); i++) {
            step(reader);
        }
    }
}

/* Adds the token from the position from to the next byte to read. */
static void add(struct reader *reader, enum token_kind kind, const char *from, unsigned line)
{
    struct tokens *out = &reader->out;
    if (out->count == reader->room) {
        reader->room = 2 * reader->room + 256;
        out->items = arena_grow(out->items, out->count * sizeof(*out->items),
                                reader->room * sizeof(*out->items));
    }
    out->items[out->count++] = (struct token){
        .kind = kind,
        .at = (size_t)(from - out->text),
        .length = (size_t)(reader->at - from),
        .line = line,
        .directive = reader->directive,
    };
}

/* Skips "..." or '...', from its quote to the next one or to the end of the line. */
static void skip_quoted(struct reader *reader)
{
    char quote = *reader->at++;
    while (*reader->at != '\0' && *reader->at != quote) {
        if (*reader->at == '\n') {
            return;
        }
        if (*reader->at == '\\' && reader->at[1] != '\0') {
            step(reader);
        }
        step(reader);
    }
    reader->at += *reader->at == quote;
}

/* R"mark(...)mark", from its quote. */
static void skip_raw(struct reader *reader)
{
    const char *open = strchr(reader->at, '(');
    if (open == NULL || open - reader->at > 17) { /* a mark has at most 16 characters */
        skip_quoted(reader);
        return;
    }
    size_t mark = (size_t)(open - reader->at) - 1;
    const char *end = str_format(")%.*s\"", (int)mark, reader->at + 1);
    const char *found = strstr(open, end);
    const char *stop = found != NULL ? found + strlen(end) : open + strlen(open);
    while (reader->at < stop) {
        step(reader);
    }
}

/* A word, or a literal with the word as its prefix. */
static void read_word(struct reader *reader)
{
    static const char *const prefixes[] = {"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"};
    const char *from = reader->at;
    unsigned line = reader->line;
    while (isalnum((unsigned char)*reader->at) || *reader->at == '_' || *reader->at == '$' ||
           (unsigned char)*reader->at >= 0x80) {
        reader->at++;
    }
    size_t length = (size_t)(reader->at - from);
    bool is_quoted = *reader->at == '"' || *reader->at == '\'';
    for (size_t i = 0; is_quoted && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (strlen(prefixes[i]) == length && strncmp(prefixes[i], from, length) == 0) {
            if (from[length - 1] == 'R' && *reader->at == '"') {
                skip_raw(reader);
            } else {
                skip_quoted(reader);
            }
            add(reader, TOKEN_LITERAL, from, line);
            return;
        }
    }
    add(reader, TOKEN_WORD, from, line);
}

/* With digit separators, exponents and suffixes. */
static void read_number(struct reader *reader)
{
    const char *from = reader->at;
    for (;; reader->at++) {
        char c = *reader->at;
        bool is_sign =
            (c == '+' || c == '-') && reader->at > from && strchr("eEpP", reader->at[-1]) != NULL;
        bool is_separator = c == '\'' && isalnum((unsigned char)reader->at[1]);
        if (!isalnum((unsigned char)c) && c != '_' && c != '.' && !is_sign && !is_separator) {
            break;
        }
    }
    add(reader, TOKEN_NUMBER, from, reader->line);
}

/* Operators with an angle bracket, longest first. For all others one character is enough. */
static void read_punctuation(struct reader *reader)
{
    static const char *const longs[] = {"<=>", "<<<", "<<=", ">>>", ">>=", "->*", "<<", ">>",
                                        "<=",  ">=",  "->",  "<%",  "%>",  ":>",  "::"};
    const char *from = reader->at;
    size_t length = 1;
    for (size_t i = 0; i < sizeof(longs) / sizeof(longs[0]) && length == 1; i++) {
        length = str_starts(from, longs[i]) ? strlen(longs[i]) : 1;
    }
    /* "<:" is a bracket, but not in "<::" unless ':' or '>' follows. */
    bool is_bracket =
        from[0] == '<' && from[1] == ':' && (from[2] != ':' || from[3] == ':' || from[3] == '>');
    reader->at += length == 1 && is_bracket ? 2 : length;
    add(reader, TOKEN_PUNCTUATION, from, reader->line);
}

/* After the '#' of a directive. Names of headers look different from all other tokens. */
static void begin_directive(struct reader *reader)
{
    reader->directive = ++reader->directives;
    const char *word = reader->at + strspn(reader->at, " \t");
    if (str_starts(word, "include") || str_starts(word, "import") || str_starts(word, "error") ||
        str_starts(word, "warning")) {
        while (*reader->at != '\0' && *reader->at != '\n') {
            size_t spliced = splice(reader->at);
            for (size_t i = 0; i < (spliced != 0 ? spliced : 1); i++) {
                step(reader);
            }
        }
    }
}

static void skip_blank(struct reader *reader)
{
    if (*reader->at == '\n') {
        reader->is_line_start = true;
        reader->directive = 0;
    }
    step(reader);
}

static void read_one(struct reader *reader)
{
    const char *at = reader->at;
    size_t spliced = splice(at);
    if (spliced != 0) {
        reader->line++;
        reader->at += spliced;
        return;
    }
    if (isspace((unsigned char)*at)) {
        skip_blank(reader);
        return;
    }
    if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) {
        skip_comment(reader);
        return;
    }
    bool is_directive = *at == '#' && reader->is_line_start;
    reader->is_line_start = false;
    unsigned line = reader->line;
    if (is_directive) {
        reader->at++;
        begin_directive(reader);
    } else if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        read_number(reader);
    } else if (isalpha((unsigned char)*at) || *at == '_' || *at == '$' ||
               (unsigned char)*at >= 0x80) {
        read_word(reader);
    } else if (*at == '"' || *at == '\'') {
        skip_quoted(reader);
        add(reader, TOKEN_LITERAL, at, line);
    } else {
        read_punctuation(reader);
    }
}

struct tokens lexer_read(const char *text)
{
    struct reader reader = {.out = {.text = text}, .at = text, .line = 1, .is_line_start = true};
    while (*reader.at != '\0') {
        read_one(&reader);
    }
    return reader.out;
}

bool lexer_is(const struct tokens *tokens, size_t index, const char *spelling)
{
    if (index >= tokens->count) {
        return false;
    }
    const struct token *token = &tokens->items[index];
    return strlen(spelling) == token->length &&
           strncmp(spelling, tokens->text + token->at, token->length) == 0;
}
