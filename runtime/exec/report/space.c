/* Illegal pointers: the owner of their memory, and the reports. */
#include "exec/report/space.h"

#include <stdio.h>

#include "exec/report/fault.h"
#include "exec/report/names.h"
#include "exec/state/cluster.h"
#include "exec/state/engine.h"
#include "exec/state/executor.h"
#include "os/code.h"
#include "os/os.h"

enum { MOST_WORDS = 1300, MOST_WARNINGS = 20, PATIENCE_MS = 20, MILLISECOND = 1000000 };

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
/* For functions that read the state of other workers for a report.  The state may be out of
 * date. */
#define RACES __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef RACES
#define RACES
#endif

/* ---- The owner of the memory ---- */

/* The block that launched the block's grid; NULL: the host launched it. */
static const struct cdp_block *parent_of(const struct cdp_block *block)
{
    const struct cdp_grid *grid = block->grid;
    while (grid->kind == CDP_GRID_TAIL) {
        grid = grid->owner;
    }
    return grid->kind == CDP_GRID_CHILD ? grid->parent : NULL;
}

static bool is_shared_of(const struct cdp_block *block, const void *address)
{
    return (uintptr_t)address - (uintptr_t)block->view.shared < block->view.shared_size;
}

/* Names a block by its relation to the block from in the launch tree. */
static void name_block(const struct cdp_block *block, const struct cdp_block *from, char *out,
                       size_t size)
{
    char kernel[256];
    cdp_os_demangle(block->view.kernel->name, kernel, sizeof kernel);
    const uint32_t *b = block->view.block_idx;
    const char *role = block == from              ? ""
                       : block == parent_of(from) ? "the parent, "
                                                  : "a parent's parent, ";
    snprintf(out, size, "%sblock (%u,%u,%u) of kernel %s", role, b[0], b[1], b[2], kernel);
}

static void describe_shared(const struct cdp_block *block, const void *address, char *out,
                            size_t size)
{
    for (const struct cdp_block *b = block; b != NULL; b = parent_of(b)) {
        if (is_shared_of(b, address)) {
            char variable[256], owner[320];
            cdp_names_shared(b, address, variable, sizeof variable);
            name_block(b, block, owner, sizeof owner);
            snprintf(out, size, "%s of %s", variable, owner);
            return;
        }
    }
    snprintf(out, size, "shared memory of another block");
}

/* The thread whose stack contains an address. */
struct owner {
    const struct cdp_fiber *fiber;
    const struct cdp_block *block; /* NULL: no thread uses the stack */
    uint32_t thread_idx[3];
};

RACES static struct owner find_owner(const struct cdp_engine *engine, const void *address)
{
    const struct cdp_fiber *fiber = cdp_fiber_at(&engine->ranges.stacks, address);
    if (fiber == NULL || !fiber->busy) {
        return (struct owner){.block = NULL};
    }
    const uint32_t *t = fiber->thread.thread_idx;
    return (struct owner){
        .fiber = fiber, .block = cdp_block_of(&fiber->thread), .thread_idx = {t[0], t[1], t[2]}};
}

/* Names the variable if it is known.  A thread of another worker may wait soon, so this tries for a
 * while. */
static void name_local(const struct owner *owner, const void *address, char *out, size_t size)
{
    const struct cdp_block *self = cdp_block_of(cdp_abi_self);
    unsigned patience = owner->block->executor != self->executor ? PATIENCE_MS : 0;
    while (!cdp_names_local(owner->fiber, address, out, size)) {
        if (patience-- == 0) {
            snprintf(out, size, "local memory");
            return;
        }
        _Atomic uint32_t nothing = 0;
        cdp_os_wait_for(&nothing, 0, MILLISECOND);
    }
}

static void describe_local(const struct cdp_engine *engine, const struct cdp_block *block,
                           const void *address, char *out, size_t size)
{
    struct owner owner = find_owner(engine, address);
    for (const struct cdp_block *b = block; b != NULL; b = parent_of(b)) {
        if (b == owner.block) {
            char variable[256], name[320];
            const uint32_t *t = owner.thread_idx;
            name_local(&owner, address, variable, sizeof variable);
            name_block(b, block, name, sizeof name);
            snprintf(out, size, "%s of thread (%u,%u,%u) of %s", variable, t[0], t[1], t[2], name);
            return;
        }
    }
    snprintf(out, size, "local memory of %s",
             owner.block != NULL ? "another thread" : "a thread that has ended");
}

/* Describes memory in words that follow "pointer to". block is the one that uses the pointer; NULL:
 * the host. */
static void describe(const struct cdp_engine *engine, const struct cdp_block *block,
                     const void *address, char *out, size_t size)
{
    if ((uintptr_t)address - (uintptr_t)engine->ranges.stacks.low <
        (uintptr_t)(engine->ranges.stacks.high - engine->ranges.stacks.low)) {
        describe_local(engine, block, address, out, size);
    } else {
        describe_shared(block, address, out, size);
    }
}

/* ---- At a launch ---- */

static void name_parameter(const struct cdp_abi_kernel *kernel,
                           const struct cdp_abi_pointer *pointer, char *out, size_t size)
{
    char name[256];
    cdp_os_demangle(kernel->name, name, sizeof name);
    uint32_t inside = pointer->offset - kernel->params[pointer->param].offset;
    int used = snprintf(out, size, "parameter %u", pointer->param + 1);
    if (pointer->name != NULL) {
        used += snprintf(out + used, size - (size_t)used, " ('%s')", pointer->name);
    }
    if (inside != 0) {
        used += snprintf(out + used, size - (size_t)used, ", %u bytes into it,", inside);
    }
    snprintf(out + used, size - (size_t)used, " of kernel %s", name);
}

/* False after MOST_WARNINGS warnings. */
static bool may_warn(void)
{
    static _Atomic int said;
    return atomic_fetch_add_explicit(&said, 1, memory_order_relaxed) < MOST_WARNINGS;
}

static void handed_on(const struct cdp_handover *launch, const struct cdp_abi_pointer *pointer,
                      uintptr_t word)
{
    char parameter[600], memory[600], text[MOST_WORDS];
    name_parameter(launch->kernel, pointer, parameter, sizeof parameter);
    describe(launch->engine, launch->block, (const void *)word, memory, sizeof memory);
    snprintf(text, sizeof text, "%s points to %s, which it must not use", parameter, memory);
    struct cdp_fault_position place = {.block = launch->block,
                                       .thread = launch->block != NULL ? cdp_abi_self : NULL,
                                       .pc = launch->site != NULL ? (const char *)launch->site - 1
                                                                  : NULL};
    if (launch->engine->options->illegal_pointers == CDP_ILLEGAL_TRAP) {
        if (cdp_fault_report(launch->engine, launch->device, CDP_FAULT_SPACE, &place, text)) {
            fprintf(stderr,
                    "cdp:   a GPU faults only where the child uses such a pointer: "
                    "CDP_ILLEGAL_POINTERS=hardware lets this launch pass, =warn only reports it\n");
        }
    } else if (may_warn()) {
        cdp_fault_warn(launch->engine, CDP_FAULT_SPACE, &place, text);
    }
}

void cdp_space_report_launch(const struct cdp_handover *launch, struct cdp_private_range range)
{
    if (launch->engine->options->illegal_pointers == CDP_ILLEGAL_HARDWARE) {
        return;
    }
    const struct cdp_abi_kernel *kernel = launch->kernel;
    for (uint32_t i = 0; i < kernel->pointer_count; i++) {
        uintptr_t word;
        memcpy(&word, (const char *)launch->params + kernel->pointers[i].offset, sizeof word);
        if (cdp_private_contains(range, word)) {
            handed_on(launch, &kernel->pointers[i], word);
        }
    }
}

/* ---- At an access ---- */

static const char *verb(uint32_t flags)
{
    return (flags & CDP_ACCESS_ATOMIC) != 0  ? "atomic access"
           : (flags & CDP_ACCESS_WRITE) != 0 ? "write"
                                             : "read";
}

CDP_COLD static void misaligned(const void *address, uint64_t size, uint32_t flags, const void *pc)
{
    cdp_fault_raise(CDP_FAULT_MISALIGNED, pc,
                    "%s of %llu bytes at %p, which must be aligned to %u bytes", verb(flags),
                    (unsigned long long)size, address, flags >> CDP_ACCESS_ALIGNMENT);
}

CDP_COLD static void foreign(const void *address, uint64_t size, uint32_t flags, const void *pc)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    struct cdp_engine *engine = block->executor->engine;
    char memory[600], text[MOST_WORDS];
    describe(engine, block, address, memory, sizeof memory);
    snprintf(text, sizeof text, "%s of %llu bytes of %s", verb(flags), (unsigned long long)size,
             memory);
    if (engine->options->illegal_pointers != CDP_ILLEGAL_WARN) {
        cdp_fault_raise(CDP_FAULT_SPACE, pc, "%s", text);
    } else if (may_warn()) {
        struct cdp_fault_position place = {.block = block, .thread = cdp_abi_self, .pc = pc};
        cdp_fault_warn(engine, CDP_FAULT_SPACE, &place, text);
    }
}

/* Whether [a, a + size) is in [low, low + length). */
static bool is_within(uintptr_t a, uint64_t size, uint64_t low, uint64_t length)
{
    return a >= low && size <= length && a - low <= length - size;
}

void cdp_abi_check_access(const void *address, uint64_t size, uint32_t flags)
{
    const struct cdp_abi_thread *self = cdp_abi_self;
    const struct cdp_abi_block *block = self->block;
    const void *pc = (const char *)__builtin_return_address(0) - 1;
    uintptr_t a = (uintptr_t)address;
    uint32_t alignment = flags >> CDP_ACCESS_ALIGNMENT;
    if (size == 0) {
        return;
    }
    if (alignment > 1 && (a & (alignment - 1)) != 0) {
        misaligned(address, size, flags, pc);
    }
    if (a - self->private_low >= self->private_size ||
        is_within(a, size, self->local_low, self->local_size) ||
        is_within(a, size, (uintptr_t)block->shared, block->shared_size)) {
        return;
    }
    const struct cdp_cluster *cluster = cdp_block_of(self)->slab.cluster;
    if (cluster != NULL && cdp_cluster_contains(cluster, a, size)) {
        return;
    }
    foreign(address, size, flags, pc);
}
