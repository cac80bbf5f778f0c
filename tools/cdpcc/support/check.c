/* The option --check. */
#include "support/check.h"

#include "support/str.h"
#include "support/vec.h"

#include "abi/cdp_check.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

static const struct {
    const char *word, *text;
} rows[] = {
#define CDP_CHECK(name, word, text) {word, text},
#include "abi/cdp_check.def"
#undef CDP_CHECK
};

#define CDP_CHECK(name, word, text)                                                                \
    static_assert(1 << CHECK_##name == CDP_CHECKS_##name, "the runtime knows " word " by its "     \
                                                          "bit");
#include "abi/cdp_check.def"
#undef CDP_CHECK
static_assert((1 << CHECK_COUNT) - 1 == CDP_CHECKS_ALL, "the runtime knows all kinds");

static bool take_word(struct checks *checks, const char *word)
{
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        if (str_equals(rows[i].word, word)) {
            checks->on[i] = true;
            return true;
        }
    }
    return false;
}

/* An empty list is an unknown word. */
const char *check_take(struct checks *checks, const char *list)
{
    if (list == NULL) {
        for (size_t i = 0; i < CHECK_COUNT; i++) {
            checks->on[i] = true;
        }
        return NULL;
    }
    struct vec words = {.items = NULL};
    str_split_commas(&words, list);
    for (size_t i = 0; i < words.count; i++) {
        if (!take_word(checks, words.items[i])) {
            return words.items[i];
        }
    }
    checks->on[CHECK_SPACE] |= checks->on[CHECK_MEMORY];
    return words.count == 0 ? list : NULL;
}

bool check_any(const struct checks *checks)
{
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        if (checks->on[i]) {
            return true;
        }
    }
    return checks->counts;
}

uint32_t check_mask(const struct checks *checks)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        mask |= checks->on[i] ? UINT32_C(1) << i : 0;
    }
    return mask;
}

const char *check_names(const struct checks *checks)
{
    const char *text = "";
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        if (checks == NULL || checks->on[i]) {
            text = str_format("%s%s%s", text, *text == '\0' ? "" : ",", rows[i].word);
        }
    }
    return text;
}

void check_print_help(void)
{
    puts("\nWhat --check finds (docs/checks.md):\n");
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        printf("  %-32s%s\n", rows[i].word, rows[i].text);
    }
}
