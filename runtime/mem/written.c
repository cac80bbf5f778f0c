/* The table of written bytes. */
#include "mem/written.h"

#include <stdatomic.h>

#include "os/os.h"

enum { MOST_RANGES = 3, BITS = 8, MOST_BYTES = 64 };

/* Const once counted. */
struct range {
    uintptr_t low, size;
    _Atomic(uint8_t) *bits;
    bool is_shared;
};

static struct range ranges[MOST_RANGES];
static atomic_uint range_count;

void cdp_written_enable(const void *low, size_t size, bool is_shared)
{
    unsigned count = atomic_load(&range_count);
    void *bits = count < MOST_RANGES ? cdp_os_map(size / BITS + 1) : NULL;
    if (bits == NULL) {
        return;
    }
    ranges[count] =
        (struct range){.low = (uintptr_t)low, .size = size, .bits = bits, .is_shared = is_shared};
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

/* The bits of 64 bytes, if at is a multiple of 64: whole words are read and written at once. */
static _Atomic(uint64_t) *word_at(const struct range *range, uintptr_t at)
{
    return (_Atomic(uint64_t) *)(void *)&range->bits[at / BITS];
}

/* Relaxed: the bits belong to memory that the program orders itself. */
static void change(_Atomic(uint8_t) *byte, uint8_t mask, bool value)
{
    uint8_t now = atomic_load_explicit(byte, memory_order_relaxed);
    if ((now & mask) == (value ? mask : 0)) {
        return;
    }
    if (mask == UINT8_MAX) {
        atomic_store_explicit(byte, value ? UINT8_MAX : 0, memory_order_relaxed);
    } else if (value) {
        atomic_fetch_or_explicit(byte, mask, memory_order_relaxed);
    } else {
        atomic_fetch_and_explicit(byte, (uint8_t)~mask, memory_order_relaxed);
    }
}

static void fill(const void *address, size_t size, bool value)
{
    const struct range *range = size == 0 ? NULL : range_of(address, size);
    if (range == NULL) {
        return;
    }
    uintptr_t at = (uintptr_t)address - range->low, end = at + size;
    while (at < end) {
        if (at % MOST_BYTES == 0 && end - at >= MOST_BYTES) {
            _Atomic(uint64_t) *word = word_at(range, at);
            uint64_t all = value ? UINT64_MAX : 0;
            if (atomic_load_explicit(word, memory_order_relaxed) != all) {
                atomic_store_explicit(word, all, memory_order_relaxed);
            }
            at += MOST_BYTES;
            continue;
        }
        unsigned first = at % BITS;
        unsigned last = end - at < BITS - first ? (unsigned)(first + (end - at)) : BITS;
        uint8_t mask = (uint8_t)((UINT8_MAX << first) & (UINT8_MAX >> (BITS - last)));
        change(&range->bits[at / BITS], mask, value);
        at += last - first;
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

static bool is_written(const struct range *range, uintptr_t offset)
{
    uint8_t byte = atomic_load_explicit(&range->bits[offset / BITS], memory_order_relaxed);
    return (byte >> offset % BITS & 1) != 0;
}

uint64_t cdp_written_bits(const void *address, size_t size)
{
    const struct range *range = range_of(address, size);
    uint64_t bits = 0;
    if (range == NULL) {
        return UINT64_MAX;
    }
    uintptr_t at = (uintptr_t)address - range->low;
    for (size_t i = 0; i < size;) {
        unsigned first = (unsigned)((at + i) % BITS);
        uint64_t byte = atomic_load_explicit(&range->bits[(at + i) / BITS], memory_order_relaxed);
        bits |= byte >> first << i;
        i += BITS - first;
    }
    return bits;
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
        size_t piece = size - done < MOST_BYTES ? size - done : MOST_BYTES;
        size_t at = forwards ? done : size - done - piece;
        uint64_t bits = cdp_written_bits((const char *)from + at, piece);
        uint64_t all = piece == MOST_BYTES ? UINT64_MAX : (UINT64_C(1) << piece) - 1;
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
    for (size_t i = 0; range != NULL && i < size;) {
        uintptr_t at = start + i;
        if (at % MOST_BYTES == 0 && size - i >= MOST_BYTES &&
            atomic_load_explicit(word_at(range, at), memory_order_relaxed) == UINT64_MAX) {
            i += MOST_BYTES;
            continue;
        }
        bool is_whole = at % BITS == 0 && size - i >= BITS;
        if (is_whole &&
            atomic_load_explicit(&range->bits[at / BITS], memory_order_relaxed) == UINT8_MAX) {
            i += BITS;
        } else if (is_written(range, at)) {
            i++;
        } else {
            return i;
        }
    }
    return size;
}

bool cdp_written_is_empty(const void *address, size_t size)
{
    const struct range *range = size == 0 ? NULL : range_of(address, size);
    if (range == NULL) {
        return false;
    }
    uintptr_t at = (uintptr_t)address - range->low, end = at + size;
    while (at < end) {
        bool is_whole = at % MOST_BYTES == 0 && end - at >= MOST_BYTES;
        if (is_whole ? atomic_load_explicit(word_at(range, at), memory_order_relaxed) != 0
                     : is_written(range, at)) {
            return false;
        }
        at += is_whole ? MOST_BYTES : 1;
    }
    return true;
}
