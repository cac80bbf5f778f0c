/* The table of written bytes. */
#include "mem/written.h"

#include <stdatomic.h>

#include "base/options.h"
#include "os/os.h"

enum {
    MOST_RANGES = 2 * CDP_MOST_DEVICES + 1, /* the heaps of each device, and shared memory */
    WORD = 64                               /* bytes of memory for one word of the table */
};

/* Const once counted. */
struct range {
    uintptr_t low, size;
    _Atomic(uint64_t) *words; /* a bit for each byte, the lowest one for the lowest address */
    bool is_shared;
};

static struct range ranges[MOST_RANGES];
static atomic_uint range_count;

void cdp_written_enable(const void *low, size_t size, bool is_shared)
{
    unsigned count = atomic_load(&range_count);
    /* One word more than needed: cdp_written_bits reads two. */
    size_t bytes = (size / WORD + 2) * sizeof(uint64_t);
    void *words = count < MOST_RANGES ? cdp_os_map(bytes) : NULL;
    if (words == NULL) {
        return;
    }
    ranges[count] =
        (struct range){.low = (uintptr_t)low, .size = size, .words = words, .is_shared = is_shared};
    atomic_store(&range_count, count + 1);
}

bool cdp_written_is_on(void)
{
    return atomic_load_explicit(&range_count, memory_order_relaxed) != 0;
}

/* The range that contains all bytes; NULL if none does. */
static const struct range *range_of(const void *address, size_t size)
{
    unsigned count = atomic_load_explicit(&range_count, memory_order_acquire);
    for (unsigned i = 0; i < count; i++) {
        uintptr_t offset = (uintptr_t)address - ranges[i].low;
        if (offset < ranges[i].size && size <= ranges[i].size - offset) {
            return &ranges[i];
        }
    }
    return NULL;
}

bool cdp_written_is_checked(const void *address)
{
    return range_of(address, 1) != NULL;
}

bool cdp_written_is_shared(const void *address)
{
    const struct range *range = range_of(address, 1);
    return range != NULL && range->is_shared;
}

/* Relaxed: the bits belong to memory that the program orders itself. */
static uint64_t word_at(const struct range *range, uintptr_t at)
{
    return atomic_load_explicit(&range->words[at / WORD], memory_order_relaxed);
}

static void change(_Atomic(uint64_t) *word, uint64_t mask, bool value)
{
    uint64_t now = atomic_load_explicit(word, memory_order_relaxed);
    if ((now & mask) == (value ? mask : 0)) {
        return;
    }
    if (mask == UINT64_MAX) {
        atomic_store_explicit(word, value ? UINT64_MAX : 0, memory_order_relaxed);
    } else if (value) {
        atomic_fetch_or_explicit(word, mask, memory_order_relaxed);
    } else {
        atomic_fetch_and_explicit(word, ~mask, memory_order_relaxed);
    }
}

/* The lowest bits; count is from 1 to 64. */
static uint64_t lowest(size_t count)
{
    return UINT64_MAX >> (WORD - count);
}

static void fill(const void *address, size_t size, bool value)
{
    const struct range *range = size == 0 ? NULL : range_of(address, size);
    if (range == NULL) {
        return;
    }
    uintptr_t at = (uintptr_t)address - range->low, end = at + size;
    while (at < end) {
        size_t first = at % WORD, count = end - at < WORD - first ? end - at : WORD - first;
        change(&range->words[at / WORD], lowest(count) << first, value);
        at += count;
    }
}

void cdp_written_set(const void *address, size_t size)
{
    fill(address, size, true);
}

void cdp_written_clear(const void *address, size_t size)
{
    fill(address, size, false);
}

/* Bits of the 64 bytes from an offset on. */
static uint64_t bits_at(const struct range *range, uintptr_t at)
{
    size_t first = at % WORD;
    uint64_t low = word_at(range, at) >> first;
    return first == 0 ? low : low | word_at(range, at + WORD) << (WORD - first);
}

uint64_t cdp_written_bits(const void *address, size_t size)
{
    const struct range *range = range_of(address, size);
    return range == NULL ? UINT64_MAX
                         : bits_at(range, (uintptr_t)address - range->low) & lowest(size);
}

void cdp_written_put(const void *address, size_t size, uint64_t bits)
{
    for (size_t i = 0; i < size; i++) {
        fill((const char *)address + i, 1, (bits >> i & 1) != 0);
    }
}

/* In pieces, in the order that keeps what is still to be read. */
void cdp_written_copy(const void *to, const void *from, size_t size)
{
    bool forwards = (uintptr_t)to <= (uintptr_t)from;
    if (range_of(to, size) == NULL || range_of(from, size) == NULL) {
        fill(to, size, true);
        return;
    }
    for (size_t done = 0; done < size;) {
        size_t piece = size - done < WORD ? size - done : WORD;
        size_t at = forwards ? done : size - done - piece;
        uint64_t bits = cdp_written_bits((const char *)from + at, piece);
        uint64_t all = lowest(piece);
        if ((bits & all) == all || (bits & all) == 0) {
            fill((const char *)to + at, piece, bits != 0);
        } else {
            cdp_written_put((const char *)to + at, piece, bits);
        }
        done += piece;
    }
}

size_t cdp_written_prefix(const void *address, size_t size)
{
    const struct range *range = size == 0 ? NULL : range_of(address, size);
    uintptr_t start = (uintptr_t)address - (range == NULL ? 0 : range->low);
    for (size_t i = 0; range != NULL && i < size; i += WORD) {
        uint64_t missing = ~bits_at(range, start + i);
        size_t count = missing == 0 ? WORD : (size_t)__builtin_ctzll(missing);
        if (count < WORD) {
            return i + count < size ? i + count : size;
        }
    }
    return size;
}

bool cdp_written_is_empty(const void *address, size_t size)
{
    const struct range *range = size == 0 ? NULL : range_of(address, size);
    uintptr_t start = (uintptr_t)address - (range == NULL ? 0 : range->low);
    bool is_empty = range != NULL;
    for (size_t i = 0; is_empty && i < size; i += WORD) {
        size_t count = size - i < WORD ? size - i : WORD;
        is_empty = (bits_at(range, start + i) & lowest(count)) == 0;
    }
    return is_empty;
}
