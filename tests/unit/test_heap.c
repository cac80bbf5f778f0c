/* The allocator of device memory, and the trees that it uses. */
#include "support/suite.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "mem/constants.h"
#include "fiber/sanitizer.h"
#include "mem/heap.h"

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void *take(struct cdp_heap *heap, size_t size, size_t alignment)
{
    void *out;
    struct cdp_heap_request request = {.size = size, .alignment = alignment, .kind = 7};
    return cdp_heap_alloc(heap, &request, &out) == CDP_OK ? out : NULL;
}

CDP_TEST(trees_find_neighbours)
{
    enum { COUNT = 1000 };
    static struct cdp_tree_node nodes[COUNT];
    struct cdp_tree tree = {0};
    unsigned seed = 1;
    bool present[COUNT] = {false};
    for (int step = 0; step < 20000; step++) {
        unsigned i = next_random(&seed) % COUNT;
        if (present[i]) {
            cdp_tree_remove(&tree, &nodes[i]);
        } else {
            nodes[i].major = i / 2;
            nodes[i].minor = i % 2;
            cdp_tree_insert(&tree, &nodes[i]);
        }
        present[i] = !present[i];
        unsigned key = next_random(&seed) % COUNT;
        int below = (int)key, above = (int)key;
        while (below >= 0 && !present[below]) {
            below--;
        }
        while (above < COUNT && !present[above]) {
            above++;
        }
        ck_assert_ptr_eq(cdp_tree_floor(&tree, key / 2, key % 2),
                         below >= 0 ? &nodes[below] : NULL);
        ck_assert_ptr_eq(cdp_tree_ceiling(&tree, key / 2, key % 2),
                         above < COUNT ? &nodes[above] : NULL);
    }
}

CDP_TEST(random_allocations_never_overlap)
{
    enum { SLOTS = 300 };
    struct cdp_heap heap;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    unsigned char *blocks[SLOTS] = {NULL};
    size_t sizes[SLOTS];
    unsigned seed = 99;
    for (int step = 0; step < 30000; step++) {
        unsigned i = next_random(&seed) % SLOTS;
        if (blocks[i] != NULL) {
            for (size_t j = 0; j < sizes[i]; j += 97) {
                ck_assert_uint_eq(blocks[i][j], i & 0xff);
            }
            ck_assert(cdp_heap_free(&heap, blocks[i], NULL) == CDP_OK);
            blocks[i] = NULL;
            continue;
        }
        size_t alignment = (size_t)1 << next_random(&seed) % 14;
        sizes[i] = 1 + next_random(&seed) % (step % 50 == 0 ? 3000000 : 5000);
        blocks[i] = take(&heap, sizes[i], alignment);
        if (blocks[i] != NULL) {
            ck_assert_uint_eq((uintptr_t)blocks[i] % alignment, 0);
            ck_assert_uint_eq((uintptr_t)blocks[i] % 256, 0);
            memset(blocks[i], (int)i, sizes[i]);
        }
    }
    for (int i = 0; i < SLOTS; i++) {
        if (blocks[i] != NULL) {
            ck_assert(cdp_heap_free(&heap, blocks[i], NULL) == CDP_OK);
        }
    }
    ck_assert_uint_eq(cdp_heap_available(&heap), 64 << 20);
    void *all = take(&heap, (64 << 20) - 256, 0); /* one piece again */
    ck_assert_ptr_nonnull(all);
    cdp_heap_finish(&heap);
}

CDP_TEST(large_allocations_start_at_different_offsets_in_a_page)
{
    enum { COUNT = 8, LARGE = 1 << 20 };
    struct cdp_heap heap;
    char *blocks[COUNT];
    ck_assert(cdp_heap_init(&heap, 64 << 20, COUNT * LARGE + 4096, 256) == CDP_OK);
    for (int i = 0; i < COUNT; i++) {
        blocks[i] = take(&heap, LARGE - 64, 0);
        ck_assert_ptr_nonnull(blocks[i]); /* the memory in between does not count */
        ck_assert_uint_eq((uintptr_t)blocks[i] % 256, 0);
        memset(blocks[i], i, LARGE - 64);
        for (int j = 0; j < i; j++) {
            ck_assert_uint_ne((uintptr_t)blocks[i] % 4096, (uintptr_t)blocks[j] % 4096);
        }
    }
    ck_assert_ptr_null(take(&heap, LARGE, 0));
    ck_assert_ptr_nonnull(take(&heap, 4096 - 64, 0)); /* all the memory that there is */
    ck_assert_ptr_null(take(&heap, 1, 0));
    ck_assert_uint_eq(cdp_heap_available(&heap), 0);
    for (int i = COUNT - 1; i >= 0; i--) {
        ck_assert_int_eq(blocks[i][LARGE - 65], i);
        ck_assert(cdp_heap_free(&heap, blocks[i], NULL) == CDP_OK);
        char *again = take(&heap, LARGE - 64, 0);
        ck_assert(again != NULL && (again == blocks[i] || i < COUNT - 1));
    }
    cdp_heap_finish(&heap);
}

CDP_TEST(interior_pointers_are_found)
{
    struct cdp_heap heap;
    struct cdp_heap_info info;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    char *a = take(&heap, 1000, 0), *b = take(&heap, 1, 0);
    ck_assert(cdp_heap_find(&heap, a + 999, &info) && info.base == a && info.size == 1000);
    ck_assert(!cdp_heap_find(&heap, a + 1000, &info));
    ck_assert(cdp_heap_find(&heap, b, &info) && info.base == b && info.kind == 7);
    ck_assert(!cdp_heap_find(&heap, b + 1, &info));
    ck_assert(!cdp_heap_find(&heap, &heap, &info));
    ck_assert(cdp_heap_free(&heap, a + 256, NULL) == CDP_INVALID_VALUE);
    ck_assert(cdp_heap_free(&heap, a, NULL) == CDP_OK);
    ck_assert(!cdp_heap_find(&heap, a, &info));
    ck_assert(cdp_heap_free(&heap, a, NULL) == CDP_INVALID_VALUE);
    cdp_heap_finish(&heap);
}

CDP_TEST(freed_large_memory_reads_as_zero_again)
{
    struct cdp_heap heap;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    char *a = take(&heap, 16 << 20, 4096);
    memset(a, 1, 16 << 20);
    ck_assert(cdp_heap_free(&heap, a, NULL) == CDP_OK);
    char *b = take(&heap, 16 << 20, 4096);
    ck_assert_ptr_eq(a, b);
    ck_assert_int_eq(b[8 << 20], 0);
    cdp_heap_finish(&heap);
}

CDP_TEST(limits_grow_always_and_shrink_when_empty)
{
    struct cdp_heap heap;
    ck_assert(cdp_heap_init(&heap, 128 << 20, 1 << 20, 16) == CDP_OK);
    char *a = take(&heap, 1 << 19, 0);
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_null(take(&heap, 1 << 20, 0));
    ck_assert(cdp_heap_set_limit(&heap, 4 << 20) == CDP_OK);
    char *b = take(&heap, 3 << 20, 0);
    ck_assert_ptr_nonnull(b);
    ck_assert(cdp_heap_set_limit(&heap, 2 << 20) == CDP_NOT_PERMITTED);
    ck_assert(cdp_heap_set_limit(&heap, (size_t)1 << 40) == CDP_INVALID_VALUE);
    ck_assert(cdp_heap_free(&heap, a, NULL) == CDP_OK);
    ck_assert(cdp_heap_free(&heap, b, NULL) == CDP_OK);
    ck_assert(cdp_heap_set_limit(&heap, 2 << 20) == CDP_OK);
    ck_assert_ptr_null(take(&heap, 3 << 20, 0));
    ck_assert_uint_eq(cdp_heap_limit(&heap), 2 << 20);
    cdp_heap_finish(&heap);
}

CDP_TEST(reset_forgets_everything)
{
    struct cdp_heap heap;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    char *a = take(&heap, 1000, 0);
    a[0] = 5;
    ck_assert_ptr_nonnull(take(&heap, 1000, 0));
    cdp_heap_reset(&heap);
    ck_assert_uint_eq(cdp_heap_available(&heap), 64 << 20);
    ck_assert(cdp_heap_free(&heap, a, NULL) == CDP_INVALID_VALUE);
    char *b = take(&heap, 1000, 0);
    ck_assert_ptr_eq(a, b);
    ck_assert_int_eq(b[0], 0);
    cdp_heap_finish(&heap);
    cdp_heap_finish(&heap); /* harmless */
}

CDP_TEST(a_failed_allocation_changes_nothing)
{
    struct cdp_heap heap;
    for (uint32_t n = 1; n < 10; n++) {
        cdp_alloc_set_failure(n, 1);
        bool ready = cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK;
        size_t all = ready ? cdp_heap_available(&heap) : 0; /* less if the reservation failed */
        char *a = ready ? take(&heap, 100, 0) : NULL;
        char *b = ready ? take(&heap, 100, 0) : NULL;
        cdp_alloc_set_failure(0, 1);
        if (ready) {
            ck_assert(a == NULL || cdp_heap_free(&heap, a, NULL) == CDP_OK);
            ck_assert(b == NULL || cdp_heap_free(&heap, b, NULL) == CDP_OK);
            ck_assert_uint_eq(cdp_heap_available(&heap), all);
            ck_assert(all == 64 << 20 || (n == 1 && all == 8 << 20));
            cdp_heap_finish(&heap);
        }
    }
}

CDP_TEST(freed_allocations_are_remembered)
{
    struct cdp_heap heap;
    struct cdp_heap_freed freed;
    struct cdp_heap_info info;
    char here = 0, there = 0;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    void *memory;
    struct cdp_heap_request request = {.size = 1000, .kind = 7, .site = &here};
    ck_assert(cdp_heap_alloc(&heap, &request, &memory) == CDP_OK);
    char *a = memory, *b = take(&heap, 500, 0);
    ck_assert(cdp_heap_find(&heap, a, &info) && info.site == &here);
    ck_assert(!cdp_heap_find_freed(&heap, a, &freed));
    ck_assert(cdp_heap_free(&heap, a, &there) == CDP_OK);
    ck_assert(cdp_heap_find_freed(&heap, a + 999, &freed));
    ck_assert(freed.base == a && freed.size == 1000 && freed.kind == 7 && freed.site == &here &&
              freed.freed_site == &there);
    ck_assert(!cdp_heap_find_freed(&heap, a + 1000, &freed));
    uint64_t first = freed.serial;
    ck_assert_ptr_eq(take(&heap, 200, 0), a);
    ck_assert(cdp_heap_free(&heap, a, NULL) == CDP_OK);
    ck_assert(cdp_heap_find_freed(&heap, a, &freed) && freed.size == 200 && freed.serial > first);
    ck_assert(cdp_heap_find_freed(&heap, a + 200, &freed) && freed.size == 1000);
    for (int i = 0; i < 2000; i++) { /* more than are remembered */
        ck_assert(cdp_heap_free(&heap, take(&heap, 1 << 20, 1 << 20), NULL) == CDP_OK);
    }
    ck_assert(!cdp_heap_find_freed(&heap, a, &freed));
    cdp_heap_reset(&heap);
    ck_assert(cdp_heap_find_freed(&heap, b, &freed) && freed.freed_site == CDP_HEAP_RESET);
    cdp_heap_finish(&heap);
}

CDP_TEST(the_nearest_allocation_is_found_on_both_sides)
{
    struct cdp_heap heap;
    struct cdp_heap_info info;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    ck_assert(!cdp_heap_find_nearest(&heap, heap.lo, &info));
    char *a = take(&heap, 256, 0), *gap = take(&heap, 10000, 0), *b = take(&heap, 256, 0);
    ck_assert(cdp_heap_free(&heap, gap, NULL) == CDP_OK);
    ck_assert(cdp_heap_find_nearest(&heap, a + 300, &info) && info.base == a);
    ck_assert(cdp_heap_find_nearest(&heap, b - 300, &info) && info.base == b);
    ck_assert(cdp_heap_find_nearest(&heap, b + 5000, &info) && info.base == b);
    cdp_heap_finish(&heap);
}

/* Whether a write of one byte there ends a process. */
static bool write_faults(volatile char *address)
{
    pid_t child = fork();
    if (child == 0) {
        *address = *address;
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

CDP_TEST(checked_heaps_have_gaps_and_keep_freed_memory)
{
    enum { SIZE = 1 << 20, MOST = 64 };
    struct cdp_heap heap;
    ck_assert_int_eq(cdp_heap_init(&heap, 1 << 30, 1 << 30, 256), CDP_OK);
    cdp_heap_enable_checks(&heap);
    uint64_t before = atomic_load(&cdp_heap_generation);
    char *first = take(&heap, SIZE, 0), *second = take(&heap, SIZE, 0);
    ck_assert_uint_ge((size_t)(second > first ? second - first : first - second), SIZE + 64);
    ck_assert_uint_eq(atomic_load(&cdp_heap_generation), before);
    ck_assert_int_eq(cdp_heap_free(&heap, first, NULL), CDP_OK);
    ck_assert_uint_gt(atomic_load(&cdp_heap_generation), before);
    if (!CDP_ASAN) {                          /* which faults at freed memory */
        ck_assert_int_ne(first[SIZE - 1], 0); /* accessible, with a pattern */
    }
    bool reused = false;
    for (int i = 0; i < MOST; i++) { /* as many bytes as are kept */
        char *other = take(&heap, SIZE, 0);
        reused |= other == first;
        ck_assert_int_eq(cdp_heap_free(&heap, other, NULL), CDP_OK);
        cdp_lock_acquire(&heap.lock);
        ck_assert(cdp_heap_is_valid(&heap));
        cdp_lock_release(&heap.lock);
        ck_assert(i > MOST - 3 || !reused);
    }
    struct cdp_heap_info info;
    ck_assert(!cdp_heap_find(&heap, first, &info));
    ck_assert(cdp_heap_find(&heap, second, &info));
    /* What is kept is not lost. */
    ck_assert_int_eq(cdp_heap_free(&heap, second, NULL), CDP_OK);
    ck_assert_ptr_nonnull(take(&heap, (1 << 30) - (1 << 20), 0));
    cdp_heap_finish(&heap);
}

CDP_TEST(freed_large_pieces_fault)
{
    struct cdp_heap heap;
    enum { LARGE = 8 << 20 };
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    char *a = take(&heap, 1000, 0), *b = take(&heap, LARGE, 0), *c = take(&heap, 5000, 0);
    b[0] = b[LARGE - 1] = c[0] = 1;
    ck_assert(!write_faults(b + LARGE / 2));
    ck_assert(cdp_heap_free(&heap, b, NULL) == CDP_OK);
    ck_assert(write_faults(b + LARGE / 2));
    ck_assert(!write_faults(a) && !write_faults(c));
    char *small = take(&heap, 5000, 0); /* from the freed part */
    ck_assert(small > a && small < c);
    ck_assert(!write_faults(small) && !write_faults(small + 4999));
    char *d = take(&heap, LARGE / 2, 0);
    memset(d, 3, LARGE / 2);
    cdp_heap_reset(&heap);
    ck_assert(write_faults(a));
    memset(take(&heap, LARGE, 0), 4, LARGE);
    cdp_heap_finish(&heap);
}

CDP_TEST(random_large_allocations_are_accessible)
{
    enum { SLOTS = 12, MOST = 12 << 20 };
    struct cdp_heap heap;
    char *blocks[SLOTS] = {NULL};
    size_t sizes[SLOTS];
    unsigned seed = 7;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    for (int step = 0; step < 400; step++) {
        unsigned i = next_random(&seed) % SLOTS;
        if (blocks[i] != NULL) {
            ck_assert_int_eq(blocks[i][0] + blocks[i][sizes[i] - 1], 2 * (int)i);
            ck_assert(cdp_heap_free(&heap, blocks[i], NULL) == CDP_OK);
            blocks[i] = NULL;
            continue;
        }
        sizes[i] = next_random(&seed) % MOST + 1;
        size_t alignment = (size_t)256 << next_random(&seed) % 8;
        blocks[i] = take(&heap, sizes[i], alignment);
        for (size_t at = 0; blocks[i] != NULL && at < sizes[i]; at += 4096) {
            blocks[i][at] = (char)i;
        }
        if (blocks[i] != NULL) {
            blocks[i][0] = blocks[i][sizes[i] - 1] = (char)i;
        }
    }
    cdp_heap_finish(&heap);
}

/* As before any other block, also after a reset. AddressSanitizer faults. */
CDP_TEST(memory_before_the_first_block_is_accessible)
{
    enum { NEAR = 8192 };
    struct cdp_heap heap;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    for (int round = 0; round < 2; round++) {
        char *first = take(&heap, 1 << 20, 0);
        ck_assert(cdp_heap_contains(&heap, first - NEAR));
        ck_assert(write_faults(first - 1) == CDP_ASAN && write_faults(first - NEAR) == CDP_ASAN);
        cdp_heap_reset(&heap);
    }
    cdp_heap_finish(&heap);
}

static char constants[4 * 4096] __attribute__((aligned(4096)));

CDP_TEST(constants_are_writable_only_between_open_and_close)
{
    char *low = constants + 100, *high = constants + 3 * 4096 + 100;
    ck_assert(cdp_constants_add(NULL, NULL) == CDP_OK);
    ck_assert(cdp_constants_add(low, high) == CDP_OK);
    ck_assert(cdp_constants_add(low, high) == CDP_OK);
    ck_assert(!write_faults(constants) && !write_faults(constants + 3 * 4096));
    ck_assert(write_faults(constants + 4096) && write_faults(constants + 3 * 4096 - 1));
    ck_assert_ptr_null(cdp_constants_open(constants));
    struct cdp_constants_range *one = cdp_constants_open(constants + 4096);
    struct cdp_constants_range *two = cdp_constants_open(constants + 2 * 4096);
    ck_assert(one != NULL && one == two);
    constants[5000] = 1;
    cdp_constants_close(two);
    constants[5001] = 1;
    cdp_constants_close(one);
    ck_assert(write_faults(constants + 5000));
    ck_assert_int_eq(constants[5000] + constants[5001], 2);
}

CDP_TEST_MAIN("heap", 60)
