/* Sites of host code: return addresses of its accesses. They get numbers above those of device
 * code's sites at their first access, and keep them. */
#ifndef CDP_RACES_HOST_SITE_H
#define CDP_RACES_HOST_SITE_H

#include <stdint.h>

/* Sites below are of compiled device code (struct cdp_abi_site), those from here on of host code.
 */
enum { CDP_RACE_HOST_SITES = 1 << 14 };
/* In place of the number of a site of device code: a stream's write of a value. */
enum { CDP_RACE_STREAM_SITE = CDP_RACE_HOST_SITES - 1 };

/* The number of a return address; 0 if there are too many. Any thread may call it. */
uint32_t cdp_host_site_number(const void *site);
/* An address in the instruction that made the access; NULL: the number is not of host code. */
const char *cdp_host_site_call(uint32_t number);

#endif
