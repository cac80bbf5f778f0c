/* Checked builds (cdpcc --check): what compiled code emits, and the functions that it calls.
 *
 * cdpcc emits a site for each access that it checks, and passes it to the runtime. So a report
 * names the line without a symbolizer, and a shadow record holds the site's number.
 *
 * A module lists its sites in section "cdp_sites" (writable, entries of exactly struct
 * cdp_abi_site), and the kinds of checks it was built with in section "cdp_checks" (one uint32_t of
 * enum cdp_abi_checks for each object file). An object without an entry there was not checked.
 * cdp_register.c passes both sections to the runtime (struct cdp_abi_module_checks). */
#ifndef CDP_CHECK_H
#define CDP_CHECK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The words of --check and CDP_CHECK, as bits. */
enum cdp_abi_checks {
    CDP_CHECKS_MEMORY = 1 << 0, /* overruns, uses after free, wrong spaces, misaligned addresses */
    CDP_CHECKS_INIT = 1 << 1,   /* reads of memory that nobody wrote */
    CDP_CHECKS_RACE = 1 << 2,   /* accesses that nothing orders */
    CDP_CHECKS_SYNC = 1 << 3,   /* divergent barriers, wrong masks */
    CDP_CHECKS_API = 1 << 4,    /* errors of calls that the program does not read */
    CDP_CHECKS_LEAK = 1 << 5,   /* memory and objects that are never freed */
    CDP_CHECKS_SPACE = 1 << 6,  /* memory of other blocks and threads only; a part of memory */
    CDP_CHECKS_ALL = (1 << 7) - 1,
};

enum cdp_abi_site_flags {
    CDP_SITE_WRITE = 1 << 0,    /* else it only reads */
    CDP_SITE_ATOMIC = 1 << 1,   /* an atomic operation; with WRITE unless it is an atomic load */
    CDP_SITE_VOLATILE = 1 << 2, /* the access is volatile */
    CDP_SITE_HOST = 1 << 3,     /* in host code */
    CDP_SITE_SYSTEM = 1 << 4,   /* atomic with an order other than relaxed: it releases and acquires
                                   without a fence */
    CDP_SITE_STRICT = 1 << 5,   /* a store races with another one of the same value, too */
    CDP_SITE_ELEMENT = 1 << 6,  /* a part of a local array */
    CDP_SITE_MEMBER = 1 << 7,   /* a part of a local class */
    CDP_SITE_BRANCH = 1 << 8,   /* of --count: a conditional branch, or a switch; variable: the
                                   function that has it */
    CDP_SITE_INDEXED = 1 << 9,  /* of the race check: an element at an index that is computed */
};

/* One access in the source. file, function, line and column are const; file is NULL if they are
 * not known. The line is the user's: an access in a header of cdpcc has the line of the call
 * there. */
struct cdp_abi_site {
    const char *file;     /* as in the debug information: absolute, or relative to folder */
    const char *folder;   /* may be NULL */
    const char *function; /* source name without parameters; may be NULL */
    const char *variable; /* what is accessed, in the source's words: "a[i]", "s"; may be NULL */
    uint32_t line, column;
    uint32_t flags;  /* enum cdp_abi_site_flags */
    uint32_t number; /* set by the runtime at registration, from 1 on */
};

/* Where an object lies. size is 0 if the address is in no live object. */
struct cdp_abi_bounds {
    uint64_t low, size;
};

/* Memory check. A call of a function lists its local variables whose addresses other functions may
 * have, from its start to its return. At least CDP_FRAME_GAP bytes without an owner follow each.
 * The list is in the call's own stack frame. */
struct cdp_abi_frame_variable {
    const char *name; /* may be NULL */
    uint64_t size;
};
struct cdp_abi_frame {
    const struct cdp_abi_frame *outer;              /* of an outer call of the thread; NULL: none */
    const struct cdp_abi_frame_variable *variables; /* const */
    uint64_t count;
    const void *address[]; /* of each variable; NULL while it does not live */
};
enum { CDP_FRAME_GAP = 32 };

/* Memory check. The object that contains base: an allocation, a device variable, the calling
 * thread's own local memory, or a listed variable there; its block's shared memory. Memory that the
 * check does not know, such as constants in a program's image, has the bounds {0, UINT64_MAX - 1}.
 * Local memory of calls that have returned is in no object. Never faults. Its result changes only
 * when memory is allocated or freed, or a function returns. Device code only. */
struct cdp_abi_bounds cdp_abi_bounds(const void *base);
/* An access that is outside of the bounds that compiled code found for base. variable_size: the
 * size of the variable that starts at base; CDP_BOUNDS_OF_POINTER if the bounds are those of
 * cdp_abi_bounds. Returns if it is legal nevertheless: base itself was outside of its object.
 * Otherwise reports it, and the launch fails with 700; then it does not return. */
#define CDP_BOUNDS_OF_POINTER UINT64_MAX
void cdp_abi_memory_fault(const struct cdp_abi_site *site, const void *address, uint64_t size,
                          const void *base, uint64_t variable_size);

/* Memory check. A function is about to call itself, perhaps by way of others, and keeps at least
 * that many bytes on a GPU's stack until the call returns. Then it calls the second function. */
void cdp_abi_recurse(const struct cdp_abi_site *site, uint64_t bytes);
void cdp_abi_recurse_back(uint64_t bytes);

/* Race check: an access that may be to memory that other threads can access. Device code only. */
void cdp_abi_race_access(const struct cdp_abi_site *site, const void *address, uint64_t size);
/* The same for a plain load. */
void cdp_abi_race_load(const struct cdp_abi_site *site, const void *address, uint64_t size);
/* The same for count plain loads, each step bytes after the one before. */
void cdp_abi_race_loads(const struct cdp_abi_site *site, const void *address, uint64_t size,
                        int64_t step, uint64_t count);
/* The same for a store of a value of at most 8 bytes, zero-extended. */
void cdp_abi_race_store(const struct cdp_abi_site *site, const void *address, uint64_t size,
                        uint64_t value);
/* The same for block entries: plain accesses of at most 64 threads, those of lanes whose bits are
 * set. Lane l is thread + l, and accesses first + stride * l; or addresses[l]. Returns the lanes
 * for which compiled code must call one of the two functions above, as that thread. */
uint64_t cdp_abi_race_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                            uint64_t size, uint64_t lanes, uint32_t thread);
uint64_t cdp_abi_race_gather(const struct cdp_abi_site *site, const void *const *addresses,
                             uint64_t size, uint64_t lanes, uint32_t thread);
/* The same for the loads of a loop. */
uint64_t cdp_abi_race_loads_lanes(const struct cdp_abi_site *site, const void *first,
                                  int64_t stride, uint64_t size, uint64_t lanes, uint32_t thread,
                                  int64_t step, uint64_t count);
/* The same for stores: values[t - first_thread] is what thread t stores, if it is one of this
 * instruction's; NULL: all store the same value. */
uint64_t cdp_abi_race_store_lanes(const struct cdp_abi_site *site, const void *first,
                                  int64_t stride, uint64_t size, uint64_t lanes, uint32_t thread,
                                  const uint64_t *values, uint32_t first_thread);
uint64_t cdp_abi_race_scatter(const struct cdp_abi_site *site, const void *const *addresses,
                              uint64_t size, uint64_t lanes, uint32_t thread,
                              const uint64_t *values, uint32_t first_thread);
/* All threads of the block have met at a barrier of its block entry. */
void cdp_abi_race_barrier(void);
/* Race check: after an atomic or volatile read of the address. */
void cdp_abi_race_acquire(const void *address);
/* Race check: a fence of the device's or the system's scope; block: 0 for these, 1 for
 * __threadfence_block. */
void cdp_abi_race_fence(uint32_t block);

/* Init check. A write; a read that is a use; a read whose bytes are only copied. load returns one
 * bit for each byte, the lowest one for the lowest address: 1 if it was written; size <= 64.
 * store gives those bits to memory. copy is for memcpy and memmove. */
void cdp_abi_init_write(const void *address, uint64_t size);
void cdp_abi_init_read(const struct cdp_abi_site *site, const void *address, uint64_t size);
/* Whether all bytes of the object that contains base were written, or are not checked; 0 may change
 * to 1 later. */
uint32_t cdp_abi_init_complete(const void *base);
/* The first two for block entries; see cdp_abi_race_lanes. */
uint64_t cdp_abi_init_read_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                                 uint64_t size, uint64_t lanes, uint32_t thread);
uint64_t cdp_abi_init_read_gather(const struct cdp_abi_site *site, const void *const *addresses,
                                  uint64_t size, uint64_t lanes, uint32_t thread);
uint64_t cdp_abi_init_write_lanes(const struct cdp_abi_site *site, const void *first,
                                  int64_t stride, uint64_t size, uint64_t lanes, uint32_t thread);
uint64_t cdp_abi_init_write_gather(const struct cdp_abi_site *site, const void *const *addresses,
                                   uint64_t size, uint64_t lanes, uint32_t thread);
/* A read of several values at once, such as of a class in a register: reported only if no byte of
 * it was written. size <= 64. */
void cdp_abi_init_read_some(const struct cdp_abi_site *site, const void *address, uint64_t size);
uint64_t cdp_abi_init_load(const void *address, uint64_t size);
void cdp_abi_init_store(const void *address, uint64_t size, uint64_t bits);
void cdp_abi_init_copy(const void *to, const void *from, uint64_t size);
/* A local variable is used before anything wrote it. */
void cdp_abi_init_local(const struct cdp_abi_site *site);

/* Memory and race checks. Host code is about to copy or fill memory; writes: 1 or 0. */
void cdp_abi_host_access(const void *address, uint64_t size, uint32_t writes);
/* Race check. The next load of host code is a volatile or atomic one of the address. */
void cdp_abi_host_polls(const void *address);

/* AddressSanitizer: an access in a block entry; the accesses of a loop, each step bytes after the
 * one before; an access of a size that is known at run time only. Reports an access to poisoned
 * memory, and does not return then. */
void cdp_abi_address_read(const void *address, uint64_t size);
void cdp_abi_address_write(const void *address, uint64_t size);
void cdp_abi_address_reads(const void *address, uint64_t size, int64_t step, uint64_t count);
void cdp_abi_address_writes(const void *address, uint64_t size, int64_t step, uint64_t count);
void cdp_abi_address_read_range(const void *address, uint64_t size);
void cdp_abi_address_write_range(const void *address, uint64_t size);
/* What is known of a variable at compile time. */
struct cdp_abi_extent {
    uint64_t size;    /* bytes */
    const char *name; /* NULL: a shared variable, whose name is in a table */
};
/* Reports an access outside of a variable, at this offset from its start, or the first such access
 * of a loop. variable: its address; NULL: a local variable, which has an address for each thread.
 * size_twice: two times the bytes of the access, plus 1 if it writes. */
void cdp_abi_address_outside(const void *variable, uint64_t offset, uint64_t size_twice,
                             const struct cdp_abi_extent *extent, uint64_t step, uint64_t count);
/* The lanes of a vector: see cdp_abi_race_lanes. */
uint64_t cdp_abi_address_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                               uint64_t size, uint64_t lanes, uint32_t thread);
uint64_t cdp_abi_address_gather(const struct cdp_abi_site *site, const void *const *addresses,
                                uint64_t size, uint64_t lanes, uint32_t thread);
uint64_t cdp_abi_address_loop_lanes(const struct cdp_abi_site *site, const void *first,
                                    int64_t stride, uint64_t size, uint64_t lanes, uint32_t thread,
                                    int64_t step, uint64_t count);

/* API check: a call of the CUDA API in host code, whose result the program does not use. error: the
 * result, a cudaError_t. function: its name. Then the arguments of the call, up to the first one
 * that is a struct. */
void cdp_abi_unread_call(int32_t error, const char *function, ...);

#ifdef __cplusplus
}
#endif
#endif
