/* The sites of checked code, by their numbers: shadow memory stores a number where an address of
 * eight bytes would be too large. */
#ifndef CDP_EXEC_REPORT_SITES_H
#define CDP_EXEC_REPORT_SITES_H

#include <stdint.h>

#include "abi/cdp_check.h"
#include "base/attr.h"
#include "base/status.h"

/* Numbers the sites of a module, from the last number + 1 on. Sites that have numbers keep them.
 * The caller prevents concurrent calls. The sites stay where they are until the module is
 * unloaded. */
enum cdp_status cdp_sites_add(struct cdp_abi_site *sites, struct cdp_abi_site *end) CDP_MUST_CHECK;

/* The site of a number; NULL if there is none, or if its module was unloaded. Takes no lock. For
 * reports: it is not fast. */
const struct cdp_abi_site *cdp_sites_find(uint32_t number);

/* Less than, equal to or greater than 0, as strcmp: the order of source files by their paths. A
 * file has a folder unless its path is whole; folders may be NULL. */
int cdp_sites_order(const char *file, const char *folder, const char *other,
                    const char *other_folder);

/* The last number that was given, also to a module that was unloaded; 0: none. */
uint32_t cdp_sites_last(void);

#endif
