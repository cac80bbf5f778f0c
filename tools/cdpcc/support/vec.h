/* A growing list of strings in the arena; zero is the empty list. */
#ifndef CDPCC_VEC_H
#define CDPCC_VEC_H
#include <stdbool.h>
#include <stddef.h>

/* items[count] is always NULL once anything was pushed, so items is an argv. The strings are
 * borrowed. Copies of the struct share the items; only one of them may be pushed to. */
struct vec {
    const char **items;
    size_t count, capacity;
};

void vec_push(struct vec *vec, const char *item);
/* Pushes each of a NULL-terminated list of strings. */
void vec_push_all(struct vec *vec, const char *const *items);
/* Pushes the items of the other list; it does not change. */
void vec_append(struct vec *vec, const struct vec *other);
/* Whether an item has the same text. */
bool vec_has(const struct vec *vec, const char *item);

#define VEC_PUSH(vec, ...) vec_push_all((vec), (const char *const[]){__VA_ARGS__, NULL})

#endif
