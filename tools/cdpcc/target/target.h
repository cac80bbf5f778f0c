/* The supported target machines, with names as compilers and Debian write them. */
#ifndef CDPCC_TARGET_H
#define CDPCC_TARGET_H
#include <stdbool.h>

/* "aarch64-linux-gnu" for any spelling of that machine's name; NULL for a machine that is not
 * supported. */
const char *target_find(const char *name);

/* The name of this machine; NULL if the system does not report it. */
const char *target_here(void);

/* Whether it is a 64-bit ARM; NULL is this machine.
 *
 * The 32-bit machines are not supported. */
bool target_is_arm(const char *target);

#endif
