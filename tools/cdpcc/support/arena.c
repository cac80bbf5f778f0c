/* Memory for a program that lives for one command: allocate, never free.
 *
 * Small objects share chunks of 64 KiB, which are filled from their start. An object above a
 * quarter of that gets memory of its own, so that at most a quarter of a chunk is wasted. Memory
 * of calloc is zero, so nothing is cleared here. Not for several threads. */
#include "support/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, ALIGNMENT = 16 };

/* All chunks in use, in a list, so that leak checkers find a pointer to each. */
struct chunk {
    _Alignas(ALIGNMENT) struct chunk *previous;
};

static void *system_alloc(size_t size)
{
    static struct chunk *last;
    struct chunk *chunk = calloc(1, sizeof(*chunk) + size);
    if (chunk == NULL) {
        fputs("cdpcc: error: out of memory\n", stderr);
        exit(1);
    }
    chunk->previous = last;
    last = chunk;
    return chunk + 1;
}

void *arena_alloc(size_t size)
{
    static char *next, *end;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > CHUNK / 4) {
        return system_alloc(size);
    }
    if (next == NULL || (size_t)(end - next) < size) {
        next = system_alloc(CHUNK);
        end = next + CHUNK;
    }
    void *memory = next;
    next += size;
    return memory;
}

void *arena_grow(const void *old, size_t old_size, size_t new_size)
{
    void *memory = arena_alloc(new_size);
    if (old_size != 0) {
        memcpy(memory, old, old_size);
    }
    return memory;
}
