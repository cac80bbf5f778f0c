/* Faults of device code. */
#include "exec/report/fault.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/report/asan.h"
#include "exec/report/finding.h"
#include "exec/report/guard.h"
#include "exec/report/names.h"
#include "exec/state/engine.h"
#include "exec/state/grid.h"
#include "mem/describe.h"
#include "mem/share.h"
#include "os/code.h"
#include "os/context.h"
#include "os/os.h"
#include "os/signals.h"

enum { SIGNAL_STACK = 64 << 10, MOST_LEVELS = 8 };

static const int trapped_signals[] = {CDP_OS_FAULT_SIGNALS};

/* A serialized child (struct cdp_abi_serial) while its fault is reported: it has no record, no
 * block and no thread of its own.  site is the place of its launch. */
static __thread struct serial_child {
    struct cdp_grid grid;
    struct cdp_abi_thread thread;
    const char *site;
} serial_child;

static void kernel_name(const struct cdp_abi_kernel *kernel, char *out, size_t size)
{
    cdp_os_demangle(kernel->name, out, size);
}

/* "parent (file:line:column)" */
static void describe_serial_site(char *out, size_t size)
{
    char name[256];
    kernel_name(serial_child.grid.parent->grid->kernel, name, sizeof name);
    bool is_known = *serial_child.site != '\0';
    snprintf(out, size, "%s%s%s%s", name, is_known ? " (" : "", serial_child.site,
             is_known ? ")" : "");
}

void cdp_fault_print_launches(const struct cdp_block *block)
{
    const struct cdp_grid *grid = block->grid;
    for (int level = 0; level < MOST_LEVELS && grid != NULL; level++) {
        const struct cdp_block *parent = grid->kind == CDP_GRID_CHILD ? grid->parent : NULL;
        char site[512], name[256];
        if (grid == &serial_child.grid) {
            describe_serial_site(site, sizeof site);
        } else { /* The site is the return address.  The byte before it is inside the call. */
            cdp_os_symbolize(grid->site != NULL ? (const char *)grid->site - 1 : NULL, site,
                             sizeof site);
        }
        kernel_name(grid->kernel, name, sizeof name);
        if (grid->kind == CDP_GRID_TAIL) {
            fprintf(stderr, "cdp:   %s was launched as a tail at %s\n", name, site);
            grid = grid->owner;
            continue;
        }
        if (parent == NULL) {
            fprintf(stderr, "cdp:   %s was launched by the host at %s\n", name, site);
            return;
        }
        const uint32_t *b = parent->view.block_idx;
        fprintf(stderr, "cdp:   %s was launched by block (%u,%u,%u) at %s\n", name, b[0], b[1],
                b[2], site);
        grid = parent->grid;
    }
}

struct cdp_fault_threads cdp_fault_active_threads(const struct cdp_block *block,
                                                  const struct cdp_abi_thread *thread)
{
    uint32_t all = block->view.thread_count;
    uint32_t first = thread->active_threads & ((1u << CDP_ACTIVE_COUNT_SHIFT) - 1);
    uint32_t count = thread->active_threads >> CDP_ACTIVE_COUNT_SHIFT;
    if (count == 0 || first >= all) {
        return (struct cdp_fault_threads){.first = 0, .last = all - 1};
    }
    uint32_t last = first + count < all ? first + count - 1 : all - 1;
    return (struct cdp_fault_threads){.first = first, .last = last};
}

static void print_index(const struct cdp_block *block, uint32_t thread)
{
    uint32_t index[3];
    cdp_index_of(block->view.block_dim, thread, index);
    fprintf(stderr, "(%u,%u,%u)", index[0], index[1], index[2]);
}

/* Prints ", one of threads 64 to 127" for a block entry, which runs many threads.  True if the
 * thread is not known exactly. */
static bool print_threads(const struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    struct cdp_fault_threads threads = cdp_fault_active_threads(block, thread);
    if (threads.first == threads.last) {
        fprintf(stderr, ", thread ");
        print_index(block, threads.first);
        return false;
    }
    if (threads.first == 0 && threads.last + 1 == block->view.thread_count) {
        fprintf(stderr, ", one of its %u threads", block->view.thread_count);
        return true;
    }
    if (block->view.block_dim[1] == 1 && block->view.block_dim[2] == 1) {
        fprintf(stderr, ", one of threads %u to %u", threads.first, threads.last);
        return true;
    }
    fprintf(stderr, ", one of threads ");
    print_index(block, threads.first);
    fprintf(stderr, " to ");
    print_index(block, threads.last);
    return true;
}

static void print_place(const struct cdp_block *block, const struct cdp_abi_thread *thread,
                        const void *pc)
{
    char name[256], place[512] = "";
    kernel_name(block->grid->kernel, name, sizeof name);
    const uint32_t *b = block->view.block_idx, *t = thread->thread_idx;
    if (pc != NULL) {
        cdp_os_symbolize(pc, place, sizeof place);
    }
    fprintf(stderr, "cdp:   in kernel %s, block (%u,%u,%u)", name, b[0], b[1], b[2]);
    bool is_open = block->flags.is_whole && print_threads(block, thread);
    if (!block->flags.is_whole) {
        fprintf(stderr, ", thread (%u,%u,%u)", t[0], t[1], t[2]);
    }
    fprintf(stderr, "%s%s\n", pc != NULL ? ", at " : "", place);
    if (is_open && block->grid->kernel->thread_entry != NULL) {
        fprintf(stderr, "cdp:   run with CDP_ENTRY=thread to learn which thread it is\n");
    }
}

void cdp_fault_print_position(const struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    print_place(block, thread, NULL);
}

const char *cdp_fault_error_name(const struct cdp_engine *engine, enum cdp_status status)
{
    return engine->names.status != NULL ? engine->names.status(status) : cdp_status_text(status);
}

/* Stores the fault if it is the first one of the device.  True if it is. */
static bool record(struct cdp_engine *engine, unsigned number, enum cdp_status status,
                   const char *text)
{
    struct cdp_engine_device *device = &engine->devices[number];
    cdp_lock_acquire(&engine->faults.lock);
    bool first = device->first.status == CDP_OK;
    if (first) {
        device->first.status = status;
        snprintf(device->first.text, sizeof device->first.text, "%s", text);
        atomic_store(&device->fault, (uint32_t)status);
        atomic_fetch_add(&engine->faults.count, 1);
    }
    cdp_lock_release(&engine->faults.lock);
    return first;
}

void cdp_fault_set(struct cdp_engine *engine, unsigned device, enum cdp_status status,
                   const char *format, ...)
{
    char text[1300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (record(engine, device, status, text)) {
        fprintf(stderr, "cdp: %s: %s\n", cdp_fault_error_name(engine, status), text);
    }
}

static void print_report(const char *kind, const char *text, const struct cdp_fault_position *place)
{
    fprintf(stderr, "cdp: %s: %s\n", kind, text);
    if (place->block != NULL) {
        print_place(place->block, place->thread, place->pc);
        cdp_fault_print_launches(place->block);
    } else if (place->pc != NULL) {
        char at[512];
        cdp_os_symbolize(place->pc, at, sizeof at);
        fprintf(stderr, "cdp:   in host code at %s\n", at);
    }
}

/* Whether the check of memory finds such faults, too, if the code is checked. */
static bool is_of_memory(enum cdp_status status)
{
    return status == CDP_FAULT_ADDRESS || status == CDP_FAULT_MISALIGNED ||
           status == CDP_FAULT_STACK || status == CDP_FAULT_SPACE;
}

/* The same as a finding, for programs with the check of memory: the processor has found it. */
static void report_finding(const char *error, const char *text,
                           const struct cdp_fault_position *position)
{
    const struct cdp_block *block = position->block;
    struct cdp_finding finding = {
        .check = CDP_CHECKS_MEMORY, .title = text, .error = error, .at = {.pc = position->pc}};
    if (block != NULL) {
        cdp_finding_place_of(&finding.at, block, position->thread->thread_idx);
    }
    if (block != NULL && block->flags.is_whole) {
        struct cdp_fault_threads threads = cdp_fault_active_threads(block, position->thread);
        finding.at.has_thread = threads.first == threads.last;
        cdp_index_of(block->view.block_dim, threads.first, finding.at.thread);
    }
    (void)cdp_finding_report(&finding);
}

bool cdp_fault_report(struct cdp_engine *engine, unsigned device, enum cdp_status status,
                      const struct cdp_fault_position *place, const char *text)
{
    bool first = record(engine, device, status, text);
    if (!first) {
        return false; /* only the first is reported: later ones may follow from it */
    }
    if (is_of_memory(status) && cdp_finding_is_on(CDP_CHECKS_MEMORY)) {
        report_finding(cdp_fault_error_name(engine, status), text, place);
    } else {
        print_report(cdp_fault_error_name(engine, status), text, place);
    }
    return true;
}

void cdp_fault_warn(const struct cdp_engine *engine, enum cdp_status status,
                    const struct cdp_fault_position *place, const char *text)
{
    char kind[100];
    snprintf(kind, sizeof kind, "warning (%s)", cdp_fault_error_name(engine, status));
    print_report(kind, text, place);
}

static bool has_line(const void *pc)
{
    struct cdp_os_source source;
    return pc != NULL && cdp_os_source_at(pc, &source) && *source.file != '\0' && source.line != 0;
}

/* The position in a serialized child, if the thread at the given position runs one; else that
 * position. */
static struct cdp_fault_position in_serial_child(struct cdp_fault_position place)
{
    const struct cdp_abi_thread *parent = place.thread;
    struct cdp_block *block = place.block->executor->blocks.inside;
    if (parent->serial == NULL || block == NULL) {
        return place;
    }
    const struct cdp_abi_kernel *kernel = parent->serial->kernel;
    uint32_t threads = parent->serial_block_dim;
    serial_child.site = parent->serial->site;
    serial_child.grid.kernel = kernel;
    serial_child.grid.parent = cdp_block_of(parent);
    serial_child.grid.kind = CDP_GRID_CHILD;
    serial_child.grid.device = (uint8_t)cdp_grid_device(place.block->grid);
    block->grid = &serial_child.grid;
    block->view.kernel = kernel;
    block->view.thread_count = block->view.block_dim[0] = threads;
    block->view.grid_dim[0] = parent->serial_threads / threads;
    block->view.block_idx[0] = parent->serial_index / threads;
    block->flags.is_whole = false;
    serial_child.thread = (struct cdp_abi_thread){.thread_idx = {parent->serial_index % threads},
                                                  .linear = parent->serial_index % threads};
    /* Without a line, only the parent's name would be known. */
    return (struct cdp_fault_position){
        .block = block, .thread = &serial_child.thread, .pc = has_line(place.pc) ? place.pc : NULL};
}

static void report(const struct cdp_block *block, const struct cdp_abi_thread *thread,
                   enum cdp_status status, const char *text, const void *pc)
{
    struct cdp_fault_position place =
        in_serial_child((struct cdp_fault_position){.block = block, .thread = thread, .pc = pc});
    (void)cdp_fault_report(block->executor->engine, cdp_grid_device(block->grid), status, &place,
                           text);
}

/* The block that a fault in this block ends: that of the launching thread, if the block is of a
 * child that runs inside it (block/inside.h). */
static struct cdp_block *owner_of(struct cdp_block *block)
{
    return block == block->executor->blocks.inside ? block->grid->parent : block;
}

/* The running thread's block is dropped, and the thread never returns. */
CDP_NORETURN static void abandon(struct cdp_fiber *self)
{
    struct cdp_block *block = cdp_block_of(&self->thread);
    struct cdp_executor *executor = block->executor;
    executor->engine->operations->kill_block(owner_of(block));
    struct cdp_fiber *to = executor->engine->operations->idle_fiber(executor);
    cdp_fiber_reset(self, true);
    cdp_executor_recycle(executor, self);
    cdp_fiber_abandon(to);
}

/* The program's own line: a function of cdpcc's headers that was not inlined is left out. */
static const void *in_program(const struct cdp_fiber *fiber, const void *pc)
{
    enum { MOST_FRAMES = 16 };
    struct cdp_os_frame frame;
    struct cdp_os_source source;
    bool is_reached = false;
    if (pc == NULL || !cdp_os_source_at(pc, &source) || !cdp_os_is_own_header(source.file)) {
        return pc;
    }
    cdp_os_frame_here(&frame, fiber->low, fiber->top);
    for (int i = 0; i < MOST_FRAMES && cdp_os_frame_next(&frame); i++) {
        const void *at = (const void *)cdp_os_frame_pc(&frame);
        if (is_reached && cdp_os_source_at(at, &source)) {
            return at;
        }
        is_reached |= at == pc;
    }
    return pc;
}

void cdp_fault_raise(enum cdp_status status, const void *pc, const char *format, ...)
{
    char text[1300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    cdp_fault_check_stack(self);
    report(cdp_block_of(&self->thread), &self->thread, status, text, in_program(self, pc));
    abandon(self);
}

void cdp_fault_fail(enum cdp_status status, const char *text)
{
    struct cdp_fiber *self = cdp_fiber_of(cdp_abi_self);
    const struct cdp_block *block = cdp_block_of(&self->thread);
    (void)record(block->executor->engine, cdp_grid_device(block->grid), status, text);
    abandon(self);
}

/* Whether the address is too far below the stack pointer for a stack overflow.  A thread that runs
 * out of stack touches each page. */
static bool is_far_below(const struct cdp_trap *trap)
{
    uintptr_t sp = (uintptr_t)trap->sp, address = (uintptr_t)trap->address;
    return address < sp && sp - address > 2 * cdp_os_page();
}

/* Describes an access beyond an array that reached a guard page of the stack. */
static void describe_overrun(const struct cdp_trap *trap, char *text, size_t size)
{
    bool is_above = cdp_fiber_ends_before(trap->fiber, trap->address);
    char arrays[400];
    cdp_names_arrays(trap->pc, arrays, sizeof arrays);
    snprintf(text, size, "the stack was %s: an access %s an array got to the stack's %s%s%s",
             trap->writes ? "overwritten" : "read", is_above ? "beyond the end of" : "before",
             is_above ? "upper end" : "lower end",
             *arrays != '\0' ? "; on the stack of this function: " : "", arrays);
}

static enum cdp_status classify(const struct cdp_trap *trap, char *text, size_t size)
{
    if (trap->signal == SIGFPE) {
        snprintf(text, size, "arithmetic exception (a division by zero?)");
        return CDP_FAULT_LAUNCH;
    }
    if (trap->signal == SIGILL || trap->signal == SIGTRAP) {
        snprintf(text, size, "illegal instruction");
        return CDP_FAULT_INSTRUCTION;
    }
    if (trap->signal == SIGBUS && trap->code == BUS_ADRALN) {
        snprintf(text, size, "misaligned atomic access at %p", trap->address);
        return CDP_FAULT_MISALIGNED;
    }
    if (trap->returns != CDP_OS_NO_RETURN) {
        snprintf(
            text, size,
            "the stack was overwritten: a function returned to an invalid address, as an array "
            "on the stack had been written to beyond its end (compile with -g to learn which)");
        return CDP_FAULT_ADDRESS;
    }
    if (cdp_fiber_guards(trap->fiber, trap->address) && !is_far_below(trap)) {
        snprintf(text, size, "stack overflow: a thread has %zu KiB (CDP_STACK_KB makes it larger)",
                 trap->fiber->size >> 10);
        return CDP_FAULT_STACK;
    }
    if (cdp_fiber_guards(trap->fiber, trap->address) ||
        cdp_fiber_ends_before(trap->fiber, trap->address)) {
        describe_overrun(trap, text, size);
        return CDP_FAULT_ADDRESS;
    }
    char what[1200];
    if (trap->signal == SIGSEGV && trap->code == SI_KERNEL) {
        snprintf(text, size,
                 "access to an address no memory can have, or misaligned vector access");
    } else if (trap->caller != NULL) {
        snprintf(text, size, "call of address %p, where no function is: a null or wrong pointer",
                 trap->address);
    } else if (cdp_describe_address(trap->address, what, sizeof what)) {
        snprintf(text, size, "illegal access to address %p, which is %s", trap->address, what);
    } else {
        snprintf(text, size, "illegal access to address %p", trap->address);
    }
    return CDP_FAULT_ADDRESS;
}

/* The call in the program, for a fault in memcpy and the like. */
static const void *in_caller_of_library(const struct cdp_trap *trap)
{
    enum { MOST_FRAMES = 4 };
    struct cdp_os_frame frame;
    if (!cdp_os_is_of_c_library(trap->pc)) {
        return trap->pc;
    }
    cdp_os_frame_at(&frame, trap->pc, trap->sp, trap->fiber->top);
    for (int i = 0; i < MOST_FRAMES && cdp_os_frame_next(&frame); i++) {
        const void *at = (const void *)cdp_os_frame_pc(&frame);
        if (!cdp_os_is_of_c_library(at)) {
            return at;
        }
    }
    return trap->pc;
}

/* The code address for the report.  If the trap is at an address without code, it is the kernel's
 * entry. */
static const void *place_of(const struct cdp_trap *trap, const struct cdp_block *block)
{
    const struct cdp_abi_kernel *kernel = block->grid->kernel;
    if (trap->returns != CDP_OS_RETURNED) {
        return trap->caller != NULL ? trap->caller : in_caller_of_library(trap);
    }
    return block->flags.is_whole ? (const void *)(uintptr_t)kernel->block_entry
                                 : (const void *)(uintptr_t)kernel->thread_entry;
}

void cdp_fault_landed(struct cdp_executor *executor)
{
    struct cdp_trap trap = executor->signals.trap;
    struct cdp_fiber *fiber = trap.fiber;
    struct cdp_block *block = cdp_block_of(&fiber->thread);
    char text[1300];
    executor->signals.trap.fiber = NULL;
    if (trap.returns == CDP_OS_RETURNED && trap.caller != NULL &&
        cdp_os_is_end_of_call(trap.caller)) {
        trap.returns = CDP_OS_NO_RETURN;
    }
    if (trap.landed != NULL) {
        trap.landed(executor, &trap);
    } else {
        enum cdp_status status = classify(&trap, text, sizeof text);
        report(block, &fiber->thread, status, text, place_of(&trap, block));
    }
    executor->engine->operations->kill_block(owner_of(block));
    if (fiber->busy) {          /* else it was in a queue of the block, and is recycled already */
        fiber->sp = fiber->low; /* the trap did not save sp */
        cdp_fiber_reset(fiber, false);
        cdp_executor_recycle(executor, fiber);
    }
}

void cdp_fault_asserted(struct cdp_block *block)
{
    (void)record(block->executor->engine, cdp_grid_device(block->grid), CDP_FAULT_ASSERT,
                 "device-side assert triggered");
}

static const char *error_text(const struct cdp_engine *engine, int error)
{
    return engine->names.device_error != NULL ? engine->names.device_error(error) : "an error";
}

void cdp_fault_note(const struct cdp_block *block, const struct cdp_abi_thread *thread,
                    const char *format, ...)
{
    char name[256], text[1300];
    kernel_name(block->grid->kernel, name, sizeof name);
    const uint32_t *b = block->view.block_idx, *t = thread->thread_idx;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "cdp: kernel %s, block (%u,%u,%u), thread (%u,%u,%u): %s\n", name, b[0], b[1],
            b[2], t[0], t[1], t[2], text);
}

/* The same as a finding of --check=api. */
static void report_unread_error(const struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    const struct cdp_fiber *fiber = cdp_fiber_of((struct cdp_abi_thread *)(uintptr_t)thread);
    const char *site = fiber->launch_site;
    struct cdp_finding finding = {
        .check = CDP_CHECKS_API,
        .title = "a launch failed, and the thread does not read the error: the child did not run",
        .error = error_text(block->executor->engine, thread->last_error),
        .at = {.pc = site != NULL ? site - 1 : NULL},
        .help = fiber->launch_advice != NULL
                    ? fiber->launch_advice
                    : "call cudaGetLastError() in the kernel after the launch",
    };
    cdp_finding_place_of(&finding.at, block, thread->thread_idx);
    (void)cdp_finding_report(&finding);
}

static void print_unread_error(struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    static _Atomic int said;
    enum { MOST_SAID = 10 };
    int before = atomic_fetch_add_explicit(&said, 1, memory_order_relaxed);
    if (before < MOST_SAID) {
        cdp_fault_note(block, thread,
                       "a launch failed with error %d (%s), which the thread never read by "
                       "cudaGetLastError(): the child did not run%s",
                       thread->last_error, error_text(block->executor->engine, thread->last_error),
                       before + 1 == MOST_SAID ? "; no more of these are shown" : "");
    }
}

void cdp_fault_unread_error(struct cdp_block *block, const struct cdp_abi_thread *thread)
{
    struct cdp_engine *engine = block->executor->engine;
    atomic_store_explicit(&engine->devices[cdp_grid_device(block->grid)].lost_launch, true,
                          memory_order_relaxed);
    if (cdp_finding_is_on(CDP_CHECKS_API)) {
        report_unread_error(block, thread);
    } else {
        print_unread_error(block, thread);
    }
}

/* A fiber to switch to: an idle one or the reserve.  It allocates nothing. */
CDP_NOT_INSTRUMENTED static struct cdp_fiber *spare_fiber(struct cdp_executor *executor)
{
    struct cdp_fiber *fiber = executor->fibers.idle;
    if (fiber != NULL) {
        executor->fibers.idle = fiber->next;
    } else {
        fiber = executor->fibers.reserve;
        executor->fibers.reserve = NULL;
    }
    return fiber;
}

void cdp_fault_stack_short(struct cdp_fiber *self, const void *pc)
{
    struct cdp_executor *executor = self->owner;
    executor->signals.trap = (struct cdp_trap){.signal = SIGSEGV,
                                               .code = SEGV_MAPERR,
                                               .address = self->low - 1,
                                               .pc = pc,
                                               .sp = self->low,
                                               .fiber = self};
    self->next = NULL;
    struct cdp_fiber *to = spare_fiber(executor);
    if (to == NULL) {
        abort(); /* cannot happen: the loop keeps a reserve */
    }
    cdp_fiber_abandon(to);
}

CDP_NOT_INSTRUMENTED bool cdp_fault_divert(struct cdp_executor *executor,
                                           const struct cdp_trap *trap, void *context)
{
    struct cdp_fiber *to = executor->signals.trap.fiber == NULL ? spare_fiber(executor) : NULL;
    if (to == NULL) {
        return false;
    }
    executor->signals.trap = *trap;
    trap->fiber->next = NULL;
    cdp_abi_self = &to->thread;
    if (!CDP_TSAN) { /* see cdp_sanitizer_arrive */
        cdp_sanitizer_leave(NULL, &to->sanitizer, to->low, to->size);
    }
    cdp_os_context_go(context, cdp_switch_to, to->sp);
    return true;
}

/* Runs on the signal stack.  It only records the trap, and makes the thread leave the faulting
 * stack.  The loop does the rest outside of the handler (cdp_fault_landed). */
CDP_NOT_INSTRUMENTED static void on_trap(int signal, siginfo_t *info, void *opaque)
{
    if (signal == SIGSEGV && info->si_code > 0 && cdp_share_waited()) {
        return;
    }
    struct cdp_executor *executor = cdp_executor_here;
    struct cdp_abi_thread *thread = cdp_abi_self;
    struct cdp_fiber *fiber = thread != NULL ? cdp_fiber_of(thread) : NULL;
    if (executor == NULL || fiber == NULL || !fiber->busy || info->si_code <= 0) {
        if (info->si_code <= 0 || !cdp_guard_caught(signal, info->si_addr, opaque)) {
            cdp_os_signal_pass(signal, info, opaque);
        }
        return;
    }
    struct cdp_trap trap = {
        .signal = signal,
        .code = info->si_code,
        .address = info->si_addr,
        .pc = cdp_os_context_pc(opaque),
        .sp = cdp_os_context_sp(opaque),
        .writes = cdp_os_context_writes(opaque),
        .returns = cdp_os_context_return(opaque, info->si_addr, fiber->low, fiber->top),
        .fiber = fiber};
    if (signal == SIGSEGV) { /* else si_addr is the address of the instruction */
        trap.caller = cdp_os_context_caller(opaque, info->si_addr, fiber->low, fiber->top);
    }
    if (!cdp_fault_divert(executor, &trap, opaque)) {
        cdp_os_signal_pass(signal, info, opaque);
    }
}

void cdp_fault_install(void)
{
    cdp_asan_install();
    for (size_t i = 0; i < sizeof trapped_signals / sizeof *trapped_signals; i++) {
        cdp_os_signal_take(trapped_signals[i], on_trap);
    }
}

void cdp_fault_thread_init(struct cdp_executor *executor)
{
    void *stack = cdp_os_map(SIGNAL_STACK);
    if (stack == NULL) {
        return; /* then a stack overflow ends the process */
    }
    if (cdp_os_signal_stack(stack, SIGNAL_STACK)) {
        executor->signals.stack = stack;
    } else {
        cdp_os_unmap(stack, SIGNAL_STACK);
    }
}

void cdp_fault_thread_finish(struct cdp_executor *executor)
{
    if (executor->signals.stack == NULL) {
        return;
    }
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    cdp_os_unmap(executor->signals.stack, SIGNAL_STACK);
    executor->signals.stack = NULL;
}
