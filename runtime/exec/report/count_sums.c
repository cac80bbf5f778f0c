/* The tables of each OS thread, in chunks that are made when they are needed. Nothing is freed:
 * what a thread did counts after its end. */
#include "exec/report/count_sums.h"

#include <stddef.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "base/alloc.h"
#include "exec/state/block.h"
#include "os/code.h"

enum { OF_A_CHUNK = 256, CHUNKS = 2048 };

/* Owner: one OS thread. Others read it at the end of the program. */
struct tables {
    struct tables *next; /* const once published */
    _Atomic(struct cdp_count_sums *) sites[CHUNKS];
    _Atomic(struct cdp_count_runs *) blocks[CHUNKS];
    _Atomic(struct cdp_count_kernel *) kernels;
};

static _Atomic(struct tables *) all;
static __thread struct tables *own;

static struct tables *own_tables(void)
{
    if (CDP_UNLIKELY(own == NULL) && (own = cdp_alloc_zero(sizeof *own)) != NULL) {
        own->next = atomic_load(&all);
        while (!atomic_compare_exchange_weak(&all, &own->next, own)) {
        }
    }
    return own;
}

/* ---- Sites ---- */

struct cdp_count_sums *cdp_count_own(uint32_t site)
{
    struct tables *tables = own_tables();
    if (tables == NULL || site / OF_A_CHUNK >= CHUNKS) {
        return NULL;
    }
    _Atomic(struct cdp_count_sums *) *place = &tables->sites[site / OF_A_CHUNK];
    struct cdp_count_sums *chunk = atomic_load_explicit(place, memory_order_relaxed);
    if (CDP_UNLIKELY(chunk == NULL)) {
        if ((chunk = cdp_alloc_zero(OF_A_CHUNK * sizeof *chunk)) == NULL) {
            return NULL;
        }
        atomic_store_explicit(place, chunk, memory_order_release); /* others see the zeros */
    }
    return &chunk[site % OF_A_CHUNK];
}

static uint64_t read(const uint64_t *sum)
{
    return __atomic_load_n(sum, __ATOMIC_RELAXED);
}

static void add_sum(struct cdp_count_sum *to, const struct cdp_count_sum *from)
{
    to->requests += read(&from->requests);
    to->lanes += read(&from->lanes);
    to->bytes += read(&from->bytes);
    to->parts += read(&from->parts);
    to->conflicts += read(&from->conflicts);
    to->same_address += read(&from->same_address);
}

struct cdp_count_sums cdp_count_total(uint32_t site)
{
    struct cdp_count_sums total = {.in = {{.requests = 0}}};
    bool has_place = site / OF_A_CHUNK < CHUNKS;
    for (struct tables *at = atomic_load(&all); has_place && at != NULL; at = at->next) {
        const struct cdp_count_sums *chunk =
            atomic_load_explicit(&at->sites[site / OF_A_CHUNK], memory_order_acquire);
        for (int space = 0; chunk != NULL && space < CDP_COUNT_SPACES; space++) {
            add_sum(&total.in[space], &chunk[site % OF_A_CHUNK].in[space]);
        }
    }
    return total;
}

/* ---- Basic blocks ---- */

static _Atomic(const struct cdp_count_code *) codes;

static struct cdp_count_code *copy_code(const struct cdp_abi_count_block *block, uint32_t number)
{
    struct cdp_count_code *copy = cdp_alloc(sizeof *copy + block->line_count * sizeof *copy->lines);
    if (copy == NULL) {
        return NULL;
    }
    if ((copy->function = cdp_alloc_text(block->function)) == NULL) {
        cdp_free(copy);
        return NULL;
    }
    copy->number = number;
    copy->branch = block->branch != NULL ? block->branch->number : 0;
    copy->is_entry = block->is_entry != 0;
    copy->line_count = block->line_count;
    if (block->line_count != 0) {
        memcpy(copy->lines, block->lines, block->line_count * sizeof *copy->lines);
    }
    for (uint32_t i = 0; i < copy->line_count; i++) {
        struct cdp_abi_count_line *line = &copy->lines[i];
        line->file = line->file != NULL ? cdp_alloc_text(line->file) : NULL;
        line->folder = line->folder != NULL ? cdp_alloc_text(line->folder) : NULL;
        line->function = line->function != NULL ? cdp_alloc_text(line->function) : NULL;
    }
    return copy;
}

/* Gives the block its number. Several threads may try at once; the one that succeeds publishes the
 * code. Without memory for it the block's sums are not reported. */
static CDP_COLD uint32_t publish(struct cdp_abi_count_block *block)
{
    static _Atomic uint32_t last;
    uint32_t number = atomic_fetch_add(&last, 1) + 1, before = 0;
    if (!__atomic_compare_exchange_n(&block->number, &before, number, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED)) {
        return before;
    }
    struct cdp_count_code *code = copy_code(block, number);
    if (code != NULL) {
        code->next = atomic_load(&codes);
        while (!atomic_compare_exchange_weak(&codes, &code->next, code)) {
        }
    }
    return number;
}

uint32_t cdp_count_number_of(struct cdp_abi_count_block *code)
{
    uint32_t number = __atomic_load_n(&code->number, __ATOMIC_RELAXED);
    return CDP_LIKELY(number != 0) ? number : publish(code);
}

void cdp_count_ran(struct cdp_abi_count_block *code, uint64_t warps, uint64_t lanes)
{
    cdp_count_runs_add(cdp_count_number_of(code), warps, lanes);
}

void cdp_count_runs_add(uint32_t number, uint64_t warps, uint64_t lanes)
{
    struct tables *tables = own_tables();
    if (tables == NULL || number / OF_A_CHUNK >= CHUNKS) {
        return;
    }
    _Atomic(struct cdp_count_runs *) *place = &tables->blocks[number / OF_A_CHUNK];
    struct cdp_count_runs *chunk = atomic_load_explicit(place, memory_order_relaxed);
    if (CDP_UNLIKELY(chunk == NULL)) {
        if ((chunk = cdp_alloc_zero(OF_A_CHUNK * sizeof *chunk)) == NULL) {
            return;
        }
        atomic_store_explicit(place, chunk, memory_order_release);
    }
    cdp_count_plus(&chunk[number % OF_A_CHUNK].warps, warps);
    cdp_count_plus(&chunk[number % OF_A_CHUNK].lanes, lanes);
}

const struct cdp_count_code *cdp_count_codes(void)
{
    return atomic_load(&codes);
}

struct cdp_count_runs cdp_count_runs_of(uint32_t number)
{
    struct cdp_count_runs total = {.warps = 0};
    bool has_place = number / OF_A_CHUNK < CHUNKS;
    for (struct tables *at = atomic_load(&all); has_place && at != NULL; at = at->next) {
        const struct cdp_count_runs *chunk =
            atomic_load_explicit(&at->blocks[number / OF_A_CHUNK], memory_order_acquire);
        if (chunk != NULL) {
            total.warps += read(&chunk[number % OF_A_CHUNK].warps);
            total.lanes += read(&chunk[number % OF_A_CHUNK].lanes);
        }
    }
    return total;
}

/* ---- Kernels ---- */

static struct cdp_count_kernel *kernel_of(struct tables *tables,
                                          const struct cdp_abi_kernel *kernel, const char *function)
{
    struct cdp_count_kernel *first = atomic_load_explicit(&tables->kernels, memory_order_relaxed);
    for (struct cdp_count_kernel *at = first; at != NULL; at = at->next) {
        if (at->kernel == kernel && strcmp(at->function, function) == 0) {
            return at;
        }
    }
    struct cdp_count_kernel *made = cdp_alloc_zero(sizeof *made);
    if (made != NULL) {
        *made = (struct cdp_count_kernel){.next = first,
                                          .kernel = kernel,
                                          .module = cdp_os_module_of(kernel),
                                          .function = cdp_alloc_text(function),
                                          .name = cdp_alloc_text(kernel->name)};
    }
    if (made == NULL || made->function == NULL || made->name == NULL) {
        if (made != NULL) {
            cdp_free((void *)(uintptr_t)made->function);
            cdp_free((void *)(uintptr_t)made->name);
        }
        cdp_free(made);
        return NULL;
    }
    atomic_store_explicit(&tables->kernels, made, memory_order_release);
    return made;
}

void cdp_count_launched(const struct cdp_block *block, const char *function)
{
    struct tables *tables = own_tables();
    struct cdp_count_kernel *kernel =
        tables != NULL ? kernel_of(tables, block->grid->kernel, function) : NULL;
    if (kernel != NULL) {
        cdp_count_plus(&kernel->launches, 1);
        uint64_t size =
            (uint64_t)block->view.thread_count << 32 | block->grid->shape.dynamic_shared;
        if (size > read(&kernel->largest)) {
            __atomic_store_n(&kernel->largest, size, __ATOMIC_RELAXED);
        }
    }
}

void cdp_count_each_kernel(void (*take)(const struct cdp_count_kernel *kernel, void *arg),
                           void *arg)
{
    for (struct tables *at = atomic_load(&all); at != NULL; at = at->next) {
        struct cdp_count_kernel *kernel = atomic_load_explicit(&at->kernels, memory_order_acquire);
        for (; kernel != NULL; kernel = kernel->next) {
            const struct cdp_count_kernel copy = {.kernel = kernel->kernel,
                                                  .module = kernel->module,
                                                  .function = kernel->function,
                                                  .name = kernel->name,
                                                  .launches = read(&kernel->launches),
                                                  .largest = read(&kernel->largest)};
            take(&copy, arg);
        }
    }
}
