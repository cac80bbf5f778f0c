/* The race check's fast path for block entries (races/vector.h) compared with the path for single
 * accesses: random accesses of several blocks run by both paths, each in an array of its own. The
 * two paths must agree which access is the first one that races. If threads read parts of a word,
 * the records are approximate, and vectors may find more. */
#include "races/race.h"

#include <inttypes.h>

#include "base/random.h"
#include "races/shadow.h"
#include "races/vector.h"
#include "support/suite.h"

enum { WORDS = 1024, THREADS = 256, LANES = 64, BLOCKS = 3, STEPS = 200, ROUNDS = 2000 };
static uint32_t by_vectors[WORDS] __attribute__((aligned(4096)));
static uint32_t one_by_one[WORDS] __attribute__((aligned(4096)));

/* One random program. */
struct play {
    uint64_t random;
    bool has_parts; /* it accesses parts of words */
    struct cdp_history_block *blocks[BLOCKS];
};

/* From 0 to below - 1. */
static uint32_t pick(struct play *play, uint32_t below)
{
    return (uint32_t)cdp_random_word(&play->random) % below;
}

/* Blocks of one grid, or of grids that follow each other in a stream. */
static void begin_blocks(struct play *play)
{
    bool one_grid = pick(play, 2) == 0;
    uint32_t launch = 0;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        struct cdp_history_launch record = {.stream = 1};
        launch = launch == 0 || !one_grid ? cdp_history_host_launch(&record) : launch;
        play->blocks[i] = cdp_history_begin(launch, i, THREADS);
        ck_assert_ptr_nonnull(play->blocks[i]);
    }
}

/* All lanes, the first ones, or any. */
static uint64_t lanes_of(struct play *play)
{
    uint64_t some = cdp_random_word(&play->random) | UINT64_C(1) << pick(play, LANES);
    uint64_t first = UINT64_MAX >> pick(play, LANES);
    return pick(play, 2) == 0 ? UINT64_MAX : pick(play, 2) == 0 ? first : some;
}

/* An instruction of 64 threads, on either array. */
static struct cdp_race_vector instruction(struct play *play, struct cdp_history_block *block)
{
    static const int64_t strides[] = {4, 4, 4, 0, 8, 16, -4};
    static const uint64_t sizes[] = {4, 4, 4, 8, 16, 1, 2};
    struct cdp_race_vector vector = {
        .size = sizes[pick(play, play->has_parts ? 7 : 5)],
        .thread = pick(play, THREADS / LANES) * LANES,
        .site = 1 + pick(play, 3),
        .writes = pick(play, 3) == 0,
        .is_strict = true,
        .block = block,
    };
    vector.stride = pick(play, 2) == 0 ? (int64_t)vector.size : strides[pick(play, 7)];
    vector.lanes = lanes_of(play);
    vector.first_thread = vector.thread;
    return vector;
}

/* Whether some lane races, as the path for single accesses sees it. */
static bool races(const struct cdp_race_vector *vector, uint64_t lanes)
{
    bool any = false;
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct cdp_race_conflict conflict;
        struct cdp_race_access access = {
            .address = vector->first + vector->stride * (int64_t)lane,
            .size = vector->size,
            .site = vector->site,
            .writes = vector->writes,
            .block = vector->block,
            .thread = vector->thread + lane,
        };
        if ((lanes >> lane & 1) != 0) {
            any |= cdp_race_check(&access, &conflict);
        }
    }
    return any;
}

/* False: the program is over, since something raced. */
static bool step(struct play *play)
{
    struct cdp_history_block *block = play->blocks[pick(play, BLOCKS)];
    if (pick(play, 4) == 0) {
        cdp_history_barrier(block);
        return true;
    }
    struct cdp_race_vector vector = instruction(play, block);
    size_t offset = 256 + (size_t)pick(play, 64) * (vector.size < 4 && pick(play, 2) == 0 ? 1 : 4);
    vector.first = (const char *)by_vectors + offset;
    bool fast = cdp_race_record_vector(&vector) != 0;
    vector.first = (const char *)one_by_one + offset;
    bool slow = races(&vector, vector.lanes);
    ck_assert_msg(fast == slow || (play->has_parts && fast),
                  "%s of %d bytes, stride %d, lanes %" PRIx64
                  ", offset %d, thread %u of block %u: vector %d, "
                  "single %d",
                  vector.writes ? "write" : "read", (int)vector.size, (int)vector.stride,
                  vector.lanes, (int)offset, vector.thread, block->block, fast, slow);
    return !slow && !fast;
}

static void play(bool has_parts)
{
    ck_assert(cdp_race_start());
    ck_assert(cdp_shadow_add_range(by_vectors, sizeof by_vectors));
    ck_assert(cdp_shadow_add_range(one_by_one, sizeof one_by_one));
    struct play play = {.random = cdp_random_seeded(1), .has_parts = has_parts};
    uint32_t raced = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        begin_blocks(&play);
        bool goes_on = true;
        for (uint32_t i = 0; goes_on && i < STEPS; i++) {
            goes_on = step(&play);
        }
        raced += !goes_on;
        for (uint32_t i = 0; i < BLOCKS; i++) {
            cdp_history_end(play.blocks[i]);
        }
        cdp_shadow_reset();
    }
    ck_assert_uint_gt(raced, ROUNDS / 2); /* else the programs test little */
}

CDP_TEST(vectors_race_like_single_accesses)
{
    play(false);
}

CDP_TEST(vectors_of_parts_of_words_find_no_less)
{
    play(true);
}

/* ---- Single cases ---- */

static void start(struct play *play)
{
    ck_assert(cdp_race_start());
    ck_assert(cdp_shadow_add_range(by_vectors, sizeof by_vectors));
    uint32_t launch = cdp_history_host_launch(&(struct cdp_history_launch){.stream = 1});
    for (uint32_t i = 0; i < BLOCKS; i++) {
        play->blocks[i] = cdp_history_begin(launch, i, THREADS);
        ck_assert_ptr_nonnull(play->blocks[i]);
    }
}

static void stop(struct play *play)
{
    for (uint32_t i = 0; i < BLOCKS; i++) {
        cdp_history_end(play->blocks[i]);
    }
    cdp_race_stop();
}

/* Sixteen threads that access a line from its first word on. */
static struct cdp_race_vector line_access(struct cdp_history_block *block, uint32_t thread,
                                          bool writes)
{
    return (struct cdp_race_vector){.first = (const char *)by_vectors,
                                    .stride = 4,
                                    .size = 4,
                                    .lanes = UINT16_MAX,
                                    .thread = thread,
                                    .first_thread = thread,
                                    .site = 1,
                                    .writes = writes,
                                    .block = block};
}

CDP_TEST(a_copy_races_with_reads_of_several_blocks)
{
    struct play play;
    start(&play);
    for (int i = 0; i < 2; i++) {
        struct cdp_race_vector reads = line_access(play.blocks[i], 0, false);
        ck_assert_uint_eq(cdp_race_record_vector(&reads), 0);
    }
    cdp_history_barrier(play.blocks[1]);
    struct cdp_race_conflict conflict;
    struct cdp_race_access copy = {.address = (const char *)by_vectors,
                                   .size = CDP_SHADOW_LINE,
                                   .site = 2,
                                   .writes = true,
                                   .block = play.blocks[1]};
    ck_assert(cdp_race_check(&copy, &conflict));
    stop(&play);
}

CDP_TEST(values_of_later_threads_are_not_read)
{
    struct play play;
    start(&play);
    uint64_t values[THREADS] = {0};
    struct cdp_race_vector later = line_access(play.blocks[0], 16, true);
    ck_assert_uint_eq(cdp_race_record_vector(&later), 0);
    struct cdp_race_vector first = line_access(play.blocks[0], 0, true);
    first.values = values;
    ck_assert_uint_eq(cdp_race_record_vector(&first), UINT16_MAX);
    stop(&play);
}

CDP_TEST(a_read_of_a_warp_is_more_than_one_of_its_threads)
{
    struct play play;
    start(&play);
    struct cdp_race_vector access = line_access(play.blocks[0], 0, false);
    access.stride = 0;
    access.lanes = 1;
    ck_assert_uint_eq(cdp_race_record_vector(&access), 0);
    access.lanes = UINT16_MAX;
    ck_assert_uint_eq(cdp_race_record_vector(&access), 0);
    access.lanes = 1;
    access.writes = true;
    ck_assert_uint_eq(cdp_race_record_vector(&access), 1);
    stop(&play);
}

/* 64 threads that write a byte each: one line. Returns their access. */
static struct cdp_race_vector write_bytes(struct cdp_history_block *block)
{
    struct cdp_race_vector line = line_access(block, 0, true);
    line.stride = 1;
    line.size = 1;
    line.lanes = UINT64_MAX;
    line.is_strict = true;
    ck_assert_uint_eq(cdp_race_record_vector(&line), 0);
    return line;
}

/* Later accesses of single threads split the line. */
CDP_TEST(threads_may_write_their_bytes_again)
{
    struct play play;
    start(&play);
    struct cdp_race_vector one = write_bytes(play.blocks[0]);
    for (unsigned lane = 0; lane < LANES; lane++) {
        one.lanes = UINT64_C(1) << lane;
        ck_assert_uint_eq(cdp_race_record_vector(&one), 0);
    }
    stop(&play);
}

CDP_TEST(bytes_of_a_line_race_with_those_of_other_threads)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct play play;
        start(&play);
        struct cdp_race_vector one = write_bytes(play.blocks[0]);
        one.size = 4; /* the last of the four bytes that a record describes is in it */
        one.first = (const char *)by_vectors + lane / 4 * 4;
        one.stride = 0;
        one.lanes = UINT64_C(1) << lane;
        bool is_last = lane % 4 == 3;
        ck_assert_uint_eq(cdp_race_record_vector(&one), is_last ? 0 : one.lanes);
        stop(&play);
    }
}

CDP_TEST_MAIN("race_vector", 60)
