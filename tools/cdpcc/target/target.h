/* The machines that code can be made for: by name, as compilers and Debian write them. */
#ifndef CDPCC_TARGET_H
#define CDPCC_TARGET_H
#include <stdbool.h>

/* "aarch64-linux-gnu" for any spelling of that machine's name; NULL for one that there is no
 * code for. */
const char *target_find(const char *name);

/* The name of this machine; NULL if the system does not tell. */
const char *target_here(void);

/* Whether that is a 64-bit ARM; NULL is this machine. */
bool target_is_arm(const char *target);

#endif
