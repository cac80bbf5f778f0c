/* Memory for a program that lives for one command: allocate, never free. If memory runs out, the
 * program ends with a message. */
#ifndef CDPCC_ARENA_H
#define CDPCC_ARENA_H
#include <stddef.h>

/* Zeroed memory, aligned for any object. */
void *arena_alloc(size_t size);

/* A larger block with the old block's bytes; the old block does not change. */
void *arena_grow(const void *old, size_t old_size, size_t new_size);

#endif
