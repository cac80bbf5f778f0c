/* Announces every fiber and every switch to ASan, TSan and valgrind. The functions are empty and
 * inline in a plain build. */
#ifndef CDP_FIBER_SANITIZER_H
#define CDP_FIBER_SANITIZER_H

#include "fiber/valgrind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CDP_ASAN 1
#elif __has_feature(thread_sanitizer)
#define CDP_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CDP_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define CDP_TSAN 1
#endif
#ifndef CDP_ASAN
#define CDP_ASAN 0
#endif
#ifndef CDP_TSAN
#define CDP_TSAN 0
#endif

/* valgrind does not support AVX-512, for which block entries are compiled. */
static inline bool cdp_sanitizer_is_valgrind(void)
{
    return cdp_valgrind_request(CDP_VALGRIND_IS_RUNNING, 0, 0) != 0;
}

#if CDP_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif
#if CDP_TSAN
#include <sanitizer/tsan_interface.h>
#endif

/* The sanitizers' state of one stack; zero before cdp_sanitizer_created. */
struct cdp_sanitizer {
    void *fake_stack; /* ASan's */
    void *tsan;       /* TSan's fiber */
};

/* The stack is size bytes from low. Outside valgrind its request costs a few instructions. */
static inline void cdp_sanitizer_created(struct cdp_sanitizer *s, void *low, size_t size)
{
    cdp_valgrind_request(CDP_VALGRIND_STACK, (uintptr_t)low, (uintptr_t)low + size);
#if CDP_ASAN
    /* Per stack, not for the arena: LSan would read the guard pages. */
    __lsan_register_root_region(low, size);
#endif
#if CDP_TSAN
    s->tsan = __tsan_create_fiber(0);
#endif
    (void)s, (void)low, (void)size;
}

/* Memory of the runtime's own mappings that may contain the only pointer to an allocation. */
static inline void cdp_sanitizer_root(void *low, size_t size)
{
#if CDP_ASAN
    __lsan_register_root_region(low, size);
#endif
    (void)low, (void)size;
}

/* Both inline: TSan's call stack changes within them. */

/* To be called before a switch away from a stack; from == NULL: the stack is abandoned. */
__attribute__((always_inline)) static inline void cdp_sanitizer_leave(struct cdp_sanitizer *from,
                                                                      struct cdp_sanitizer *to,
                                                                      const void *to_low,
                                                                      size_t to_size)
{
#if CDP_ASAN
    __sanitizer_start_switch_fiber(from != NULL ? &from->fake_stack : NULL, to_low, to_size);
#endif
#if CDP_TSAN
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
    (void)from, (void)to, (void)to_low, (void)to_size;
}

/* To be called after a switch, on the new stack. low and size receive the bounds of the old stack,
 * and may be NULL. */
__attribute__((always_inline)) static inline void
cdp_sanitizer_arrive(struct cdp_sanitizer *here, const void **low, size_t *size)
{
#if CDP_ASAN
    __sanitizer_finish_switch_fiber(here->fake_stack, low, size);
#endif
#if CDP_TSAN
    /* A switch from a signal handler arrives here without a leave: TSan's own frame around the
     * handler does not survive a switch of its fiber. */
    if (__tsan_get_current_fiber() != here->tsan) {
        __tsan_switch_to_fiber(here->tsan, 0);
    }
#endif
    (void)here, (void)low, (void)size;
}

/* Registers the calling OS thread's own stack as a target of switches. */
static inline void cdp_sanitizer_adopt_thread(struct cdp_sanitizer *s)
{
#if CDP_TSAN
    s->tsan = __tsan_get_current_fiber();
#endif
    (void)s;
}

/* The stack's frames are abandoned, and the stack will be reused from its start. */
static inline void cdp_sanitizer_abandoned(struct cdp_sanitizer *s, void *low, size_t size,
                                           int running)
{
#if CDP_ASAN
    __asan_unpoison_memory_region(low, size);
    s->fake_stack = NULL;
#endif
#if CDP_TSAN
    if (!running) {
        __tsan_destroy_fiber(s->tsan);
        s->tsan = __tsan_create_fiber(0);
    }
#endif
    (void)s, (void)low, (void)size, (void)running;
}

static inline void cdp_sanitizer_poison(const void *low, size_t size)
{
#if CDP_ASAN
    __asan_poison_memory_region(low, size);
#endif
    (void)low, (void)size;
}

static inline void cdp_sanitizer_unpoison(const void *low, size_t size)
{
#if CDP_ASAN
    __asan_unpoison_memory_region(low, size);
#endif
    (void)low, (void)size;
}

#endif
