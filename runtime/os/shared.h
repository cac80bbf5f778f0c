/* Memory that is apart from addresses, and that other processes can map by its descriptor. Sizes
 * and addresses are multiples of the page size. */
#ifndef CDP_OS_SHARED_H
#define CDP_OS_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

/* A descriptor of memory that is filled with zeros, or a copy of one; -1: no memory or descriptor.
 * Freed by cdp_os_shared_close; mappings keep the memory. */
int cdp_os_shared_create(size_t bytes) CDP_MUST_CHECK;
int cdp_os_shared_copy(int fd) CDP_MUST_CHECK;
/* 0 if the descriptor is of something else. */
size_t cdp_os_shared_size(int fd);
void cdp_os_shared_close(int fd);

/* Maps it at addresses of a reservation (cdp_os_reserve); an access faults until it is allowed. */
bool cdp_os_shared_map(void *address, size_t bytes, int fd) CDP_MUST_CHECK;
/* The addresses are reserved again. */
bool cdp_os_shared_unmap(void *address, size_t bytes) CDP_MUST_CHECK;
bool cdp_os_shared_allow(void *address, size_t bytes, bool readable, bool writable) CDP_MUST_CHECK;

#endif
