/* Shadow memory. */
#include "races/shadow.h"

#include <string.h>

#include "base/alloc.h"
#include "os/os.h"

enum {
    LARGE = 1 << 16,
    MOST_RANGES = 8,
    PAGE = 4096,
    PAGE_CELLS = PAGE / CDP_SHADOW_WORD,
    MOST_PAGES = 1 << 16
};

struct range {
    uintptr_t low;
    size_t size;
    struct cdp_shadow_cell *cells; /* owned */
};

/* Pages outside of the ranges, by hash. address 0: unused. An entry is never removed. */
struct page {
    _Atomic uintptr_t address;
    struct cdp_shadow_cell *cells; /* owned; const once address is set */
};

static struct range ranges[MOST_RANGES]; /* const while device code runs */
static uint32_t range_count;
static struct page *pages; /* owned; const while device code runs */
static _Atomic uint32_t page_lock;

static size_t cells_size(size_t size)
{
    return size / CDP_SHADOW_WORD * sizeof(struct cdp_shadow_cell);
}

bool cdp_shadow_add_range(const void *low, size_t size)
{
    if (pages == NULL) {
        pages = cdp_os_map(MOST_PAGES * sizeof *pages);
    }
    struct cdp_shadow_cell *cells = cdp_os_map(cells_size(size));
    if (pages == NULL || cells == NULL || range_count == MOST_RANGES) {
        return false;
    }
    ranges[range_count++] = (struct range){.low = (uintptr_t)low, .size = size, .cells = cells};
    return true;
}

void cdp_shadow_stop(void)
{
    while (range_count > 0) {
        range_count--;
        cdp_os_unmap(ranges[range_count].cells, cells_size(ranges[range_count].size));
    }
    for (uint32_t i = 0; pages != NULL && i < MOST_PAGES; i++) {
        if (pages[i].cells != NULL) {
            cdp_os_unmap(pages[i].cells, PAGE_CELLS * sizeof *pages[i].cells);
        }
    }
    if (pages != NULL) {
        cdp_os_unmap(pages, MOST_PAGES * sizeof *pages);
        pages = NULL;
    }
}

/* The page's entry, or the unused entry where it would be; NULL if the table is full. */
static struct page *find_page(uintptr_t address)
{
    uint64_t hash = (uint64_t)(address / PAGE) * UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t i = 0; pages != NULL && i < MOST_PAGES; i++) {
        struct page *page = &pages[((hash >> 32) + i) % MOST_PAGES];
        /* Acquire pairs with the release in make_page: its cells. */
        uintptr_t at = atomic_load_explicit(&page->address, memory_order_acquire);
        if (at == address || at == 0) {
            return page;
        }
    }
    return NULL;
}

static struct page *make_page(uintptr_t address)
{
    uint32_t open = 0;
    while (!atomic_compare_exchange_weak(&page_lock, &open, 1)) {
        open = 0;
        cdp_os_pause();
    }
    struct page *page = find_page(address); /* another thread may have made it */
    if (page != NULL && atomic_load(&page->address) == 0) {
        page->cells = cdp_os_map(PAGE_CELLS * sizeof *page->cells);
        if (page->cells != NULL) {
            atomic_store_explicit(&page->address, address, memory_order_release);
        } else {
            page = NULL;
        }
    }
    atomic_store(&page_lock, 0);
    return page;
}

static struct cdp_shadow_cell *in_page(uintptr_t address)
{
    uintptr_t start = address & ~(uintptr_t)(PAGE - 1);
    struct page *page = find_page(start);
    if (page != NULL && atomic_load_explicit(&page->address, memory_order_acquire) == 0) {
        page = make_page(start);
    }
    return page != NULL ? &page->cells[(address - start) / CDP_SHADOW_WORD] : NULL;
}

struct cdp_shadow_cell *cdp_shadow_find(const void *at)
{
    uintptr_t address = (uintptr_t)at;
    for (uint32_t i = 0; i < range_count; i++) {
        uintptr_t offset = address - ranges[i].low;
        if (offset < ranges[i].size) {
            return &ranges[i].cells[offset / CDP_SHADOW_WORD];
        }
    }
    return in_page(address);
}

static void clear_cells(struct cdp_shadow_cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        /* Untouched cells are not written, so that they take no memory. */
        if (atomic_load_explicit(&cells[i].write, memory_order_relaxed) != 0) {
            atomic_store_explicit(&cells[i].write, 0, memory_order_relaxed);
        }
        if (atomic_load_explicit(&cells[i].reads, memory_order_relaxed) != 0) {
            atomic_store_explicit(&cells[i].reads, 0, memory_order_relaxed);
        }
    }
}

void cdp_shadow_reset(void)
{
    for (uint32_t i = 0; i < range_count; i++) {
        cdp_os_discard(ranges[i].cells, cells_size(ranges[i].size));
    }
    for (uint32_t i = 0; pages != NULL && i < MOST_PAGES; i++) {
        if (pages[i].cells != NULL) {
            cdp_os_discard(pages[i].cells, PAGE_CELLS * sizeof *pages[i].cells);
        }
    }
}

/* The cells of whole pages within one range. False if the memory is in no range. */
static bool discard(uintptr_t low, uintptr_t end)
{
    for (uint32_t i = 0; i < range_count; i++) {
        if (low - ranges[i].low < ranges[i].size) {
            struct cdp_shadow_cell *cells =
                &ranges[i].cells[(low - ranges[i].low) / CDP_SHADOW_WORD];
            cdp_os_discard(cells, cells_size(end - low));
            return true;
        }
    }
    return false;
}

void cdp_shadow_clear(const void *low, size_t size)
{
    uintptr_t whole = ((uintptr_t)low + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t whole_end = ((uintptr_t)low + size) & ~(uintptr_t)(PAGE - 1);
    if (size >= LARGE && discard(whole, whole_end)) {
        cdp_shadow_clear(low, whole - (uintptr_t)low);
        cdp_shadow_clear((const void *)whole_end, (uintptr_t)low + size - whole_end);
        return;
    }
    uintptr_t at = (uintptr_t)low & ~(uintptr_t)(CDP_SHADOW_WORD - 1), end = (uintptr_t)low + size;
    while (at < end) {
        uintptr_t next = (at | (PAGE - 1)) + 1;
        next = next < end ? next : end;
        struct cdp_shadow_cell *cells = cdp_shadow_find((const void *)at);
        if (cells != NULL) {
            clear_cells(cells, (next - at + CDP_SHADOW_WORD - 1) / CDP_SHADOW_WORD);
        }
        at = next;
    }
}
