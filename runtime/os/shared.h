/* Memory that is apart from addresses, and that other processes can map by its descriptor. Sizes
 * and addresses are multiples of the page size. */
#ifndef CDP_OS_SHARED_H
#define CDP_OS_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* A descriptor of memory that is filled with zeros, or a copy of one; -1: no memory or descriptor.
 * Freed by cdp_os_shared_close; mappings keep the memory. */
int cdp_os_shared_create(size_t bytes) CDP_MUST_CHECK;
int cdp_os_shared_copy(int fd) CDP_MUST_CHECK;
/* 0 if the descriptor is of something else. */
size_t cdp_os_shared_size(int fd);
bool cdp_os_is_descriptor(int fd);
bool cdp_os_shared_grow(int fd, size_t bytes) CDP_MUST_CHECK;
void cdp_os_shared_close(int fd);

/* A number that no other such memory of this machine has; 0 if the descriptor is of something
 * else. */
uint64_t cdp_os_shared_number(int fd);
/* A descriptor of the memory with that number, which the process has under its descriptor fd; -1:
 * it has none, or this process may not have it. process is this process itself, too: the result has
 * locks of its own. */
int cdp_os_shared_open(unsigned process, int fd, uint64_t number) CDP_MUST_CHECK;
/* A number that goes with a descriptor to other processes; 0 at first. Copies of the descriptor
 * have the same one. */
bool cdp_os_shared_set_mark(int fd, uint32_t mark) CDP_MUST_CHECK;
uint32_t cdp_os_shared_mark(int fd);
bool cdp_os_process_lives(unsigned process);

/* Maps it at addresses of a reservation (cdp_os_reserve); an access faults until it is allowed. */
bool cdp_os_shared_map(void *address, size_t bytes, int fd) CDP_MUST_CHECK;
/* The addresses are reserved again. */
bool cdp_os_shared_unmap(void *address, size_t bytes) CDP_MUST_CHECK;
bool cdp_os_shared_allow(void *address, size_t bytes, bool readable, bool writable) CDP_MUST_CHECK;

/* A part of it, readable and writable, in place of what is at the address; NULL: anywhere. NULL on
 * failure. */
void *cdp_os_shared_put(void *address, size_t bytes, int fd, size_t offset) CDP_MUST_CHECK;
/* Memory of this process alone in place of what is there, readable and writable: with zeros, or the
 * pages at from, whose addresses are free then. */
bool cdp_os_private_put(void *address, size_t bytes, void *from) CDP_MUST_CHECK;
/* Frees the memory of a part: it reads as zeros. */
void cdp_os_shared_discard(int fd, size_t offset, size_t bytes);

/* A hold on a part, until it is released, the descriptor closed, or the process dead. Each
 * descriptor by cdp_os_shared_create or cdp_os_shared_open has holds of its own. */
bool cdp_os_shared_hold(int fd, size_t offset, size_t bytes) CDP_MUST_CHECK;
void cdp_os_shared_release(int fd, size_t offset, size_t bytes);
/* Whether another descriptor has a hold on some byte of the part. */
bool cdp_os_shared_is_held(int fd, size_t offset, size_t bytes);

/* As cdp_os_wait_for and cdp_os_wake, for a word in shared memory. */
void cdp_os_shared_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t ns);
void cdp_os_shared_wake(_Atomic uint32_t *word);

#endif
