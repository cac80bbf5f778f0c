/* Memory and objects that are never freed, for --check=leak. */
#ifndef CDP_API_LEAK_H
#define CDP_API_LEAK_H

#include <stdint.h>

#include "abi/cdp_check.h"
#include "exec/report/finding.h"

enum cdp_leak_kind {
    CDP_LEAK_STREAM,
    CDP_LEAK_EVENT,
    CDP_LEAK_ARRAY,
    CDP_LEAK_TEXTURE,
    CDP_LEAK_SURFACE,
    CDP_LEAK_GRAPH,
    CDP_LEAK_EXEC,
};

struct cdp_runtime;

void cdp_leak_add(enum cdp_leak_kind kind, uint64_t handle, const void *site);
void cdp_leak_remove(uint64_t handle);

/* The program has made an object. handle: as the program has it; the handles of all kinds differ.
 * site: return address of the call. Memory is not noted: the heaps know it. */
static inline void cdp_leak_made(enum cdp_leak_kind kind, uint64_t handle, const void *site)
{
    if (__builtin_expect(cdp_finding_is_on(CDP_CHECKS_LEAK), 0)) {
        cdp_leak_add(kind, handle, site);
    }
}

/* The program has freed the object. */
static inline void cdp_leak_freed(uint64_t handle)
{
    if (__builtin_expect(cdp_finding_is_on(CDP_CHECKS_LEAK), 0)) {
        cdp_leak_remove(handle);
    }
}

/* Reports what lives on the device, or on all devices, by the places where it was made. At the end
 * of the program, and before cudaDeviceReset frees everything. Does nothing if the check is off, or
 * after a fault: then nothing can be freed. */
void cdp_leak_report(struct cdp_runtime *runtime, unsigned device);
/* Forgets the objects of the device: cudaDeviceReset has freed them. */
void cdp_leak_forget(unsigned device);

#endif
