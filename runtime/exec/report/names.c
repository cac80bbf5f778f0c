/* Names of variables, for reports. */
#include "exec/report/names.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/attr.h"
#include "exec/state/cluster.h"
#include "os/code.h"

/* The innermost frames that are searched.  More frames are a recursion. */
enum { MOST_FRAMES = 1000 };

/* The lists of one module.  Never freed: the lists of an unloaded module are skipped. */
struct lists {
    struct lists *next;                                        /* const once published */
    const char *rows, *end;                                    /* rows of local variables; const */
    const struct cdp_abi_shared_segment *segment, *no_segment; /* first and end; const */
    const void *module; /* the module that had these addresses when they were added; const */
};

static _Atomic(struct lists *) all; /* grows at the front */

static const void *module_of(const struct lists *lists)
{
    return cdp_os_module_of(lists->rows != lists->end ? (const void *)lists->rows : lists->segment);
}

static bool is_loaded(const struct lists *lists)
{
    return module_of(lists) == lists->module;
}

/* Acquire pairs with the exchange in cdp_names_add: the contents of a list. */
static const struct lists *first_lists(void)
{
    return atomic_load_explicit(&all, memory_order_acquire);
}

static bool is_known(const struct lists *one)
{
    for (const struct lists *l = first_lists(); l != NULL; l = l->next) {
        if (l->rows == one->rows && l->end == one->end && l->segment == one->segment &&
            l->no_segment == one->no_segment && is_loaded(l)) {
            return true;
        }
    }
    return false;
}

enum cdp_status cdp_names_add(const struct cdp_abi_module *module)
{
    struct lists one = {.rows = module->locals,
                        .end = module->locals_end,
                        .segment = module->segments,
                        .no_segment = module->segments_end};
    if ((one.rows == one.end && one.segment == one.no_segment) || is_known(&one)) {
        return CDP_OK;
    }
    struct lists *lists = cdp_alloc(sizeof *lists);
    if (lists == NULL) {
        return CDP_NO_MEMORY;
    }
    one.module = module_of(&one);
    one.next = atomic_load(&all);
    *lists = one;
    while (!atomic_compare_exchange_weak(&all, &lists->next, lists)) {
    }
    return CDP_OK;
}

/* ---- Local memory ---- */

/* A search for names.  It lives during one call from another file. */
struct naming {
    uintptr_t address;
    const struct cdp_os_frame *frame; /* the frame that is searched; unused with AddressSanitizer */
    char *out;
    size_t size, used;
};

/* Adds a name unless it is already there. */
static void add_name(struct naming *naming, const char *name)
{
    if (naming->used != 0 && strstr(naming->out, name) != NULL) {
        return;
    }
    int length = snprintf(naming->out + naming->used, naming->size - naming->used, "%s%s",
                          naming->used != 0 ? " or " : "", name);
    naming->used += (size_t)length;
    if (naming->used >= naming->size) {
        naming->used = naming->size - 1;
    }
}

#if CDP_ASAN

/* A frame with variables of AddressSanitizer begins with this number.  The next word is the address
 * of a text, like "2 32 4 1 x 48 16 6 list:12".  The text has the number of variables.  For each
 * variable it has the offset in the frame, the size, the length of the name, and the name with or
 * without a line. */
#define FRAME_MAGIC 0x41b58ab3u

CDP_NOT_INSTRUMENTED static bool is_frame(const struct cdp_fiber *fiber, uintptr_t at)
{
    const uintptr_t *words = (const uintptr_t *)at;
    return at + 2 * sizeof *words <= (uintptr_t)fiber->top && words[0] == FRAME_MAGIC &&
           cdp_os_module_of((const void *)words[1]) != NULL;
}

CDP_NOT_INSTRUMENTED static void name_in_frame(struct naming *naming, uintptr_t frame)
{
    char *text = (char *)((const uintptr_t *)frame)[1];
    unsigned long count = strtoul(text, &text, 10);
    for (unsigned long i = 0; i < count; i++) {
        uintptr_t place = frame + strtoul(text, &text, 10);
        unsigned long size = strtoul(text, &text, 10);
        unsigned long length = strtoul(text, &text, 10);
        const char *name = text + 1; /* after a space */
        text += 1 + length;
        const char *line = memchr(name, ':', length);
        if (naming->address - place < size) {
            char whole[256];
            snprintf(whole, sizeof whole, "local variable '%.*s'",
                     (int)(line != NULL ? (unsigned long)(line - name) : length), name);
            add_name(naming, whole);
        }
    }
}

/* Searches for the next lower address at which a frame begins. */
CDP_NOT_INSTRUMENTED static void find_names(struct naming *naming, const struct cdp_fiber *fiber)
{
    enum { ALIGNMENT = 16 };
    uintptr_t at = naming->address & ~(uintptr_t)(ALIGNMENT - 1);
    while (at >= (uintptr_t)fiber->low && !is_frame(fiber, at)) {
        at -= ALIGNMENT;
    }
    if (at >= (uintptr_t)fiber->low) {
        name_in_frame(naming, at);
    }
}

#else

/* One row of a list. */
struct row {
    uintptr_t code; /* an address in the function */
    uint32_t size;  /* size of the variable */
    const char *place, *name;
};

/* Reads a row.  Returns the next one. */
static const char *read_row(const char *at, struct row *row)
{
    struct cdp_abi_local local;
    memcpy(&local, at, sizeof local);
    row->code = (uintptr_t)at + (uintptr_t)(intptr_t)local.code;
    row->size = local.size;
    row->place = at + sizeof local;
    row->name = row->place + strlen(row->place) + 1;
    return row->name + strlen(row->name) + 1;
}

static bool is_within(uintptr_t code, struct cdp_os_range function)
{
    return code - function.low < function.high - function.low;
}

/* Calls visit for each row of the function that contains pc. */
static void visit_rows(struct naming *naming, uintptr_t pc,
                       void (*visit)(struct naming *naming, const struct row *row))
{
    struct cdp_os_range function;
    if (!cdp_os_function_at(pc, &function)) {
        return;
    }
    for (const struct lists *l = first_lists(); l != NULL; l = l->next) {
        const char *at = is_loaded(l) ? l->rows : l->end;
        struct row row;
        while (at < l->end) {
            at = read_row(at, &row);
            if (is_within(row.code, function)) {
                visit(naming, &row);
            }
        }
    }
}

static void name_by_row(struct naming *naming, const struct row *row)
{
    char *base;
    long offset = strtol(row->place, &base, 10);
    uintptr_t value;
    if (strncmp(base, "(%", 2) == 0 &&
        cdp_os_frame_register(naming->frame, base + 2, row->code, &value) &&
        naming->address - (value + (uintptr_t)offset) < row->size) {
        add_name(naming, row->name);
    }
}

/* The saved stack pointer of a suspended fiber.  A fiber of another worker may run meanwhile. */
CDP_NOT_INSTRUMENTED static const void *saved_sp(const struct cdp_fiber *fiber)
{
    const struct cdp_block *block = cdp_block_of(&fiber->thread);
    const void *in_ring = block != NULL ? cdp_ring_find(&block->ring, fiber) : NULL;
    return in_ring != NULL ? in_ring : *(void *const volatile *)&fiber->sp;
}

/* The names that are found are valid only if the walk reaches the stack's end.  Otherwise the stack
 * has changed meanwhile. */
static void find_names(struct naming *naming, const struct cdp_fiber *fiber)
{
    struct cdp_os_frame frame;
    if (fiber == cdp_fiber_of(cdp_abi_self)) {
        cdp_os_frame_here(&frame, fiber->low, fiber->top);
    } else if (!cdp_fiber_frame(fiber, saved_sp(fiber), &frame)) {
        return;
    }
    for (int i = 0; i < MOST_FRAMES; i++) {
        if (naming->used == 0) {
            naming->frame = &frame;
            visit_rows(naming, cdp_os_frame_pc(&frame), name_by_row);
        }
        if (!cdp_os_frame_next(&frame)) {
            break;
        }
    }
    if (!frame.is_outermost) {
        naming->used = 0;
    }
}

static void add_array(struct naming *naming, const struct row *row)
{
    char text[256];
    snprintf(text, sizeof text, "%s (%u bytes)", row->name, row->size);
    add_name(naming, text);
}

#endif

void cdp_names_arrays(const void *pc, char *out, size_t size)
{
    *out = '\0';
#if CDP_ASAN
    (void)pc, (void)size; /* AddressSanitizer itself finds overruns */
#else
    struct naming naming = {.out = out, .size = size};
    visit_rows(&naming, (uintptr_t)pc, add_array);
#endif
}

bool cdp_names_local(const struct cdp_fiber *fiber, const void *address, char *out, size_t size)
{
    struct naming naming = {.address = (uintptr_t)address, .out = out, .size = size};
    *out = '\0';
    find_names(&naming, fiber);
    return naming.used != 0;
}

/* ---- Shared memory ---- */

static const char *find_shared(const struct cdp_abi_shared_variable *variables, uint32_t count,
                               uint64_t offset)
{
    for (uint32_t i = 0; i < count; i++) {
        if (offset - variables[i].offset < variables[i].size) {
            return variables[i].name;
        }
    }
    return NULL;
}

static const char *find_in_segments(uint64_t offset)
{
    const char *name = NULL;
    for (const struct lists *l = first_lists(); l != NULL; l = l->next) {
        const struct cdp_abi_shared_segment *s = is_loaded(l) ? l->segment : l->no_segment;
        for (; s < l->no_segment && name == NULL; s++) {
            name = find_shared(s->variables, s->variable_count, offset - s->base);
        }
    }
    return name;
}

void cdp_names_shared(const struct cdp_block *block, const void *address, char *out, size_t size)
{
    if (cdp_cluster_is_of_sibling(block, address)) { /* it has the same variables */
        const struct cdp_cluster *cluster = block->slab.cluster;
        size_t offset = (size_t)((const char *)address - cluster->slab) % cluster->stride;
        address = block->view.shared + offset;
    }
    uint64_t offset = (uintptr_t)address - (uintptr_t)block->view.shared;
    const struct cdp_abi_kernel *kernel = block->view.kernel;
    const char *name = find_shared(kernel->shared_variables, kernel->shared_count, offset);
    bool is_dynamic = block->view.dynamic_shared_size != 0 &&
                      (uintptr_t)address >= (uintptr_t)block->view.dynamic_shared;
    if (name == NULL && !is_dynamic) {
        name = find_in_segments(offset);
    }
    if (name != NULL) {
        snprintf(out, size, "shared variable '%s'", name);
    } else {
        snprintf(out, size, "%sshared memory", is_dynamic ? "dynamic " : "");
    }
}
