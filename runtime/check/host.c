/* Accesses of host code, which Clang reports before each load and store (-fsanitize-coverage). The
 * runtimes of Clang's sanitizers have weak functions of these names, which do nothing. A program
 * with both is linked with --undefined=cdp_host_accesses, so that it gets the functions of this
 * file. */
#include <stddef.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "check/memory.h"
#include "exec/report/finding.h"
#include "exec/report/races.h"
#include "mem/describe.h"
#include "mem/memmap.h"

/* Set while this thread reports, so that its own accesses are not reported. */
static __thread bool is_reporting;
/* The address of the volatile or atomic load that this thread is about to make, or made last. */
static __thread const void *polled;

CDP_COLD static void report(const void *address, const void *pc, bool writes)
{
    char memory[1300];
    is_reporting = true;
    struct cdp_finding finding = {
        .check = CDP_CHECKS_MEMORY,
        .title = writes ? "host code writes device memory" : "host code reads device memory",
        .at = {.pc = pc},
        .memory = cdp_describe_address(address, memory, sizeof memory) ? memory : NULL,
        .help = "copy the data with cudaMemcpy, or allocate it with cudaMallocManaged",
    };
    (void)cdp_finding_report(&finding);
    is_reporting = false;
}

/* Whether only device code may access the memory. */
static bool is_of_device(const void *address)
{
    struct cdp_memory memory;
    cdp_memmap_find(address, &memory);
    return memory.space == CDP_SPACE_HEAP || (memory.space == CDP_SPACE_DEVICE &&
                                              memory.size != 0 && memory.kind == CDP_MEMORY_DEVICE);
}

static inline void check(const void *address, const void *site, bool writes)
{
    enum cdp_space space;
    if (CDP_UNLIKELY(cdp_memmap_heap(address, &space) != NULL) && cdp_abi_self == NULL &&
        !is_reporting && cdp_finding_is_on(CDP_CHECKS_MEMORY) && is_of_device(address)) {
        report(address, (const char *)site - 1, writes);
    }
}

/* Clang's callback is the same for all loads. A plain load of what was polled is often the use of
 * the value that the poll has found. */
static inline void record(const void *address, size_t size, bool writes, const void *site)
{
    cdp_races_host_access(address, size,
                          writes              ? CDP_RACES_WRITE
                          : address == polled ? CDP_RACES_POLL
                                              : CDP_RACES_READ,
                          site);
}

CDP_EXPORT extern const char cdp_host_accesses;
const char cdp_host_accesses = 1;

#define CALLBACK(name, bytes, writes)                                                              \
    CDP_EXPORT void __sanitizer_cov_##name##bytes(void *address);                                  \
    void __sanitizer_cov_##name##bytes(void *address)                                              \
    {                                                                                              \
        check(address, __builtin_return_address(0), writes);                                       \
        record(address, bytes, writes, __builtin_return_address(0));                               \
    }
CALLBACK(load, 1, false)
CALLBACK(load, 2, false)
CALLBACK(load, 4, false)
CALLBACK(load, 8, false)
CALLBACK(load, 16, false)
CALLBACK(store, 1, true)
CALLBACK(store, 2, true)
CALLBACK(store, 4, true)
CALLBACK(store, 8, true)
CALLBACK(store, 16, true)

CDP_EXPORT void cdp_abi_host_polls(const void *address)
{
    polled = address;
}

CDP_EXPORT void cdp_abi_host_access(const void *address, uint64_t size, uint32_t writes)
{
    enum cdp_space space;
    if (size == 0) {
        return;
    }
    check(address, __builtin_return_address(0), writes != 0);
    record(address, size, writes != 0, __builtin_return_address(0));
    if (cdp_memmap_heap(address, &space) == NULL) { /* else the end is reported already */
        check((const char *)address + size - 1, __builtin_return_address(0), writes != 0);
    }
}
