/* C++ source as tokens: enough to distinguish code from comments, literals and directives.
 *
 * This is no preprocessor: macros are not expanded, and all branches of #if are read. That is
 * enough for a change that leaves everything else in the text as it is. */
#ifndef CDPCC_LEXER_H
#define CDPCC_LEXER_H
#include <stdbool.h>
#include <stddef.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_LITERAL, TOKEN_PUNCTUATION };

/* A token refers to the text by its position. Tokens do not overlap, and are in the order of the
 * text. */
struct token {
    enum token_kind kind;
    size_t at, length;  /* bytes of the text */
    unsigned line;      /* from 1 */
    unsigned directive; /* the preprocessor line that contains it, from 1; 0 = none */
};

/* In the arena, except the text. */
struct tokens {
    const char *text; /* borrowed */
    struct token *items;
    size_t count;
};

/* All tokens of a text, in the arena. Names of headers are not tokens. The text must outlive
 * them. */
struct tokens lexer_read(const char *text);
/* Whether a token has the given text. */
bool lexer_is(const struct tokens *tokens, size_t index, const char *spelling);

#endif
