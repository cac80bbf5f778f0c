/* --count: the formulas for affine requests compared with a look at each lane, and that one with
 * sets of sectors and words. */
#include "check/count_vectors.h"

#include <string.h>

#include "base/random.h"
#include "support/suite.h"

enum { LANES = 32, ROUNDS = 20000, MOST_SECTORS = 4096 };

static uint64_t random_state = 7;

static uint32_t pick(uint32_t below)
{
    return (uint32_t)cdp_random_word(&random_state) % below;
}

static struct cdp_abi_site site;

/* Sectors of 32 bytes, or words of 4 bytes, that the lanes access. */
static uint32_t different_units(const struct cdp_count_request *request, uint32_t lanes,
                                uint32_t bytes, uint32_t *in_bank)
{
    static bool seen[MOST_SECTORS * 8];
    uint32_t count = 0;
    memset(seen, 0, sizeof seen);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        for (uint32_t i = 0; (lanes >> lane & 1) != 0 && i < request->size; i++) {
            uint64_t unit = (request->values[lane] + i) / bytes;
            if (!seen[unit]) {
                seen[unit] = true;
                count++;
                if (in_bank != NULL) {
                    in_bank[unit % 32]++;
                }
            }
        }
    }
    return count;
}

static uint32_t wavefronts(const struct cdp_count_request *request)
{
    uint32_t lanes = request->size <= 4 ? 32 : request->size == 8 ? 16 : 8, total = 0;
    for (uint32_t first = 0; first < LANES; first += lanes) {
        uint32_t in_bank[32] = {0}, most = 0;
        uint32_t mask = (uint32_t)((UINT64_C(1) << lanes) - 1) << first & request->lanes;
        different_units(request, mask, 4, in_bank);
        for (int bank = 0; bank < 32; bank++) {
            most = in_bank[bank] > most ? in_bank[bank] : most;
        }
        total += most;
    }
    return total;
}

static void set_values(uint64_t *values, const struct cdp_count_vectors *vectors)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        values[lane] = (uintptr_t)vectors->first[lane / vectors->lanes] +
                       (uint64_t)(vectors->stride * (int64_t)(lane % vectors->lanes));
    }
}

/* Vectors as programs have them: rows of a matrix, one address, overlapping or distant. */
static void make_vectors(struct cdp_count_vectors *vectors, const void **first, uint32_t size)
{
    static const int64_t steps[] = {0, 1, 2, 4, 8, 12, 16, 32, 36, 128, -4, -8, -32};
    int64_t stride = pick(3) == 0 ? (int64_t)size : steps[pick(sizeof steps / sizeof *steps)];
    uint64_t start = 40000 + pick(64) * (pick(2) != 0 ? 4 : 1);
    int64_t distance = pick(2) != 0 ? stride * vectors->lanes : (int64_t)pick(9) * 64 - 256;
    for (uint32_t i = 0; i * vectors->lanes < LANES; i++) {
        uint64_t odd = pick(8) == 0 ? pick(200) : 0;
        first[i] = (const void *)(uintptr_t)(start + (uint64_t)(distance * (int64_t)i) + odd);
    }
    vectors->stride = stride;
}

/* Few different addresses, so that vectors have words or banks in common. */
static void make_equal_vectors(struct cdp_count_vectors *vectors, const void **first)
{
    for (uint32_t i = 0; i * vectors->lanes < LANES; i++) {
        first[i] = (const void *)(uintptr_t)(40000 + pick(5) * 36);
    }
    vectors->stride = 4;
}

static uint32_t some_lanes(void)
{
    switch (pick(4)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return UINT32_MAX >> pick(32);
    case 2:
        return UINT32_MAX << pick(32);
    default:
        return 1 + pick(UINT32_MAX);
    }
}

CDP_TEST(affine_requests_are_like_those_of_single_lanes)
{
    for (int round = 0; round < ROUNDS; round++) {
        static const uint32_t sizes[] = {1, 2, 4, 8, 16};
        struct cdp_count_request request = {.site = &site,
                                            .space =
                                                pick(2) != 0 ? CDP_COUNT_GLOBAL : CDP_COUNT_SHARED,
                                            .size = sizes[pick(5)],
                                            .lanes = some_lanes()};
        const void *first[LANES];
        struct cdp_count_vectors vectors = {.first = first, .lanes = 4u << pick(4)};
        if (round % 2 == 0) {
            make_vectors(&vectors, first, request.size);
        } else {
            request.size = 4;
            make_equal_vectors(&vectors, first);
        }
        uint64_t values[LANES];
        set_values(values, &vectors);
        request.values = values;
        struct cdp_count_parts each = cdp_count_request_parts(&request);
        struct cdp_count_parts affine = cdp_count_vector_parts(&request, &vectors);
        ck_assert_uint_eq(affine.parts, each.parts);
        ck_assert_uint_eq(affine.conflicts, each.conflicts);
    }
}

CDP_TEST(requests_count_each_unit_once)
{
    for (int round = 0; round < ROUNDS / 4; round++) {
        static const uint32_t sizes[] = {1, 2, 4, 8, 16};
        uint64_t values[LANES];
        struct cdp_count_request request = {
            .site = &site, .size = sizes[pick(5)], .lanes = some_lanes(), .values = values};
        uint32_t range = 1u << pick(12);
        for (uint32_t lane = 0; lane < LANES; lane++) {
            values[lane] = 4096 + (uint64_t)pick(range) * request.size;
        }
        request.space = CDP_COUNT_GLOBAL;
        ck_assert_uint_eq(cdp_count_request_parts(&request).parts,
                          different_units(&request, request.lanes, 32, NULL));
        request.space = CDP_COUNT_SHARED;
        ck_assert_uint_eq(cdp_count_request_parts(&request).parts, wavefronts(&request));
    }
}

CDP_TEST(atomics_wait_for_the_lanes_with_their_address)
{
    struct cdp_abi_site atomic = {.flags = CDP_SITE_ATOMIC | CDP_SITE_WRITE};
    uint64_t addresses[LANES] = {64, 68, 64, 72, 68, 64, 76, 80};
    struct cdp_count_request request = {
        .site = &atomic, .space = CDP_COUNT_GLOBAL, .size = 4, .lanes = 0xff, .values = addresses};
    ck_assert_uint_eq(cdp_count_request_parts(&request).same_address, 2);
    request.space = CDP_COUNT_SHARED;
    struct cdp_count_parts shared = cdp_count_request_parts(&request);
    ck_assert_uint_eq(shared.same_address, 2);
    ck_assert_uint_eq(shared.parts, 1);
    addresses[7] = 64 + 128;
    shared = cdp_count_request_parts(&request);
    ck_assert_uint_eq(shared.parts, 2);
    ck_assert_uint_eq(shared.conflicts, 1);
    request.lanes = 1;
    ck_assert_uint_eq(cdp_count_request_parts(&request).same_address, 0);
}

CDP_TEST_MAIN("count", 60)
