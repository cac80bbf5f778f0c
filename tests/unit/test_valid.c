/* The checks of debug builds: each succeeds for valid structs and fails for invalid ones. */
#include "exec/state/valid.h"

#include <string.h>

#include "exec/state/block.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "exec/state/grid.h"
#include "mem/heap.h"
#include "mem/heap_block.h"
#include "sched/deque.h"
#include "stream/command.h"
#include "support/engine.h"

/* Expects the check to fail while the field has the value. */
#define FAILS_WITH(is_valid, field, value)                                                         \
    do {                                                                                           \
        __typeof__(field) kept = (field);                                                          \
        (field) = (value);                                                                         \
        ck_assert_msg(!(is_valid), "%s holds though %s", #is_valid, #field " is " #value);         \
        (field) = kept;                                                                            \
        ck_assert_msg((is_valid), "%s does not hold again", #is_valid);                            \
    } while (0)

static void nothing(const void *params)
{
    (void)params;
}
static const struct cdp_abi_kernel kernel = KERNEL(nothing);

static struct cdp_grid child_of(struct cdp_block *parent)
{
    struct cdp_grid grid = {.kernel = &kernel,
                            .parent = parent,
                            .home = (struct cdp_executor *)parent, /* only compared with NULL */
                            .kind = CDP_GRID_CHILD,
                            .order = CDP_ORDER_BLOCK};
    cdp_grid_set_shape(&grid, (const uint32_t[]){2, 3, 4}, (const uint32_t[]){32, 1, 1});
    return grid;
}

CDP_TEST(checks_of_a_grid_can_fail)
{
    struct cdp_block parent = {0};
    struct cdp_grid grid = child_of(&parent);
    ck_assert(cdp_grid_is_valid(&grid));
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.shape.block_count, 23);
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.shape.block_dim[0], 1025);
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.shape.block_dim[1], 0);
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.blocks_left, 25);
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.kind, 3);
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.parent, NULL);
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.order, CDP_ORDER_NAMED); /* and no stream */
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.size_class, CDP_GRID_CLASSES);
    FAILS_WITH(cdp_grid_is_valid(&grid), grid.tails.first, &grid);
}

CDP_TEST(checks_of_a_block_can_fail)
{
    struct cdp_grid grid = child_of((struct cdp_block *)&kernel);
    struct cdp_executor *executor = calloc(1, sizeof *executor);
    struct cdp_block block = {
        .grid = &grid,
        .executor = executor,
        .view = {.thread_count = 32},
        .threads = {.next = 4, .may_start = 32, .direct_from = 32, .alive = 32},
        .barrier = {.turn = 1},
    };
    struct cdp_fiber first = {0}, second = {.next = &first};
    cdp_ring_init(&block.ring);
    ck_assert(cdp_block_is_valid(&block));
    FAILS_WITH(cdp_block_is_valid(&block), block.executor, NULL);
    FAILS_WITH(cdp_block_is_valid(&block), block.threads.next, 33);
    FAILS_WITH(cdp_block_is_valid(&block), block.threads.alive, 33);
    FAILS_WITH(cdp_block_is_valid(&block), block.flags.threads_done, true); /* they are alive */
    FAILS_WITH(cdp_block_is_valid(&block), block.barrier.turn, 0);
    FAILS_WITH(cdp_block_is_valid(&block), block.barrier.arrived, 1); /* nobody waits there */
    FAILS_WITH(cdp_block_is_valid(&block), block.children.waiting.head, &first); /* for none */
    FAILS_WITH(cdp_block_is_valid(&block), block.slab.size, 128);                /* and no memory */
    FAILS_WITH(cdp_block_is_valid(&block), block.ring.at, block.ring.at - 1);
    block.threads.alive = 1;
    FAILS_WITH(cdp_block_is_valid(&block), block.ready.head, &second); /* two threads of one */
    free(executor);
}

CDP_TEST(checks_of_an_executor_can_fail)
{
    engine_start(1, 0);
    struct cdp_executor *real = engine->executors[0];
    struct cdp_executor *executor = malloc(sizeof *executor); /* of which nobody runs the loop */
    ck_assert(executor != NULL);
    memset(executor, 0, sizeof *executor);
    executor->engine = engine;
    executor->schedule = real->schedule;
    executor->fibers.main = real->fibers.main;
    struct cdp_block block = {.executor = executor, .flags = {.is_suspended = true}};
    executor->blocks.suspended_head = &block;
    executor->blocks.suspended = executor->blocks.resident = 1;
    ck_assert(cdp_executor_is_valid(executor));
    FAILS_WITH(cdp_executor_is_valid(executor), executor->schedule, NULL);
    FAILS_WITH(cdp_executor_is_valid(executor), executor->overflow.count, CDP_OVERFLOW + 1);
    FAILS_WITH(cdp_executor_is_valid(executor), executor->blocks.suspended, 2);
    FAILS_WITH(cdp_executor_is_valid(executor), executor->blocks.resident, 0);
    FAILS_WITH(cdp_executor_is_valid(executor), block.flags.is_suspended, false);
    FAILS_WITH(cdp_executor_is_valid(executor), executor->blocks.resumable_head, &block);
    FAILS_WITH(cdp_executor_is_valid(executor), executor->current, &block); /* and waits */
    FAILS_WITH(cdp_executor_is_valid(executor), executor->batch.left.task,
               &(struct cdp_task){0}); /* of no blocks */
    free(executor);
    cdp_engine_stop(engine);
}

CDP_TEST(checks_of_a_deque_can_fail)
{
    struct cdp_deque deque;
    struct cdp_task task = {0};
    memset(&deque, 0, sizeof deque);
    ck_assert(cdp_deque_init(&deque, true));
    ck_assert(cdp_deque_push(&deque, (struct cdp_offer){.task = &task}));
    ck_assert(cdp_deque_is_valid(&deque, false));
    FAILS_WITH(cdp_deque_is_valid(&deque, false), deque.open, deque.bottom + 1);
    FAILS_WITH(cdp_deque_is_valid(&deque, false), deque.top, deque.bottom + 1);
    FAILS_WITH(cdp_deque_is_valid(&deque, false), deque.top, -1000000);
    FAILS_WITH(cdp_deque_is_valid(&deque, false), deque.ring, NULL);
    cdp_deque_finish(&deque);
}

CDP_TEST(checks_of_a_heap_can_fail)
{
    struct cdp_heap heap;
    void *memory;
    ck_assert_int_eq(cdp_heap_init(&heap, (size_t)64 << 20, (size_t)64 << 20, 256), CDP_OK);
    struct cdp_heap_request request = {.size = 1000};
    ck_assert_int_eq(cdp_heap_alloc(&heap, &request, &memory), CDP_OK);
    struct cdp_heap_block *last = heap.last;
    ck_assert(cdp_heap_is_valid(&heap));
    FAILS_WITH(cdp_heap_is_valid(&heap), heap.used, heap.used + 256);
    FAILS_WITH(cdp_heap_is_valid(&heap), heap.count.live, 2);
    FAILS_WITH(cdp_heap_is_valid(&heap), heap.count.large, 1);
    FAILS_WITH(cdp_heap_is_valid(&heap), heap.limit, heap.most + 1);
    FAILS_WITH(cdp_heap_is_valid(&heap), last->lo, last->lo + 256);     /* a gap */
    FAILS_WITH(cdp_heap_is_valid(&heap), last->previous->requested, 0); /* two neighbours free */
    FAILS_WITH(cdp_heap_is_valid(&heap), heap.free.root, NULL);         /* one in no tree */
    ck_assert_int_eq(cdp_heap_free(&heap, memory, NULL), CDP_OK);
    cdp_heap_finish(&heap);
}

CDP_TEST(checks_of_a_stream_can_fail)
{
    struct cdp_stream stream = {.newest = 7, .oldest = 5, .length = 3};
    struct cdp_command second = {.stream = &stream, .ticket = 7, .weight = 2};
    struct cdp_command first = {
        .stream = &stream, .ticket = 5, .weight = 1, .started = true, .next = &second};
    stream.head = &first;
    stream.tail = &second;
    ck_assert(cdp_stream_is_valid(&stream));
    FAILS_WITH(cdp_stream_is_valid(&stream), stream.tail, &first);
    FAILS_WITH(cdp_stream_is_valid(&stream), stream.length, 2);
    FAILS_WITH(cdp_stream_is_valid(&stream), stream.newest, 6);
    FAILS_WITH(cdp_stream_is_valid(&stream), stream.oldest, CDP_NO_TICKET);
    FAILS_WITH(cdp_stream_is_valid(&stream), second.started, true); /* and is not the head */
    FAILS_WITH(cdp_stream_is_valid(&stream), second.ticket, 5);
    FAILS_WITH(cdp_stream_is_valid(&stream), first.stream, NULL);
}

/* As many as elements a check looks at, in so many operations. */
static size_t looks(size_t elements, unsigned operations)
{
    size_t looked = 0;
    for (unsigned i = 0; i < operations; i++) {
        looked += cdp_check_is_due(elements) ? elements : 0;
    }
    return looked;
}

CDP_TEST(checks_take_constant_time_for_each_operation)
{
    ck_assert_uint_eq(looks(1, 1000), 1000);
    ck_assert_uint_eq(looks(64, 1000), 64000);
    for (size_t elements = 65; elements < 100000; elements *= 3) {
        unsigned operations = 10000;
        ck_assert_uint_ge(looks(elements, operations), elements);
        ck_assert_uint_le(looks(elements, operations), 64 * (operations + elements));
    }
}

CDP_TEST_MAIN("valid", 10)
