/* A part of every object that cdpcc writes. It passes the tables of its module (program or shared
 * library) to the runtime.
 *
 * The linker defines __start_X and __stop_X per module for each section X. They are weak, because a
 * module need not have every section, and hidden, because they must never refer to another module.
 * Each object has this constructor; the runtime ignores repetitions.
 *
 * The tables are sections of arrays, filled by lower/table.c, lower/shared.c and
 * backend/local_variables.c, and by the front end (llvm_offload_entries). A section that the
 * module does not have has two null bounds, so it is an empty table. */
#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"

#define CDP_BOUNDS(type, section)                                                                  \
    extern type __start_##section[] __attribute__((weak, visibility("hidden")));                   \
    extern type __stop_##section[] __attribute__((weak, visibility("hidden")));

CDP_BOUNDS(struct cdp_abi_offload_entry, llvm_offload_entries)
CDP_BOUNDS(struct cdp_abi_kernel, cdp_kernels)
CDP_BOUNDS(struct cdp_abi_variable, cdp_vars)
CDP_BOUNDS(struct cdp_abi_shared_segment, cdp_shared)
CDP_BOUNDS(char, cdp_const)
CDP_BOUNDS(const char, cdp_locals)
CDP_BOUNDS(struct cdp_abi_site, cdp_sites)
CDP_BOUNDS(const uint32_t, cdp_checks)
CDP_BOUNDS(const uint32_t, cdp_objects)

/* Priority 101 is the first that a program may use: so this runs before any constructor of the
 * user's that launches a kernel. */
__attribute__((constructor(101))) static void register_module(void)
{
    const struct cdp_abi_module module = {
        .entries = __start_llvm_offload_entries,
        .entries_end = __stop_llvm_offload_entries,
        .kernels = __start_cdp_kernels,
        .kernels_end = __stop_cdp_kernels,
        .variables = __start_cdp_vars,
        .variables_end = __stop_cdp_vars,
        .segments = __start_cdp_shared,
        .segments_end = __stop_cdp_shared,
        .constants = __start_cdp_const,
        .constants_end = __stop_cdp_const,
        .locals = __start_cdp_locals,
        .locals_end = __stop_cdp_locals,
    };
    const struct cdp_abi_module_checks checks = {
        .sites = __start_cdp_sites,
        .sites_end = __stop_cdp_sites,
        .checks = __start_cdp_checks,
        .checks_end = __stop_cdp_checks,
        .objects = __start_cdp_objects,
        .objects_end = __stop_cdp_objects,
    };
    cdp_abi_register(&module);
    cdp_abi_register_checks(&checks);
}
