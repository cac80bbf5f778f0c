/* The word that the user may have meant, for messages about unknown words. */
#ifndef CDPCC_NEAR_H
#define CDPCC_NEAR_H
#include <stddef.h>

/* The search; start with near_start. The words are borrowed. */
struct near {
    const char *word;
    size_t length;
    const char *best; /* NULL: none is near */
    size_t best_length, best_distance;
};

struct near near_start(const char *word, size_t length);
void near_try(struct near *near, const char *known, size_t length);

/* "; did you mean 'KNOWN'?", or "" if no word of the list is near. Commas, blanks and "or" separate
 * the list's words. */
const char *near_of_list(const char *word, const char *list);

#endif
