/* The check of initialization: uses of memory of cudaMalloc and of the device heap, and of local
 * variables, that nobody wrote. See abi/cdp_check.h. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "abi/cdp_check.h"
#include "base/attr.h"
#include "exec/report/fault.h"
#include "exec/report/finding.h"
#include "exec/state/block.h"
#include "mem/describe.h"
#include "mem/written.h"

CDP_EXPORT void cdp_abi_init_write(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_init_read(const struct cdp_abi_site *site, const void *address,
                                  uint64_t size);
CDP_EXPORT void cdp_abi_init_read_some(const struct cdp_abi_site *site, const void *address,
                                       uint64_t size);
CDP_EXPORT uint64_t cdp_abi_init_load(const void *address, uint64_t size);
CDP_EXPORT void cdp_abi_init_store(const void *address, uint64_t size, uint64_t bits);
CDP_EXPORT void cdp_abi_init_copy(const void *to, const void *from, uint64_t size);
CDP_EXPORT void cdp_abi_init_local(const struct cdp_abi_site *site);

/* The program continues. memory may be NULL. */
CDP_COLD static void report(const struct cdp_abi_site *site, const char *title, const char *memory,
                            const char *help)
{
    struct cdp_block *block = cdp_block_of(cdp_abi_self);
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (!cdp_finding_is_on(CDP_CHECKS_INIT)) {
        return;
    }
    struct cdp_finding finding = {
        .check = CDP_CHECKS_INIT, .title = title, .memory = memory, .help = help};
    cdp_finding_place_of(&finding.at, block, cdp_abi_self->thread_idx);
    finding.at.site = site;
    finding.at.has_thread = true;
    (void)cdp_finding_report(&finding);
}

/* first: the offset of a byte that was not written. It counts as written from now on: what follows
 * from one mistake is not reported again. */
CDP_COLD static void report_memory(const struct cdp_abi_site *site, const char *address,
                                   uint64_t size, size_t first)
{
    char title[200], memory[1300];
    snprintf(title, sizeof title, "%s of %" PRIu64 " bytes of memory that nobody wrote",
             (site->flags & CDP_SITE_ATOMIC) != 0 ? "atomic access" : "read", size);
    bool is_known = cdp_describe_address(address + first, memory, sizeof memory);
    cdp_written_set(address, size);
    report(site, title, is_known ? memory : NULL,
           "write the memory first, for example by cudaMemset or cudaMemcpy");
}

void cdp_abi_init_write(const void *address, uint64_t size)
{
    cdp_written_set(address, size);
}

void cdp_abi_init_read(const struct cdp_abi_site *site, const void *address, uint64_t size)
{
    size_t first = cdp_written_prefix(address, size);
    if (CDP_UNLIKELY(first != size)) {
        report_memory(site, address, size, first);
    }
}

void cdp_abi_init_read_some(const struct cdp_abi_site *site, const void *address, uint64_t size)
{
    if (CDP_UNLIKELY(size != 0 && cdp_written_bits(address, size) == 0)) {
        report_memory(site, address, size, 0);
    }
}

uint64_t cdp_abi_init_load(const void *address, uint64_t size)
{
    return cdp_written_bits(address, size);
}

void cdp_abi_init_store(const void *address, uint64_t size, uint64_t bits)
{
    uint64_t all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    if (CDP_LIKELY((bits & all) == all)) {
        cdp_written_set(address, size);
    } else {
        cdp_written_put(address, size, bits);
    }
}

void cdp_abi_init_copy(const void *to, const void *from, uint64_t size)
{
    cdp_written_copy(to, from, size);
}

void cdp_abi_init_local(const struct cdp_abi_site *site)
{
    char title[300];
    snprintf(title, sizeof title, "local variable%s%s%s is used, but nothing wrote it",
             site->variable != NULL ? " '" : "", site->variable != NULL ? site->variable : "",
             site->variable != NULL ? "'" : "");
    report(site, title, NULL, "give the variable a value where it is declared");
}
