/* Shadow memory. */
#include "races/shadow.h"

#include "races/line.h"

#include <string.h>

#include "base/alloc.h"
#include "os/os.h"

enum {
    LARGE = 1 << 16,
    PAGE = 4096,
    PAGE_CELLS = PAGE / CDP_SHADOW_WORD,
    PAGE_LINES = PAGE / CDP_SHADOW_LINE,
    MOST_PAGES = 1 << 16
};

/* Pages outside of the ranges, by hash. address 0: unused. An entry is never removed. */
struct page {
    _Atomic uintptr_t address;
    struct cdp_shadow_cell *words, *lines; /* owned; const once address is set */
};

struct cdp_shadow_ranges cdp_shadow_ranges;
static struct page *pages; /* owned; const while device code runs */
static _Atomic uint32_t page_lock;

static size_t words_size(size_t size)
{
    return size / CDP_SHADOW_WORD * sizeof(struct cdp_shadow_cell);
}

static size_t lines_size(size_t size)
{
    return size / CDP_SHADOW_LINE * sizeof(struct cdp_shadow_cell);
}

bool cdp_shadow_add_range(const void *low, size_t size)
{
    if (pages == NULL) {
        pages = cdp_os_map(MOST_PAGES * sizeof *pages);
    }
    struct cdp_shadow_range range = {.low = (uintptr_t)low, .size = size};
    range.words = cdp_os_map(words_size(size));
    range.lines = cdp_os_map(lines_size(size));
    if (pages == NULL || range.words == NULL || range.lines == NULL ||
        cdp_shadow_ranges.count == CDP_SHADOW_RANGES) {
        return false;
    }
    cdp_shadow_ranges.range[cdp_shadow_ranges.count++] = range;
    return true;
}

void cdp_shadow_stop(void)
{
    while (cdp_shadow_ranges.count > 0) {
        const struct cdp_shadow_range *range = &cdp_shadow_ranges.range[--cdp_shadow_ranges.count];
        cdp_os_unmap(range->words, words_size(range->size));
        cdp_os_unmap(range->lines, lines_size(range->size));
    }
    for (uint32_t i = 0; pages != NULL && i < MOST_PAGES; i++) {
        if (pages[i].words != NULL) {
            cdp_os_unmap(pages[i].words, (PAGE_CELLS + PAGE_LINES) * sizeof *pages[i].words);
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
        page->words = cdp_os_map((PAGE_CELLS + PAGE_LINES) * sizeof *page->words);
        if (page->words != NULL) {
            page->lines = page->words + PAGE_CELLS;
            atomic_store_explicit(&page->address, address, memory_order_release);
        } else {
            page = NULL;
        }
    }
    atomic_store(&page_lock, 0);
    return page;
}

bool cdp_shadow_find_in_page(uintptr_t address, struct cdp_shadow_line *out)
{
    uintptr_t start = address & ~(uintptr_t)(PAGE - 1);
    struct page *page = find_page(start);
    if (page != NULL && atomic_load_explicit(&page->address, memory_order_acquire) == 0) {
        page = make_page(start);
    }
    if (page == NULL) {
        return false;
    }
    size_t line = (address - start) / CDP_SHADOW_LINE;
    *out = (struct cdp_shadow_line){&page->lines[line], &page->words[line * CDP_SHADOW_WORDS]};
    return true;
}

void cdp_shadow_reset(void)
{
    for (uint32_t i = 0; i < cdp_shadow_ranges.count; i++) {
        const struct cdp_shadow_range *range = &cdp_shadow_ranges.range[i];
        cdp_os_discard(range->words, words_size(range->size));
        cdp_os_discard(range->lines, lines_size(range->size));
    }
    for (uint32_t i = 0; pages != NULL && i < MOST_PAGES; i++) {
        if (pages[i].words != NULL) {
            cdp_os_discard(pages[i].words, (PAGE_CELLS + PAGE_LINES) * sizeof *pages[i].words);
        }
    }
}

/* Discards the part of [*low, *end) whose shadow is in pages of its own, and sets the two to that
 * part. False if there is none, or if the memory is in no range. */
static bool discard(uintptr_t *low, uintptr_t *end)
{
    const uintptr_t step = (uintptr_t)PAGE / sizeof(struct cdp_shadow_cell) * CDP_SHADOW_LINE;
    for (uint32_t i = 0; i < cdp_shadow_ranges.count; i++) {
        const struct cdp_shadow_range *range = &cdp_shadow_ranges.range[i];
        if (*low - range->low >= range->size) {
            continue;
        }
        uintptr_t from = (*low - range->low + step - 1) / step * step;
        uintptr_t to = (*end - range->low) / step * step;
        if (from >= to) {
            return false;
        }
        cdp_os_discard(&range->words[from / CDP_SHADOW_WORD], words_size(to - from));
        cdp_os_discard(&range->lines[from / CDP_SHADOW_LINE], lines_size(to - from));
        *low = range->low + from;
        *end = range->low + to;
        return true;
    }
    return false;
}

/* Untouched cells are not written, so that they take no memory. */
static void clear_cell(struct cdp_shadow_cell *cell)
{
    if (atomic_load_explicit(&cell->write, memory_order_relaxed) != 0) {
        atomic_store_explicit(&cell->write, 0, memory_order_relaxed);
    }
    if (atomic_load_explicit(&cell->reads, memory_order_relaxed) != 0) {
        atomic_store_explicit(&cell->reads, 0, memory_order_relaxed);
    }
}

static void clear(uintptr_t at, uintptr_t end)
{
    while (at < end) {
        struct cdp_shadow_line line;
        bool is_line = at % CDP_SHADOW_LINE == 0 && end - at >= CDP_SHADOW_LINE;
        struct cdp_shadow_cell *word = is_line ? NULL : cdp_line_cell((const void *)at);
        if (word != NULL) {
            clear_cell(word);
        } else if (is_line && cdp_shadow_find((const void *)at, &line)) {
            clear_cell(line.whole); /* the words' cells do not count from now on */
        }
        at += is_line ? CDP_SHADOW_LINE : CDP_SHADOW_WORD;
    }
}

void cdp_shadow_clear(const void *low, size_t size)
{
    uintptr_t at = (uintptr_t)low & ~(uintptr_t)(CDP_SHADOW_WORD - 1), end = (uintptr_t)low + size;
    uintptr_t from = at, to = end;
    if (size >= LARGE && discard(&from, &to)) {
        clear(at, from);
        at = to;
    }
    clear(at, end);
}
