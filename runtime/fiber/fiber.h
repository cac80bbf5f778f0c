/* A fiber: a stack that can be suspended, and the CUDA thread it runs.
 *
 * Fibers never move to another OS thread while they run device code.  Fresh ones
 * run one function, for ever; a fiber is not destroyed but cached. */
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
#include "os/os.h"

/* Lives apart from its stack, where no array of device code that is overrun reaches it: a report
 * and the way back to the loop need it then. Owner: one worker, for ever; every field is that
 * worker's alone, but for is_made.  What barriers touch is in the first cache line. */
struct cdp_fiber {
    alignas(CDP_CACHE_LINE) void *sp; /* saved stack pointer while not running */
    struct cdp_fiber *next;           /* link in the one queue or cache that holds it */
    char *floor;                      /* device code calls the runtime above this only; const */
    const void *site;                 /* where in device code it waits: a return address */
    void *owner;                      /* the executor; const */
    struct cdp_abi_thread thread;     /* cdp_abi_self points here while it runs */
    bool busy;                        /* holds a started, unfinished CUDA thread */
    uint16_t epoch;                   /* of its block's launches, that it waits for */
    bool predicate;                   /* result of the operation it waited for, and */
    uint64_t result;
    uint32_t passed;      /* the turn of its block's barrier that it arrived for without waiting */
    char *low, *top;      /* of the usable stack; const */
    size_t size;          /* bytes between; const */
    _Atomic bool is_made; /* once all that is const is set; for others' reports */
    struct cdp_sanitizer sanitizer;
    void (*main)(void *fiber); /* const */
};

/* First in, first out; zero is empty. */
struct cdp_fiber_queue {
    struct cdp_fiber *head, *tail;
};

/* A fiber that will call main(fiber) at the first switch to it; NULL without stack. */
struct cdp_fiber *cdp_fiber_create(struct cdp_stack_source *source, void (*main)(void *fiber),
                                   void *owner);

/* The fiber on whose stack address lies; NULL if there is none.  For reports: it is
 * another worker's, and may do anything meanwhile. */
struct cdp_fiber *cdp_fiber_at(const struct cdp_stack_range *range, const void *address);

/* Forgets what ran on the fiber: the next switch to it calls main afresh.  running:
 * it is the calling fiber itself, which must switch away for good afterwards. */
void cdp_fiber_reset(struct cdp_fiber *fiber, bool running);

/* The innermost frame on the stack of a suspended fiber, whose stack pointer was saved as sp;
 * false if it is not understood. */
bool cdp_fiber_frame(const struct cdp_fiber *fiber, const void *sp, struct cdp_os_frame *frame);

/* The address range that is this fiber's guard: an access there is an overflow. */
static inline bool cdp_fiber_guards(const struct cdp_fiber *fiber, const void *address)
{
    const char *a = address;
    return a >= fiber->low - cdp_os_page() && a < fiber->low;
}

/* The guard above its stack: an access there came from an array on it that is overrun. */
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

/* Moves all of from behind queue's last. */
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

/* Just before a switch to a fiber.  Large rings of fibers are pure cache misses, so what the
 * next two left is fetched ahead. */
static inline void cdp_fiber_announce(struct cdp_fiber *to)
{
    cdp_abi_self = &to->thread;
    struct cdp_fiber *ahead = to->next;
    if (ahead != NULL) {
        __builtin_prefetch(ahead->next);
        __builtin_prefetch(ahead->sp, 1);
    }
}

/* Suspends from, the running fiber, and goes on with to. */
__attribute__((always_inline)) static inline void cdp_fiber_switch(struct cdp_fiber *from,
                                                                   struct cdp_fiber *to)
{
    cdp_lock_expect_none();
    cdp_fiber_announce(to);
    if (to->next != NULL) {
        __builtin_prefetch((char *)to->next->sp + CDP_CACHE_LINE, 1);
    }
    cdp_sanitizer_leave(&from->sanitizer, &to->sanitizer, to->low, to->size);
    cdp_switch(&from->sp, to->sp);
    cdp_sanitizer_arrive(&from->sanitizer, NULL, NULL);
}

/* Goes on with to and forgets the caller, which was reset or is the host's no more. */
CDP_NORETURN void cdp_fiber_abandon(struct cdp_fiber *to);

/* An OS thread's own stack, while it runs fibers. */
struct cdp_thread_stack {
    void *sp;
    const void *low; /* known to ASan only */
    size_t size;
    struct cdp_sanitizer sanitizer;
};

/* From an OS thread's stack onto a fiber; returns when a fiber leaves to it. */
void cdp_fiber_enter(struct cdp_thread_stack *stack, struct cdp_fiber *fiber);
/* Whether a function can be called on an idle fiber: sanitizers want to know of each switch. */
#if defined(__x86_64__) && !CDP_ASAN && !CDP_TSAN
#define CDP_FIBER_CALLS 1
#else
#define CDP_FIBER_CALLS 0
#endif
#if CDP_FIBER_CALLS
/* As cdp_fiber_enter, but what the fiber did rests: runs main(fiber) on top of it.  Returns
 * when that does, too; main must leave the fiber's sp as it was. */
void cdp_fiber_call(struct cdp_thread_stack *stack, struct cdp_fiber *fiber,
                    void (*main)(void *fiber));
#endif
/* From the running fiber back to the OS thread's stack; returns at the next switch
 * to the fiber. */
void cdp_fiber_leave(struct cdp_fiber *fiber, struct cdp_thread_stack *stack);

/* The first thing a fiber's main does: learns the OS thread's stack.  Inline, since
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
