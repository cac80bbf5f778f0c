#include "report/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

void *memory_grow(void *old, size_t size)
{
    void *grown = realloc(old, size == 0 ? 1 : size);
    if (grown == NULL) {
        fprintf(stderr, "cdp-report: no memory for %zu bytes\n", size);
        exit(1);
    }
    return grown;
}

void *memory_room(void *array, size_t count, size_t *capacity, size_t element_size)
{
    if (count < *capacity) {
        return array;
    }
    *capacity = *capacity == 0 ? 64 : 2 * *capacity;
    return memory_grow(array, *capacity * element_size);
}

char *memory_of_file(const char *path, size_t most)
{
    struct stat status;
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }
    char *text = NULL;
    if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
        (size_t)status.st_size <= most) {
        text = memory_grow(NULL, (size_t)status.st_size + 1);
        text[fread(text, 1, (size_t)status.st_size, file)] = '\0';
    }
    fclose(file);
    return text;
}
