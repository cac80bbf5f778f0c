/* The map of addresses, handles, symbols and range checks of copies. */
#include "support/suite.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/handle.h"
#include "mem/copy.h"
#include "mem/memmap.h"
#include "mem/symbol.h"

static char arena[1000], variable[100], constant[100], host[1000];

static enum cdp_status add_variable(void *address, bool is_constant)
{
    struct cdp_memmap_variable variable = {
        .address = address, .size = 100, .name = "v", .is_constant = is_constant};
    return cdp_memmap_add_variable(&variable);
}

CDP_TEST(each_address_has_one_space)
{
    struct cdp_memory memory;
    ck_assert(cdp_memmap_space(arena) == CDP_SPACE_HOST);
    ck_assert(cdp_memmap_add_range(CDP_SPACE_SHARED, arena, arena + 1000) == CDP_OK);
    ck_assert(add_variable(variable, false) == CDP_OK);
    ck_assert(add_variable(variable, false) == CDP_OK);
    ck_assert(add_variable(constant, true) == CDP_OK);
    ck_assert(cdp_memmap_space(arena + 999) == CDP_SPACE_SHARED);
    ck_assert(cdp_memmap_space(variable + 99) == CDP_SPACE_VARIABLE);
    ck_assert(cdp_memmap_space(constant) == CDP_SPACE_CONSTANT);
    ck_assert(cdp_memmap_space(NULL) == CDP_SPACE_HOST);
    cdp_memmap_find(variable + 50, &memory);
    ck_assert(memory.base == variable && memory.size == 100);
    cdp_memmap_find(host, &memory);
    ck_assert(memory.space == CDP_SPACE_HOST && memory.size == 0);
}

CDP_TEST(heaps_know_their_allocations)
{
    struct cdp_heap heap;
    struct cdp_memory memory;
    void *block;
    struct cdp_heap_request request = {.size = 100, .kind = CDP_MEMORY_PINNED, .flags = 3};
    ck_assert(cdp_heap_init(&heap, 64 << 20, 64 << 20, 256) == CDP_OK);
    ck_assert(cdp_heap_alloc(&heap, &request, &block) == CDP_OK);
    cdp_memmap_set_heaps(0, &heap, NULL);
    cdp_memmap_find((char *)block + 10, &memory);
    ck_assert(memory.space == CDP_SPACE_DEVICE && memory.base == block && memory.size == 100);
    ck_assert(memory.kind == CDP_MEMORY_PINNED && memory.flags == 3);
    cdp_memmap_find((char *)block + 100, &memory);
    ck_assert(memory.space == CDP_SPACE_DEVICE && memory.size == 0);
    struct cdp_copy copy = cdp_copy_flat(block, host, 100, CDP_HOST_TO_DEVICE);
    ck_assert(cdp_copy_check(&copy) == CDP_OK);
    copy = cdp_copy_flat(block, host, 101, CDP_HOST_TO_DEVICE);
    ck_assert(cdp_copy_check(&copy) == CDP_INVALID_VALUE);
    copy.width = 10;
    copy.height = 10;
    copy.to.pitch = 10;
    copy.from.pitch = 100;
    ck_assert(cdp_copy_check(&copy) == CDP_OK);
    copy.to.pitch = 11;
    ck_assert(cdp_copy_check(&copy) == CDP_INVALID_VALUE); /* 9 * 11 + 10 > 100 */
    copy.to.pitch = SIZE_MAX / 4;
    ck_assert(cdp_copy_check(&copy) == CDP_INVALID_VALUE);
    cdp_memmap_set_heaps(0, NULL, NULL);
    cdp_heap_finish(&heap);
}

CDP_TEST(host_registrations_do_not_overlap)
{
    ck_assert(cdp_memmap_register_host(0, host + 100, 100, 0) == CDP_OK);
    ck_assert(cdp_memmap_register_host(0, host + 150, 10, 0) == CDP_ALREADY_REGISTERED);
    ck_assert(cdp_memmap_register_host(0, host + 50, 51, 0) == CDP_ALREADY_REGISTERED);
    ck_assert(cdp_memmap_register_host(0, host + 50, 50, 0) == CDP_OK);
    ck_assert(cdp_memmap_register_host(0, host + 200, 50, 0) == CDP_OK);
    ck_assert(cdp_memmap_unregister_host(host + 101) == CDP_NOT_REGISTERED);
    ck_assert(cdp_memmap_unregister_host(host + 100) == CDP_OK);
    ck_assert(cdp_memmap_space(host + 100) == CDP_SPACE_HOST);
    ck_assert(cdp_memmap_space(host + 50) == CDP_SPACE_REGISTERED);
    ck_assert(add_variable(variable, false) == CDP_OK);
    ck_assert(cdp_memmap_unregister_host(variable) == CDP_NOT_REGISTERED);
    cdp_memmap_reset(0);
    ck_assert(cdp_memmap_space(host + 50) == CDP_SPACE_HOST);
    ck_assert(cdp_memmap_space(variable) == CDP_SPACE_VARIABLE);
}

CDP_TEST(stale_and_foreign_handles_are_not_found)
{
    struct cdp_handle_table a = {.tag = 1}, b = {.tag = 2};
    uint64_t handles[500];
    for (int i = 0; i < 500; i++) {
        handles[i] = cdp_handle_create(&a, &host[i]);
        ck_assert_uint_ne(handles[i], 0);
    }
    for (int i = 0; i < 500; i++) {
        ck_assert_ptr_eq(cdp_handle_find(&a, handles[i]), &host[i]);
        ck_assert_ptr_null(cdp_handle_find(&b, handles[i]));
    }
    ck_assert_ptr_eq(cdp_handle_remove(&a, handles[7]), &host[7]);
    ck_assert_ptr_null(cdp_handle_find(&a, handles[7]));
    ck_assert_ptr_null(cdp_handle_remove(&a, handles[7]));
    uint64_t again = cdp_handle_create(&a, &host[900]);
    ck_assert_uint_ne(again, handles[7]);
    ck_assert_ptr_null(cdp_handle_find(&a, handles[7]));
    for (uint64_t i = 0; i < 100; i++) {
        ck_assert_ptr_null(cdp_handle_find(&a, i));
        ck_assert_ptr_null(cdp_handle_find(&a, UINT64_MAX - i));
        ck_assert_ptr_null(cdp_handle_find(&a, (uintptr_t)&a + i));
    }
    cdp_handle_clear(&a, NULL, NULL);
    ck_assert_ptr_null(cdp_handle_find(&a, handles[8]));
    cdp_free(a.slots);
    cdp_free(b.slots);
}

CDP_TEST(symbols_are_found_by_address)
{
    struct cdp_symbol_table *table = cdp_symbol_table_create(1000);
    ck_assert_ptr_nonnull(table);
    for (int i = 0; i < 1000; i++) {
        cdp_symbol_table_add(table, &host[i], &arena[i]);
    }
    cdp_symbol_table_add(table, &host[3], &arena[4]);
    ck_assert_uint_eq(table->count, 1000);
    ck_assert_ptr_eq(cdp_symbol_find(table, &host[999]), &arena[999]);
    ck_assert_ptr_eq(cdp_symbol_find(table, &host[3]), &arena[4]);
    ck_assert_ptr_null(cdp_symbol_find(table, &variable[1]));
    ck_assert_ptr_null(cdp_symbol_find(table, NULL));
    ck_assert_ptr_null(cdp_symbol_find(NULL, &host[3]));
    cdp_free(table);
}

CDP_TEST_MAIN("memmap", 60)
