/* Memory for a program that lives for one command: allocate, never free. */
#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, ALIGNMENT = 16 };

static void *system_alloc(size_t size)
{
    void *memory = calloc(1, size);
    if (memory == NULL) {
        fputs("cdpcc: error: out of memory\n", stderr);
        exit(1);
    }
    return memory;
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
