/* Creation of fibers, and the switches from and to an OS thread's own stack. */
#include "fiber/fiber.h"

#include <stdint.h>

__thread struct cdp_abi_thread *cdp_abi_self CDP_EXPORT CDP_TLS_INITIAL_EXEC;

struct cdp_fiber *cdp_fiber_create(struct cdp_stack_source *source, void (*main)(void *fiber),
                                   void *owner)
{
    struct cdp_stack stack;
    if (!cdp_stack_take(source, &stack)) {
        return NULL;
    }
    struct cdp_fiber *fiber = stack.record;
    fiber->owner = owner;
    fiber->main = main;
    fiber->low = stack.low;
    fiber->top = stack.top;
    fiber->size = (size_t)(stack.top - stack.low);
    fiber->thread.local_low = (uintptr_t)stack.low;
    fiber->thread.local_size = fiber->size;
    cdp_sanitizer_created(&fiber->sanitizer, stack.low, fiber->size);
    cdp_sanitizer_root(fiber, sizeof *fiber);
    fiber->sp = cdp_switch_prepare(stack.top, main, fiber);
    atomic_store(&fiber->is_made, true);
    return fiber;
}

struct cdp_fiber *cdp_fiber_at(const struct cdp_stack_range *range, const void *address)
{
    struct cdp_fiber *fiber = cdp_stack_record(range, address);
    return fiber != NULL && atomic_load(&fiber->is_made) ? fiber : NULL;
}

/* Not instrumented: the fiber may be another worker's, which may continue meanwhile, and the
 * function that suspended it is unknown to sanitizers. */
CDP_NOT_INSTRUMENTED bool cdp_fiber_frame(const struct cdp_fiber *fiber, const void *saved_sp,
                                          struct cdp_os_frame *frame)
{
#if defined(__x86_64__)
    enum { FRAME_POINTER = 6, STACK_POINTER = 7, RETURN_ADDRESS = 16 };
    /* The DWARF numbers of the registers that cdp_switch saves above its frame's first two words,
     * upwards. */
    static const unsigned char saved[] = {15, 14, 13, 12, 3, RETURN_ADDRESS};
    const volatile uint64_t *sp = saved_sp;
    *frame = (struct cdp_os_frame){.low = (uintptr_t)fiber->low, .high = (uintptr_t)fiber->top};
    if ((uintptr_t)sp < frame->low ||
        (uintptr_t)sp > frame->high - (2 + sizeof saved) * sizeof *sp) {
        return false;
    }
    frame->registers[FRAME_POINTER] = sp[0];
    frame->registers[RETURN_ADDRESS] = sp[1];
    sp += 2;
    if (frame->registers[RETURN_ADDRESS] == (uintptr_t)cdp_switch_restored) {
        for (size_t i = 0; i < sizeof saved; i++) {
            frame->registers[saved[i]] = sp[i];
        }
        sp += sizeof saved;
    }
    frame->registers[STACK_POINTER] = (uintptr_t)sp;
    return true;
#else
    (void)fiber, (void)saved_sp, (void)frame;
    return false;
#endif
}

void cdp_fiber_reset(struct cdp_fiber *fiber, bool running)
{
    fiber->busy = false;
    fiber->arrived_turn = 0;
    fiber->recursion = 0;
    fiber->next = NULL;
    fiber->thread.frame = NULL; /* its calls do not return */
    fiber->thread.serial = NULL;
    /* A stack may be huge, but its used part is not: a waiting fiber has frames from sp upwards. */
    char *low = running ? fiber->low : fiber->sp;
    size_t size = (size_t)(fiber->top - low);
    cdp_sanitizer_abandoned(&fiber->sanitizer, low, size, running);
    /* This is correct also for the running fiber: it overwrites only the outermost frame, to which
     * nothing returns. */
    fiber->sp = cdp_switch_prepare(fiber->top, fiber->main, fiber);
}

void cdp_fiber_abandon(struct cdp_fiber *to)
{
    cdp_fiber_depart(to);
    cdp_sanitizer_leave(NULL, &to->sanitizer, to->low, to->size);
    cdp_switch_to(to->sp);
}

void cdp_fiber_enter(struct cdp_thread_stack *stack, struct cdp_fiber *fiber)
{
    cdp_sanitizer_adopt_thread(&stack->sanitizer);
    cdp_fiber_depart(fiber);
    cdp_sanitizer_leave(&stack->sanitizer, &fiber->sanitizer, fiber->low, fiber->size);
    cdp_switch(&stack->sp, fiber->sp);
    cdp_sanitizer_arrive(&stack->sanitizer, NULL, NULL);
    cdp_abi_self = NULL;
}

#if CDP_FIBER_CALLS
void cdp_fiber_call(struct cdp_thread_stack *stack, struct cdp_fiber *fiber,
                    void (*main)(void *fiber))
{
    cdp_fiber_depart(fiber);
    cdp_switch_call(&stack->sp, fiber->sp, main, fiber);
    cdp_abi_self = NULL;
}
#endif

void cdp_fiber_leave(struct cdp_fiber *fiber, struct cdp_thread_stack *stack)
{
    cdp_lock_expect_none();
    cdp_sanitizer_leave(&fiber->sanitizer, &stack->sanitizer, stack->low, stack->size);
    cdp_switch(&fiber->sp, stack->sp);
    cdp_sanitizer_arrive(&fiber->sanitizer, NULL, NULL);
}
