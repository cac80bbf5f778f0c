/* Sectors, wavefronts and conflicts of one request. The rules are those of docs/profile.md. */
#include "exec/report/count_request.h"

enum { LANES = 32, SECTOR = 32, BANK_BYTES = 4, BANKS = 32, PHASE_BYTES = LANES * BANK_BYTES };
/* Of a lane; a longer copy counts as if it were this long. */
enum { MOST_BYTES = 16 };
enum { MOST_UNITS = LANES * (MOST_BYTES / BANK_BYTES + 1) };

static bool has_lane(const struct cdp_count_request *request, uint32_t lane)
{
    return (request->lanes >> lane & 1) != 0;
}

/* Adds the units of so many bytes that the lane accesses, each once. Neighbours access neighbouring
 * units, so the search begins at the end. */
static uint32_t add_units(const struct cdp_count_request *request, uint32_t lane, uint32_t bytes,
                          uint64_t *units, uint32_t count)
{
    uint32_t size = request->size < MOST_BYTES ? request->size : MOST_BYTES;
    uint64_t last = (request->values[lane] + (size != 0 ? size - 1 : 0)) / bytes;
    for (uint64_t unit = request->values[lane] / bytes; unit <= last; unit++) {
        uint32_t at = count;
        while (at > 0 && units[at - 1] != unit) {
            at--;
        }
        if (at == 0) {
            units[count++] = unit;
        }
    }
    return count;
}

static uint32_t sectors_of(const struct cdp_count_request *request)
{
    uint64_t sectors[MOST_UNITS];
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (has_lane(request, lane)) {
            count = add_units(request, lane, SECTOR, sectors, count);
        }
    }
    return count;
}

/* The lanes from first on that one phase serves: the words of the fullest bank. */
static uint32_t wavefronts_of(const struct cdp_count_request *request, uint32_t first,
                              uint32_t lanes)
{
    uint64_t words[MOST_UNITS];
    uint32_t count = 0, in_bank[BANKS] = {0}, most = 0;
    for (uint32_t lane = first; lane < first + lanes; lane++) {
        if (has_lane(request, lane)) {
            count = add_units(request, lane, BANK_BYTES, words, count);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t words_there = ++in_bank[words[i] % BANKS];
        most = words_there > most ? words_there : most;
    }
    return most;
}

static void add_shared(const struct cdp_count_request *request, struct cdp_count_parts *parts)
{
    uint32_t size = request->size < BANK_BYTES   ? BANK_BYTES
                    : request->size > MOST_BYTES ? MOST_BYTES
                                                 : request->size;
    uint32_t lanes = PHASE_BYTES / size;
    while ((lanes & (lanes - 1)) != 0) {
        lanes &= lanes - 1; /* 12 bytes: as 16 */
    }
    for (uint32_t first = 0; first < LANES; first += lanes) {
        uint32_t wavefronts = wavefronts_of(request, first, lanes);
        parts->parts += wavefronts;
        parts->conflicts += wavefronts != 0 ? wavefronts - 1 : 0;
    }
}

static uint32_t same_address(const struct cdp_count_request *request)
{
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint32_t others = 0;
        for (uint32_t other = 0; other < lane && has_lane(request, lane); other++) {
            others += has_lane(request, other) && request->values[other] == request->values[lane];
        }
        most = others > most ? others : most;
    }
    return most;
}

/* Whether its lanes take both sides. */
static bool diverges(const struct cdp_count_request *request)
{
    uint32_t taken = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        taken |= (uint32_t)(has_lane(request, lane) && request->values[lane] != 0) << lane;
    }
    return taken != 0 && taken != request->lanes;
}

struct cdp_count_parts cdp_count_request_parts(const struct cdp_count_request *request)
{
    struct cdp_count_parts parts = {.parts = 0};
    if (request->space == CDP_COUNT_GLOBAL) {
        parts.parts = sectors_of(request);
    } else if (request->space == CDP_COUNT_SHARED) {
        add_shared(request, &parts);
    } else {
        parts.parts = diverges(request);
    }
    if ((request->site->flags & CDP_SITE_ATOMIC) != 0) {
        parts.same_address = same_address(request);
    }
    return parts;
}
