/* Allocations of other processes, which they have shared (share.h), in this process's addresses.
 * They are in the map of addresses as device memory of exactly the size of the allocation. */
#ifndef CDP_MEM_IMPORT_H
#define CDP_MEM_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/status.h"
#include "mem/share.h"

/* Maps the allocation, as memory of that device; fd: a descriptor of the owner's file; -1: the
 * owner is asked. If this process has mapped it already, the address is the same, and it must be
 * closed once more.
 * CDP_INVALID_VALUE: not a name; CDP_NOT_REGISTERED: the allocation was freed, or its owner is
 * dead; CDP_NO_MEMORY. */
enum cdp_status cdp_import_open(const struct cdp_share_name *name, int fd, unsigned device,
                                void **out) CDP_MUST_CHECK;
/* CDP_INVALID_VALUE: address is not what cdp_import_open returned, or was closed as often. No
 * pending work may use the memory. */
enum cdp_status cdp_import_close(void *address) CDP_MUST_CHECK;
/* The number of the file (cdp_os_shared_number) if the descriptor is one of a heap's; else 0. */
uint64_t cdp_import_file(int fd);
/* The name and device of what is mapped at the address, which is the start. */
bool cdp_import_find(const void *address, struct cdp_share_name *name, unsigned *device);
/* Closes all of the device. */
void cdp_import_reset(unsigned device);

#endif
