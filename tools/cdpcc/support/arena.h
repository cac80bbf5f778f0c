/* Memory for a program that lives for one command: allocate, never free.
 * Running out of it ends the program with a sentence. */
#ifndef CDPCC_ARENA_H
#define CDPCC_ARENA_H
#include <stddef.h>

/* Zeroed memory, aligned for any object. */
void *arena_alloc(size_t size);

/* A larger block with the old one's bytes; the old one stays as it is. */
void *arena_grow(const void *old, size_t old_size, size_t new_size);

#endif
