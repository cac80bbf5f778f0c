/* The runtime's interface to the operating system. Only this folder includes system headers beyond
 * libc and pthread. Sizes and addresses are multiples of the page size unless stated otherwise.
 * Nothing here allocates from the C heap. */
#ifndef CDP_OS_OS_H
#define CDP_OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

/* The page size: 4096 on x86-64; 4, 16 or 64 KiB on aarch64, depending on the kernel. */
size_t cdp_os_page(void);

/* Address space that faults on access until committed; NULL if there is none. */
void *cdp_os_reserve(size_t bytes) CDP_MUST_CHECK;
/* Makes a part of a reservation readable and writable, filled with zeros. */
bool cdp_os_commit(void *address, size_t bytes) CDP_MUST_CHECK;
/* Requests large pages where whole ones fit: fewer faults and look-ups for large memory. */
void cdp_os_want_huge_pages(void *address, size_t bytes);
/* Returns the memory to the system. The addresses stay reserved and fault on access until they are
 * committed again. */
void cdp_os_close(void *address, size_t bytes);
/* Fills whole pages with zeros by returning their memory to the system. */
void cdp_os_discard(void *address, size_t bytes);
/* A new mapping: readable, writable and filled with zeros; NULL on failure. */
void *cdp_os_map(size_t bytes) CDP_MUST_CHECK;
void cdp_os_unmap(void *address, size_t bytes);
/* Makes pages inside a mapping fault on access. If the kernel supports it, no extra mapping is
 * needed. False if the guard could not be made. */
bool cdp_os_guard(void *address, size_t bytes);
/* Read-only, or writable again. */
bool cdp_os_protect(void *address, size_t bytes, bool writable);

/* Like memcpy, with nontemporal stores, for data that is too large for the caches anyway. */
void cdp_os_copy_past_caches(void *to, const void *from, size_t bytes);

/* A number that differs between processes that run at the same time. */
unsigned cdp_os_process_number(void);
/* The process's command line as words for a shell. Words that do not fit are replaced by "...".
 * program: the first word; NULL: as the process was started. For one thread at a time. */
void cdp_os_command_line(char *out, size_t size, const char *program);
/* Bytes of physical memory. */
uint64_t cdp_os_memory(void);
/* The machine's memory, or less if the process's control groups allow less. */
uint64_t cdp_os_memory_limit(void);
/* The smallest limit of the control groups, UINT64_MAX if there is none. groups: a file like
 * /proc/self/cgroup; system: a directory like /sys/fs/cgroup. */
uint64_t cdp_os_group_memory(const char *groups, const char *system);

/* Bytes of address space that this process may still map; SIZE_MAX if there is no limit (ulimit
 * -v). */
size_t cdp_os_address_space(void);
/* To be called if so little address space is left that the C library must not reserve some of it
 * for each thread's allocations. */
void cdp_os_save_address_space(void);
/* Names the limit that the process reached when it cannot get memory or a thread: a phrase for
 * messages. */
void cdp_os_describe_memory_limit(char *out, size_t size);
void cdp_os_describe_thread_limit(char *out, size_t size);

/* Lets other processes see the name in this process's list of mappings, and the contents of a page
 * in the file of the same name in its list of descriptors, until it ends. Returns the page, which
 * is zero; NULL: they do not see it. */
void *cdp_os_show(const char *name);

/* Sleeps while *word == expected; may return early. */
void cdp_os_wait(_Atomic uint32_t *word, uint32_t expected);
/* The same, for at most ns nanoseconds. */
void cdp_os_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t ns);
void cdp_os_wake(_Atomic uint32_t *word, int threads);
/* The calling thread's waits end at their time, and not some 50 microseconds later. */
void cdp_os_sleep_precisely(void);

/* Executes a fence in every thread of this process. With it, the frequent side of a store-then-load
 * handshake needs no fence. False if the kernel does not support it; then both sides need their own
 * fence. */
bool cdp_os_membarrier_register(void);
void cdp_os_membarrier(void);

/* Nanoseconds of a monotonic clock, and of the wall clock. */
uint64_t cdp_os_now(void);
uint64_t cdp_os_wall_clock(void);

/* A fast monotonic counter without a fixed unit, for clock64(). */
uint64_t cdp_os_ticks(void);

/* Whether every page of the range is mapped. */
bool cdp_os_is_mapped(const void *address, size_t bytes);

/* Yields the processor to other runnable threads. */
void cdp_os_leave_cpu(void);

/* One pause of a spin loop. */
static inline void cdp_os_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* The number of live threads of this process, and whether its first thread is alive. 0 if the
 * system does not report them. */
unsigned cdp_os_living_threads(bool *main_lives);
void cdp_os_sleep(uint64_t ns);

/* The calling thread's number, and a signal to the thread with such a number, if it still runs. */
int cdp_os_thread_number(void);
void cdp_os_signal_thread(int number, int signal);

#endif
