/* Two words are near if few mistakes of typing lead from one to the other: a letter that is
 * missing, added or another one, or two letters that changed places. */
#include "support/near.h"

#include "support/str.h"

#include <string.h>

enum { MOST_LENGTH = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Row i of the table of distances between the first letters: table[i][j] for i of a and j of b. */
static void fill_row(size_t table[][MOST_LENGTH + 1], size_t i, const char *a, const char *b,
                     size_t length)
{
    for (size_t j = 0; j <= length; j++) {
        if (i == 0 || j == 0) {
            table[i][j] = i + j;
            continue;
        }
        size_t change = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
        table[i][j] = least(change, least(table[i - 1][j], table[i][j - 1]) + 1);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
            table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    }
}

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    static size_t table[MOST_LENGTH + 1][MOST_LENGTH + 1]; /* cdpcc has one thread */
    if (a_length > MOST_LENGTH || b_length > MOST_LENGTH) {
        return MOST_LENGTH;
    }
    for (size_t i = 0; i <= a_length; i++) {
        fill_row(table, i, a, b, b_length);
    }
    return table[a_length][b_length];
}

/* One mistake in a short word, two in a longer one; more letters must remain than change. */
struct near near_start(const char *word, size_t length)
{
    enum { SHORT = 3, LONG = 6 };
    size_t most = length < SHORT ? 0 : length < LONG ? 1 : 2;
    return (struct near){.word = word, .length = length, .best_distance = most + 1};
}

void near_try(struct near *near, const char *known, size_t length)
{
    size_t found = distance(near->word, near->length, known, length);
    if (found < near->best_distance) {
        near->best = known;
        near->best_length = length;
        near->best_distance = found;
    }
}

const char *near_of_list(const char *word, const char *list)
{
    static const char separators[] = ", ";
    struct near near = near_start(word, strlen(word));
    for (list += strspn(list, separators); *list != '\0'; list += strspn(list, separators)) {
        size_t length = strcspn(list, separators);
        near_try(&near, list, length);
        list += length;
    }
    return near.best == NULL
               ? ""
               : str_format("; did you mean '%.*s'?", (int)near.best_length, near.best);
}
