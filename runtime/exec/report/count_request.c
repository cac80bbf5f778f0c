/* Sectors, wavefronts and conflicts of one request. The rules are those of docs/profile.md. */
#include "exec/report/count_request.h"

#include <string.h>

#include "base/alloc.h"
#include "base/attr.h"

enum { MOST_UNITS = CDP_COUNT_LANES * (CDP_COUNT_MOST_BYTES / CDP_COUNT_WORD + 1) };

/* The units of memory that a request accesses, each once, in an open hash table. A unit belongs to
 * the request of its stamp, so the table need not be cleared. Owner: the OS thread; never freed. On
 * the heap, since a library that is loaded late has little memory for threads' variables. */
enum { SLOTS = 512 }; /* a power of two, at least twice MOST_UNITS */
_Static_assert(SLOTS >= 2 * MOST_UNITS, "the table is never full");
struct units {
    struct {
        uint64_t unit;
        uint32_t stamp;
        uint32_t uses;
    } slots[SLOTS];
    uint32_t stamp;
};

/* NULL without memory; then a request that needs the table counts as no sectors or words. */
static struct units *begin_units(void)
{
    static __thread struct units *own;
    if (CDP_UNLIKELY(own == NULL) && (own = cdp_alloc_zero(sizeof *own)) == NULL) {
        return NULL;
    }
    if (++own->stamp == 0) {
        memset(own->slots, 0, sizeof own->slots);
        own->stamp = 1;
    }
    return own;
}

/* How often the unit has been added since begin_units, with this time. */
static uint32_t add_unit(struct units *units, uint64_t unit)
{
    uint64_t slot = (unit ^ unit / SLOTS) % SLOTS; /* consecutive units have different slots */
    while (units->slots[slot].stamp == units->stamp && units->slots[slot].unit != unit) {
        slot = (slot + 1) % SLOTS;
    }
    uint32_t uses = units->slots[slot].stamp == units->stamp ? units->slots[slot].uses + 1 : 1;
    units->slots[slot].unit = unit;
    units->slots[slot].stamp = units->stamp;
    units->slots[slot].uses = uses;
    return uses;
}

/* Ascending addresses, which most requests have, need no table. Zero: they do not ascend. */
static uint32_t ascending_sectors(const struct cdp_count_request *request)
{
    uint32_t count = 0, size = cdp_count_size(request);
    uint64_t next = 0; /* the first sector that no lane so far accesses */
    for (uint32_t left = request->lanes; left != 0; left &= left - 1) {
        uint64_t address = request->values[__builtin_ctz(left)];
        uint64_t unit = address / CDP_COUNT_SECTOR,
                 end = (address + size - 1) / CDP_COUNT_SECTOR + 1;
        if (unit + 1 < next) {
            return 0;
        }
        unit = unit < next ? next : unit;
        count += end > unit ? (uint32_t)(end - unit) : 0;
        next = end > next ? end : next;
    }
    return count;
}

static uint32_t sectors_of(const struct cdp_count_request *request)
{
    uint32_t count = ascending_sectors(request), size = cdp_count_size(request);
    if (count != 0) {
        return count;
    }
    struct units *units = begin_units();
    for (uint32_t left = units != NULL ? request->lanes : 0; left != 0; left &= left - 1) {
        uint64_t address = request->values[__builtin_ctz(left)];
        uint64_t last = (address + size - 1) / CDP_COUNT_SECTOR;
        for (uint64_t unit = address / CDP_COUNT_SECTOR; unit <= last; unit++) {
            count += add_unit(units, unit) == 1;
        }
    }
    return count;
}

/* Whether no bank has two words, of which each lane accesses one: that is what programs aim at. */
static bool has_no_conflict(const struct cdp_count_request *request, uint32_t lanes)
{
    uint64_t words[CDP_COUNT_BANKS];
    uint32_t used = 0;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint64_t word = request->values[__builtin_ctz(left)] / CDP_COUNT_WORD;
        uint32_t bank = (uint32_t)(word % CDP_COUNT_BANKS);
        if ((used >> bank & 1) != 0 && words[bank] != word) {
            return false;
        }
        used |= UINT32_C(1) << bank;
        words[bank] = word;
    }
    return true;
}

/* The words of the fullest bank. *most: lanes that access the same word, at most; for accesses of
 * one word. */
static uint32_t words_of_fullest_bank(const struct cdp_count_request *request, uint32_t lanes,
                                      uint32_t *most)
{
    uint32_t fullest = 0, most_uses = 0, size = cdp_count_size(request);
    uint32_t in_bank[CDP_COUNT_BANKS] = {0};
    struct units *units = begin_units();
    for (uint32_t left = units != NULL ? lanes : 0; left != 0; left &= left - 1) {
        uint64_t address = request->values[__builtin_ctz(left)];
        uint64_t last = (address + size - 1) / CDP_COUNT_WORD;
        for (uint64_t word = address / CDP_COUNT_WORD; word <= last; word++) {
            uint32_t uses = add_unit(units, word);
            in_bank[word % CDP_COUNT_BANKS] += uses == 1;
            uint32_t words_there = in_bank[word % CDP_COUNT_BANKS];
            fullest = words_there > fullest ? words_there : fullest;
            most_uses = uses > most_uses ? uses : most_uses;
        }
    }
    *most = most_uses;
    return fullest;
}

/* Of the lanes that one phase serves. */
static uint32_t wavefronts_of(const struct cdp_count_request *request, uint32_t lanes)
{
    uint32_t unused;
    if (request->size <= CDP_COUNT_WORD && has_no_conflict(request, lanes)) {
        return lanes != 0;
    }
    return words_of_fullest_bank(request, lanes, &unused);
}

static void add_shared(const struct cdp_count_request *request, struct cdp_count_parts *parts)
{
    uint32_t lanes = cdp_count_phase(request);
    for (uint32_t first = 0; first < CDP_COUNT_LANES; first += lanes) {
        uint32_t wavefronts =
            wavefronts_of(request, request->lanes & cdp_count_run(lanes) << first);
        parts->parts += wavefronts;
        parts->conflicts += wavefronts != 0 ? wavefronts - 1 : 0;
    }
}

static uint32_t same_address(const struct cdp_count_request *request)
{
    struct units *units = begin_units();
    uint32_t most = 1;
    for (uint32_t left = units != NULL ? request->lanes : 0; left != 0; left &= left - 1) {
        uint32_t uses = add_unit(units, request->values[__builtin_ctz(left)]);
        most = uses > most ? uses : most;
    }
    return most - 1;
}

/* Whether its lanes take different sides. */
static bool diverges(const struct cdp_count_request *request)
{
    uint64_t side = request->values[__builtin_ctz(request->lanes)];
    for (uint32_t left = request->lanes; left != 0; left &= left - 1) {
        if (request->values[__builtin_ctz(left)] != side) {
            return true;
        }
    }
    return false;
}

/* Atomic operations on words of shared memory, which histograms have: one look at each lane. */
static struct cdp_count_parts atomic_words(const struct cdp_count_request *request)
{
    uint32_t most, words = words_of_fullest_bank(request, request->lanes, &most);
    return (struct cdp_count_parts){.parts = words,
                                    .conflicts = words != 0 ? words - 1 : 0,
                                    .same_address = most != 0 ? most - 1 : 0};
}

struct cdp_count_parts cdp_count_request_parts(const struct cdp_count_request *request)
{
    struct cdp_count_parts parts = {.parts = 0};
    bool is_atomic = (request->site->flags & CDP_SITE_ATOMIC) != 0;
    bool is_aligned_word = request->size == CDP_COUNT_WORD &&
                           request->values[__builtin_ctz(request->lanes)] % CDP_COUNT_WORD == 0;
    if (is_atomic && is_aligned_word && request->space == CDP_COUNT_SHARED) {
        return atomic_words(request);
    }
    if (request->space == CDP_COUNT_GLOBAL) {
        parts.parts = sectors_of(request);
    } else if (request->space == CDP_COUNT_SHARED) {
        add_shared(request, &parts);
    } else {
        parts.parts = diverges(request);
    }
    if (is_atomic) {
        parts.same_address = same_address(request);
    }
    return parts;
}
