/* The allocator of device memory, and the trees it stands on. */
#include "support/suite.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
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
            ck_assert(cdp_heap_free(&heap, blocks[i]) == CDP_OK);
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
            ck_assert(cdp_heap_free(&heap, blocks[i]) == CDP_OK);
        }
    }
    ck_assert_uint_eq(cdp_heap_available(&heap), 64 << 20);
    void *all = take(&heap, (64 << 20) - 256, 0); /* one piece again */
    ck_assert_ptr_nonnull(all);
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
    ck_assert(cdp_heap_free(&heap, a + 256) == CDP_INVALID_VALUE);
    ck_assert(cdp_heap_free(&heap, a) == CDP_OK);
    ck_assert(!cdp_heap_find(&heap, a, &info));
    ck_assert(cdp_heap_free(&heap, a) == CDP_INVALID_VALUE);
    cdp_heap_finish(&heap);
}

CDP_TEST(freed_large_memory_reads_as_zero_again)
{
    struct cdp_heap heap;
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    char *a = take(&heap, 16 << 20, 4096);
    memset(a, 1, 16 << 20);
    ck_assert(cdp_heap_free(&heap, a) == CDP_OK);
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
    ck_assert(cdp_heap_free(&heap, a) == CDP_OK);
    ck_assert(cdp_heap_free(&heap, b) == CDP_OK);
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
    ck_assert(cdp_heap_free(&heap, a) == CDP_INVALID_VALUE);
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
        char *a = ready ? take(&heap, 100, 0) : NULL;
        char *b = ready ? take(&heap, 100, 0) : NULL;
        cdp_alloc_set_failure(0, 1);
        if (ready) {
            ck_assert(a == NULL || cdp_heap_free(&heap, a) == CDP_OK);
            ck_assert(b == NULL || cdp_heap_free(&heap, b) == CDP_OK);
            ck_assert_uint_eq(cdp_heap_available(&heap), 64 << 20);
            cdp_heap_finish(&heap);
        }
    }
}

CDP_TEST_MAIN("heap", 60)
