/* The memory of the program and its libraries: constants, variables, tables. */
#ifndef CDP_CHECK_IMAGE_H
#define CDP_CHECK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* Whether the address is in the program or a library. */
bool cdp_image_contains(const void *address);
/* Whether it is in a variable of host code, which device code must not access. False if that is not
 * known: the file has no symbol table, or the place has no symbol. */
bool cdp_image_is_of_host(const void *address);
/* Its name in the source; false if it is in no variable. */
CDP_COLD bool cdp_image_name(const void *address, char *out, size_t size);

#endif
