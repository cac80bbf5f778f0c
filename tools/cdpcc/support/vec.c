/* A growing list of strings in the arena. */
#include "support/vec.h"

#include "support/arena.h"

#include <string.h>

/* There is always room for the NULL after the last item. */
void vec_push(struct vec *vec, const char *item)
{
    if (vec->count + 1 >= vec->capacity) {
        vec->capacity = vec->capacity == 0 ? 16 : 2 * vec->capacity;
        vec->items = arena_grow(vec->items, vec->count * sizeof(*vec->items),
                                vec->capacity * sizeof(*vec->items));
    }
    vec->items[vec->count++] = item;
    vec->items[vec->count] = NULL;
}

void vec_push_all(struct vec *vec, const char *const *items)
{
    for (; *items != NULL; items++) {
        vec_push(vec, *items);
    }
}

void vec_append(struct vec *vec, const struct vec *other)
{
    for (size_t i = 0; i < other->count; i++) {
        vec_push(vec, other->items[i]);
    }
}

bool vec_has(const struct vec *vec, const char *item)
{
    for (size_t i = 0; i < vec->count; i++) {
        if (strcmp(vec->items[i], item) == 0) {
            return true;
        }
    }
    return false;
}
