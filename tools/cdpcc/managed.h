/* Whether an object of device code has __managed__ variables: then the host side is
 * compiled anew, for its own copies must become references to the device's. */
#ifndef CDPCC_MANAGED_H
#define CDPCC_MANAGED_H

#include <stdbool.h>

bool managed_is_in(const char *object);

#endif
