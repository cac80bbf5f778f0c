/* The registry: the kernels and variables of the linked modules.
 *
 * Constructors add modules before main. At first use their contents are joined: host stub -> kernel
 * and host shadow -> variable, by name within one module (two libraries may each have a kernel of
 * one name). Look-ups take no lock. */
#ifndef CDP_API_REGISTER_H
#define CDP_API_REGISTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "base/lock.h"
#include "mem/symbol.h"

struct cdp_registry_module {
    struct cdp_registry_module *next;
    struct cdp_abi_module tables; /* borrowed: the module stays loaded */
};

/* The tables of checks of one module. If the module is unloaded, only their sizes are used. */
struct cdp_registry_checks {
    struct cdp_registry_checks *next;
    struct cdp_abi_module_checks tables; /* borrowed */
};

struct cdp_registry {
    struct cdp_lock lock;
    struct cdp_registry_module *modules CDP_GUARDED_BY(&lock);  /* owned, latest first */
    struct cdp_registry_checks *checks CDP_GUARDED_BY(&lock);   /* owned, latest first */
    struct cdp_embedded_kernel *embedded CDP_GUARDED_BY(&lock); /* owned; api/embed.c */
    _Atomic bool is_stale; /* modules were added since the last join */
    _Atomic bool has_lost; /* there was no memory for a module, or for the list of its checks */
    /* A join replaces the whole tables. Old ones are kept, because readers have no lock. */
    _Atomic(struct cdp_symbol_table *) kernels;   /* stub or descriptor -> descriptor */
    _Atomic(struct cdp_symbol_table *) variables; /* shadow or address -> variable */
    uint64_t segments_base CDP_GUARDED_BY(&lock); /* of the first shared segment */
    /* Every block's shared memory must reach as far; 0: there are none. The engine has a copy,
     * which a join and the runtime's start set under this lock. */
    uint64_t segments_end CDP_GUARDED_BY(&lock);
};

/* NULL if handle is no kernel: neither a host stub nor a descriptor. */
struct cdp_abi_kernel *cdp_registry_find_kernel(const void *handle);
/* NULL if handle is neither a host shadow nor a device variable's address. */
struct cdp_abi_variable *cdp_registry_find_variable(const void *handle);
/* The tables of the program or library that starts at base; NULL: it has no device code. The module
 * stays loaded. */
const struct cdp_abi_module *cdp_registry_find_module(const void *base);
/* Whether a module lists handle as its own, though it may be unusable here: for example a kernel of
 * another version of the interface. */
bool cdp_registry_names(const void *handle);
/* How host code names the kernel; NULL: it has none, as the driver API has loaded the module. */
const void *cdp_registry_stub(const struct cdp_abi_kernel *kernel);
/* Bytes of the constants of the kernel's module. */
size_t cdp_registry_constant_bytes(const struct cdp_abi_kernel *kernel);
/* False if there was no memory to register all modules: then an unknown handle may be valid. */
bool cdp_registry_is_whole(void);
/* Resets what cudaFuncSetAttribute has set. */
void cdp_registry_reset_kernels(void);
/* Names the modules that have objects without checks, by cdp_finding_remark. */
void cdp_registry_tell_unchecked(void);
/* Makes the next look-up join again. */
void cdp_registry_invalidate(void);

#endif
