/* Memory for a program that lives for one command: allocate, never free. If memory runs out, the
 * program ends with a message. */
#ifndef CDPCC_ARENA_H
#define CDPCC_ARENA_H
#include <stddef.h>

/* Zeroed memory, aligned to 16 bytes. Never NULL. */
void *arena_alloc(size_t size);

/* new_size bytes that begin with the old_size bytes of the old block; the rest is zero. The old
 * block stays valid and does not change. new_size is at least old_size. */
void *arena_grow(const void *old, size_t old_size, size_t new_size);

#endif
