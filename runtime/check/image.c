/* The memory of the program and its libraries.
 *
 * The runtime knows the variables that host code can name. Other data of device code, such as
 * static variables of functions and virtual tables, and data of host code lie side by side. The
 * symbol tables tell them apart: cdpcc ends the names of device code's data by ".cdp". Strings and
 * constants of the compiler have no symbols, and belong to either. */
#include "check/image.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "os/code.h"
#include "os/os.h"

bool cdp_image_contains(const void *address)
{
    /* The latest page is remembered, because the search takes long. 0: none. */
    static __thread uintptr_t latest;
    uintptr_t page = (uintptr_t)address & ~((uintptr_t)cdp_os_page() - 1);
    if (page != 0 && page != latest && cdp_os_module_of(address) != NULL) {
        latest = page;
    }
    return page != 0 && page == latest;
}

/* Names that begin with "cdp" are those of the runtime and of cdpcc's tables. With AddressSanitizer
 * the compiler's own data has symbols, too. */
static bool is_host_name(const char *name)
{
    static const char table[] = "switch.table.";
    return strstr(name, ".cdp") == NULL && strncmp(name, "cdp", 3) != 0 && name[0] != '.' &&
           strncmp(name, table, sizeof table - 1) != 0;
}

/* The variables of host code. They are looked up once: those of libraries that are loaded later
 * are not known. NULL: there is no memory for them. */
static const struct cdp_os_symbols *host_variables(void)
{
    static _Atomic(struct cdp_os_symbols *) all;
    struct cdp_os_symbols *found = atomic_load(&all), *other = NULL;
    if (found != NULL) {
        return found;
    }
    found = cdp_alloc_zero(sizeof *found);
    if (found == NULL) {
        return NULL;
    }
    cdp_os_find_variables(is_host_name, found);
    if (!atomic_compare_exchange_strong(&all, &other, found)) {
        cdp_free(found->ranges);
        cdp_free(found);
        return other;
    }
    return found;
}

bool cdp_image_is_of_host(const void *address)
{
    const struct cdp_os_symbols *variables = host_variables();
    uintptr_t at = (uintptr_t)address;
    size_t low = 0, high = variables != NULL ? variables->count : 0;
    while (low < high) { /* the last one that starts at the address or before it */
        size_t middle = (low + high) / 2;
        if (variables->ranges[middle].low <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low != 0 && at < variables->ranges[low - 1].high;
}

bool cdp_image_name(const void *address, char *out, size_t size)
{
    char symbol[512];
    if (!cdp_os_variable_name(address, symbol, sizeof symbol)) {
        return false;
    }
    cdp_os_demangle(symbol, out, size);
    return true;
}
