/* A fiber: a stack that can be suspended, and the CUDA thread that it runs.
 *
 * Fibers never move to another OS thread while they run device code. A fiber runs one function,
 * which never returns. A fiber is never destroyed. Unused fibers are cached. */
#ifndef CDP_FIBER_FIBER_H
#define CDP_FIBER_FIBER_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "base/lock.h"
#include "fiber/sanitizer.h"
#include "fiber/stack.h"
#include "fiber/switch.h"
#include "os/code.h"
#include "os/os.h"

/* Stored apart from its stack, so that no overrun of a device array reaches it: a report and the
 * return to the loop need it after an overrun. Owner: one worker, for ever. Only this worker
 * accesses the fields, except is_made. The fields that barriers use are in the first cache line. */
struct cdp_fiber {
    alignas(CDP_CACHE_LINE) void *sp; /* saved stack pointer while not running */
    struct cdp_fiber *next;           /* link in the one queue or cache that contains the fiber */
    char *floor;                      /* device code calls the runtime above this only; const */
    const void *site;                 /* where in device code it waits: a return address */
    void *owner;                      /* the executor; const */
    struct cdp_abi_thread thread;     /* cdp_abi_self points here while it runs */
    bool busy;                        /* runs a CUDA thread that has started and not ended */
    uint16_t epoch;                   /* the epoch of its block's launches that it waits for */
    bool predicate;                   /* result of the operation it waited for, and */
    uint64_t result;
    uint32_t arrived_turn; /* the barrier phase for which it arrived without waiting */
    char *low, *top;       /* of the usable stack; const */
    size_t size;           /* bytes between; const */
    _Atomic bool is_made;  /* set after all const fields but floor; for reports by other workers */
    struct cdp_sanitizer sanitizer;
    void (*main)(void *fiber); /* const */
    uint64_t recursion; /* bytes of a GPU's stack for calls that wait; with the check of memory */
    const void *launch_site; /* return address of the launch for which thread.launch_failed is set;
                                NULL: unknown */
    const char *launch_advice; /* what to change about that launch: a constant; NULL: unknown */
};

/* First in, first out; zero is empty. */
struct cdp_fiber_queue {
    struct cdp_fiber *head, *tail;
};

/* A fiber that will call main(fiber) at the first switch to it; NULL if there is no stack. */
struct cdp_fiber *cdp_fiber_create(struct cdp_stack_source *source, void (*main)(void *fiber),
                                   void *owner);

/* The fiber whose stack contains address; NULL if there is none. For reports: the fiber belongs to
 * another worker and may change at any time. */
struct cdp_fiber *cdp_fiber_at(const struct cdp_stack_range *range, const void *address);

/* Discards the frames on the fiber: the next switch to it calls main from the start. running: it is
 * the calling fiber itself. Then the caller must switch away, and is not resumed. */
void cdp_fiber_reset(struct cdp_fiber *fiber, bool running);

/* The innermost frame on the stack of a suspended fiber, whose stack pointer was saved as sp; false
 * if the frame is not understood. */
bool cdp_fiber_frame(const struct cdp_fiber *fiber, const void *sp, struct cdp_os_frame *frame);

/* Whether address is in this fiber's guard: then the access is a stack overflow. */
static inline bool cdp_fiber_guards(const struct cdp_fiber *fiber, const void *address)
{
    const char *a = address;
    return a >= fiber->low - cdp_os_page() && a < fiber->low;
}

/* Whether address is in the guard above its stack: then the access is an overrun of an array on the
 * stack. */
static inline bool cdp_fiber_ends_before(const struct cdp_fiber *fiber, const void *address)
{
    uintptr_t page = cdp_os_page(), a = (uintptr_t)address;
    uintptr_t end = ((uintptr_t)fiber->top + page - 1) & ~(page - 1);
    return a >= end && a < end + page;
}

static inline struct cdp_fiber *cdp_fiber_of(struct cdp_abi_thread *thread)
{
    return (struct cdp_fiber *)((char *)thread - offsetof(struct cdp_fiber, thread));
}

static inline void cdp_fiber_push(struct cdp_fiber_queue *queue, struct cdp_fiber *fiber)
{
    fiber->next = NULL;
    if (queue->head != NULL) {
        queue->tail->next = fiber;
    } else {
        queue->head = fiber;
    }
    queue->tail = fiber;
}

static inline struct cdp_fiber *cdp_fiber_pop(struct cdp_fiber_queue *queue)
{
    struct cdp_fiber *fiber = queue->head;
    if (fiber != NULL) {
        queue->head = fiber->next;
    }
    return fiber;
}

/* Moves all fibers of from to the end of queue. */
static inline void cdp_fiber_append(struct cdp_fiber_queue *queue, struct cdp_fiber_queue *from)
{
    if (from->head == NULL) {
        return;
    }
    if (queue->head != NULL) {
        queue->tail->next = from->head;
    } else {
        queue->head = from->head;
    }
    queue->tail = from->tail;
    from->head = NULL;
}

/* Every switch to a fiber calls this, which sets the running fiber. There are two exceptions:
 * CDP_SWITCH_RING, and a signal handler that leaves a fault. Both come from device code, which
 * holds no lock. Another fiber may wait for a lock that this one holds, so none may be held. */
static inline void cdp_fiber_depart(struct cdp_fiber *to)
{
    cdp_lock_expect_none();
    cdp_abi_self = &to->thread;
}

/* The same for a switch to a fiber that waits. In large rings of fibers each access is a cache
 * miss, so the saved data of the next two fibers is prefetched. */
static inline void cdp_fiber_announce(struct cdp_fiber *to)
{
    cdp_fiber_depart(to);
    struct cdp_fiber *ahead = to->next;
    if (ahead != NULL) {
        __builtin_prefetch(ahead->next);
        __builtin_prefetch(ahead->sp, 1);
    }
}

/* Suspends the running fiber from, and continues on the fiber to. */
__attribute__((always_inline)) static inline void cdp_fiber_switch(struct cdp_fiber *from,
                                                                   struct cdp_fiber *to)
{
    cdp_fiber_announce(to);
    if (to->next != NULL) {
        __builtin_prefetch((char *)to->next->sp + CDP_CACHE_LINE, 1);
    }
    cdp_sanitizer_leave(&from->sanitizer, &to->sanitizer, to->low, to->size);
    cdp_switch(&from->sp, to->sp);
    cdp_sanitizer_arrive(&from->sanitizer, NULL, NULL);
}

/* Continues on the fiber to, and does not save the caller, which is never resumed. */
CDP_NORETURN void cdp_fiber_abandon(struct cdp_fiber *to);

/* An OS thread's own stack, while it runs fibers. */
struct cdp_thread_stack {
    void *sp;
    const void *low; /* known to ASan only */
    size_t size;
    struct cdp_sanitizer sanitizer;
};

/* Switches from an OS thread's stack to a fiber; returns when a fiber leaves to that stack. */
void cdp_fiber_enter(struct cdp_thread_stack *stack, struct cdp_fiber *fiber);
/* Whether a function can be called on an idle fiber. Sanitizers must see each switch, so with them
 * it cannot. */
#if defined(__x86_64__) && !CDP_ASAN && !CDP_TSAN
#define CDP_FIBER_CALLS 1
#else
#define CDP_FIBER_CALLS 0
#endif
#if CDP_FIBER_CALLS
/* Like cdp_fiber_enter, but the fiber's own work stays suspended: main(fiber) runs on top of it on
 * the fiber's stack. Returns when main returns; main must leave the fiber's sp unchanged. */
void cdp_fiber_call(struct cdp_thread_stack *stack, struct cdp_fiber *fiber,
                    void (*main)(void *fiber));
#endif
/* Switches from the running fiber back to the OS thread's stack; returns at the next switch to the
 * fiber. */
void cdp_fiber_leave(struct cdp_fiber *fiber, struct cdp_thread_stack *stack);

/* The first call in a fiber's main: records the bounds of the OS thread's stack. Inline, because
 * TSan's own call stack changes here: a call would return on another one. */
__attribute__((always_inline)) static inline void cdp_fiber_arrived(struct cdp_fiber *fiber,
                                                                    struct cdp_thread_stack *stack)
{
    const void *low = NULL;
    size_t size = 0;
    cdp_sanitizer_arrive(&fiber->sanitizer, &low, &size);
    if (CDP_ASAN && stack->low == NULL) {
        stack->low = low;
        stack->size = size;
    }
}

#endif
