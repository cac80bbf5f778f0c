/* What the runtime needs of the operating system: the only folder with system
 * headers beyond libc and pthread.  Sizes and addresses are multiples of the page
 * size unless said otherwise; nothing here allocates from the C heap. */
#ifndef CDP_OS_OS_H
#define CDP_OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* The page size: 4096 on x86-64; 4, 16 or 64 KiB on aarch64, as the kernel was built. */
size_t cdp_os_page(void);

/* Address space that faults on access until committed; NULL if there is none. */
void *cdp_os_reserve(size_t bytes) CDP_MUST_CHECK;
/* Makes part of a reservation readable and writable, zeroed. */
bool cdp_os_commit(void *address, size_t bytes) CDP_MUST_CHECK;
/* Asks for large pages where whole ones fit: fewer faults and look-ups for memory that
 * is used in bulk. */
void cdp_os_want_huge_pages(void *address, size_t bytes);
/* Gives the memory back, and what is left faults on access until committed again. */
void cdp_os_close(void *address, size_t bytes);
/* Zeroed readable, writable memory of its own; NULL on failure. */
void *cdp_os_map(size_t bytes) CDP_MUST_CHECK;
void cdp_os_unmap(void *address, size_t bytes);
/* Makes pages inside a mapping fault on access.  Uses no mapping of its own where
 * the kernel can do that; false if no guard could be made. */
bool cdp_os_guard(void *address, size_t bytes);
/* Read-only, or writable again. */
bool cdp_os_protect(void *address, size_t bytes, bool writable);

/* As memcpy, for what is too large for the caches anyway. */
void cdp_os_copy_past_caches(void *to, const void *from, size_t bytes);

/* A number that differs between processes that run at once. */
unsigned cdp_os_process_number(void);
/* Bytes of physical memory. */
uint64_t cdp_os_memory(void);
/* The same, or what the process's control groups leave it of that. */
uint64_t cdp_os_memory_limit(void);
/* The least limit of control groups, UINT64_MAX if there is none: groups is a file as
 * /proc/self/cgroup, system a directory as /sys/fs/cgroup. */
uint64_t cdp_os_group_memory(const char *groups, const char *system);

/* Bytes of address space that this process may still map, SIZE_MAX if that is not limited (by
 * ulimit -v). */
size_t cdp_os_address_space(void);
/* Of a limited address space so much is left that the C library must not take some for each
 * thread's allocations. */
void cdp_os_save_address_space(void);
/* Which limit of the process is met when it can get no memory, or no thread: a phrase for
 * messages. */
void cdp_os_describe_memory_limit(char *out, size_t size);
void cdp_os_describe_thread_limit(char *out, size_t size);

/* Sleeps while *word == expected; may return early. */
void cdp_os_wait(_Atomic uint32_t *word, uint32_t expected);
/* As above, at most ns nanoseconds. */
void cdp_os_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t ns);
void cdp_os_wake(_Atomic uint32_t *word, int threads);

/* A fence in every thread of this process: what lets the common side of a
 * store-then-load handshake do without one.  False where the kernel has none;
 * then both sides need their own fence. */
bool cdp_os_membarrier_register(void);
void cdp_os_membarrier(void);

/* Nanoseconds of a monotonic clock, and of the wall clock. */
uint64_t cdp_os_now(void);
uint64_t cdp_os_wall_clock(void);

/* A fast monotonic counter of no particular unit, as clock64() gives. */
uint64_t cdp_os_ticks(void);

/* Whether every page of the range is mapped. */
bool cdp_os_is_mapped(const void *address, size_t bytes);

/* Lets other threads that can run have the processor first. */
void cdp_os_leave_cpu(void);

/* One polite turn of a spin loop. */
static inline void cdp_os_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* How many threads of this process live, 0 where the system does not tell, and whether its first
 * one does. */
unsigned cdp_os_living_threads(bool *main_lives);
void cdp_os_sleep(uint64_t ns);

/* The calling thread's number, and a signal for the thread of such a number, if it
 * still runs. */
int cdp_os_thread_number(void);
void cdp_os_signal_thread(int number, int signal);

#endif
