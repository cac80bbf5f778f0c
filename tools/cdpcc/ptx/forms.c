/* Finds the row of forms.def that a statement matches. The comment there explains patterns. */
#include "ptx/forms.h"

#include <string.h>

/* One part of a pattern: the words between two dots. */
struct part {
    const char *words, *end;
    bool may_be_missing, is_choice, is_taken;
};

/* Reads the part at *at, and moves at behind it and its dot. */
static struct part next_part(const char **at)
{
    struct part part = {.words = *at, .end = *at + strcspn(*at, ".")};
    *at = part.end + (*part.end == '.');
    part.is_choice = *part.words == '#';
    part.words += part.is_choice;
    part.may_be_missing = part.end > part.words && part.end[-1] == '?';
    part.end -= part.may_be_missing;
    return part;
}

/* The number of the word among the part's words, from 1; 0 if it is not one of them. */
static unsigned choice_of(const struct part *part, const char *word)
{
    size_t length = strlen(word);
    unsigned number = 1;
    for (const char *at = part->words; at < part->end; number++) {
        size_t here = strcspn(at, "|.?");
        if (here == length && strncmp(at, word, length) == 0) {
            return number;
        }
        at += here + 1;
    }
    return 0;
}

enum { MOST_PARTS = 20 };

/* The first part that has the word and is not taken; NULL if there is none. */
static struct part *take(struct part *parts, unsigned count, const char *word, unsigned *choice)
{
    for (unsigned i = 0; i < count; i++) {
        *choice = parts[i].is_taken ? 0 : choice_of(&parts[i], word);
        if (*choice != 0) {
            parts[i].is_taken = true;
            return &parts[i];
        }
    }
    return NULL;
}

/* Whether the opcode has the pattern's form; then fills choices. */
static bool matches(const char *pattern, const struct ptx_statement *statement,
                    struct ptx_choices *choices)
{
    struct part parts[MOST_PARTS];
    unsigned words[MOST_PARTS] = {0}, count = 0;
    while (*pattern != '\0') {
        parts[count++] = next_part(&pattern);
        if (count == 1 && choice_of(&parts[0], statement->parts[0]) == 0) {
            return false;
        }
    }
    for (unsigned i = 0; i < statement->part_count; i++) {
        unsigned choice;
        const struct part *part = take(parts, i == 0 ? 1 : count, statement->parts[i], &choice);
        if (part == NULL) {
            return false;
        }
        words[part - parts] = choice;
    }
    *choices = (struct ptx_choices){0};
    for (unsigned i = 0; i < count; i++) {
        if (!parts[i].is_taken && !parts[i].may_be_missing) {
            return false;
        }
        if (parts[i].is_choice) {
            choices->words[choices->count++] = words[i];
        }
    }
    return true;
}

/* A row of forms.def: either translate and the numbers of operands, or signature and function. */
struct form {
    const char *pattern;
    unsigned least, most;
    bool (*translate)(struct ptx_code *, const struct ptx_statement *);
    const char *signature, *function;
};

static const struct form forms[] = {
#define PTX_CODE(pattern, least, most, translate) {pattern, least, most, translate, NULL, NULL},
#define PTX_LIBRARY(pattern, signature, function) {pattern, 0, 0, NULL, signature, #function},
#include "ptx/forms.def"
};

/* A signature has an s for each operand that may have a selector, and only a row with a signature
 * has {vectors}|p. */
static bool takes_operands(const struct form *form, const struct ptx_statement *statement)
{
    bool has_selectors = form->signature != NULL && strchr(form->signature, 's') != NULL;
    for (unsigned i = 0; i < statement->operand_count; i++) {
        const struct ptx_operand *operand = &statement->operands[i];
        bool is_vector_and_more = operand->kind == PTX_VECTOR && operand->second != NULL;
        if ((operand->selector != NULL && !has_selectors) ||
            (is_vector_and_more && form->signature == NULL)) {
            return false;
        }
    }
    return true;
}

bool ptx_translate(struct ptx_code *code, const struct ptx_statement *statement)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const struct form *form = &forms[i];
        struct ptx_choices choices;
        if (!matches(form->pattern, statement, &choices) || !takes_operands(form, statement)) {
            continue;
        }
        unsigned count = statement->operand_count;
        return form->translate == NULL
                   ? ptx_call_library(code, statement, form->signature, form->function, &choices)
                   : count >= form->least && count <= form->most &&
                         form->translate(code, statement);
    }
    return false;
}
