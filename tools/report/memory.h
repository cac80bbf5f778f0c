/* Memory that grows. If there is none, the program ends with a message. */
#ifndef CDP_REPORT_MEMORY_H
#define CDP_REPORT_MEMORY_H
#include <stddef.h>

/* As realloc. Never NULL. */
void *memory_grow(void *old, size_t size);
/* Makes room for one more element: returns the array, which may have moved. *capacity is in
 * elements. */
void *memory_room(void *array, size_t count, size_t *capacity, size_t element_size);
/* All of a file, with a NUL behind it. NULL if it cannot be read or is larger than most. The caller
 * frees it. */
char *memory_of_file(const char *path, size_t most);

#endif
