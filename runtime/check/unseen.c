/* Unseen writes, recognized by what they leave.
 *
 * A write of bytes equal to the fill is not recognized by itself, so the neighbours count, too: who
 * writes one element of an array mostly writes those beside it. */
#include "check/unseen.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "mem/memmap.h"
#include "mem/written.h"

enum { WINDOW = 64 }; /* bytes that count as written together */

/* Other threads may write the bytes: then either answer is right. */
CDP_NOT_INSTRUMENTED static bool differs_from_fill(const char *bytes, size_t count,
                                                   uint64_t written)
{
    for (size_t i = 0; i < count; i++) {
        if ((written >> i & 1) == 0 && (unsigned char)bytes[i] != CDP_HEAP_FRESH_BYTE) {
            return true;
        }
    }
    return false;
}

void cdp_check_find_unseen_writes(const void *address, size_t size)
{
    struct cdp_memory memory;
    cdp_memmap_find(address, &memory);
    if (size == 0 || memory.size == 0 || cdp_written_is_shared(address)) {
        return;
    }
    size_t filled = memory.size < CDP_HEAP_MOST_FILLED ? memory.size : CDP_HEAP_MOST_FILLED;
    size_t offset = (size_t)((const char *)address - memory.base);
    size_t last = size < memory.size - offset ? offset + size : memory.size;
    for (size_t at = offset / WINDOW * WINDOW; at < last && at < filled; at += WINDOW) {
        size_t count = filled - at < WINDOW ? filled - at : WINDOW;
        const char *bytes = memory.base + at;
        if (differs_from_fill(bytes, count, cdp_written_bits(bytes, count))) {
            cdp_written_set(bytes, count);
        }
    }
}
