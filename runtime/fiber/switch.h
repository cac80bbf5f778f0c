/* The context switch, one file of assembly per architecture.
 *
 * A suspended fiber is its stack pointer: the callee-saved registers and the
 * address to go on at lie on its stack.  The floating-point environment is not
 * saved: device code has no way to change it. */
#ifndef CDP_FIBER_SWITCH_H
#define CDP_FIBER_SWITCH_H

#include "base/attr.h"

/* Suspends the caller: stores its stack pointer in *save and goes on where load
 * was suspended.  Returns when somebody loads *save. */
void cdp_switch(void **save, void *load);

/* Goes on where load was suspended and forgets the caller. */
CDP_NORETURN void cdp_switch_to(void *load);

/* Lays out a fresh stack ending at top (16-byte aligned) so that the first switch
 * to the returned pointer calls function(argument).  The function never returns. */
void *cdp_switch_prepare(void *top, void (*function)(void *argument), void *argument);

/* The first instruction of every fiber; named here for unwinders only. */
void cdp_fiber_entry(void);
#if defined(__x86_64__)
/* Where one that cdp_switch suspended goes on; likewise. */
extern const char cdp_switch_restored[];

/* A switch that is to be made. */
struct cdp_switch_pair {
    void **save; /* where to save our stack pointer; NULL: there is none to be made */
    void *load;
};

/* A function name() for callers by LLVM's preserve_none, which keeps rbp and rsp only: calls
 * struct cdp_switch_pair arrive(its return address, its stack pointer), a symbol, and makes
 * that switch.  The frame is as switch_x86_64.S says.  ret is right here, as most that are
 * switched to were called from the same place. */
#define CDP_SWITCH_BARE(name, arrive)                                                              \
    __attribute__((naked)) void name(void)                                                         \
    {                                                                                              \
        __asm__("pushq %rbp\n"                                                                     \
                ".cfi_adjust_cfa_offset 8\n"                                                       \
                ".cfi_rel_offset %rbp, 0\n"                                                        \
                "movq 8(%rsp), %rdi\n"                                                             \
                "movq %rsp, %rsi\n"                                                                \
                "call " #arrive "\n"                                                               \
                "testq %rax, %rax\n"                                                               \
                "je 1f\n"                                                                          \
                "movq %rsp, (%rax)\n"                                                              \
                "movq %rdx, %rsp\n"                                                                \
                "1: popq %rbp\n"                                                                   \
                ".cfi_adjust_cfa_offset -8\n"                                                      \
                ".cfi_restore %rbp\n"                                                              \
                "ret\n");                                                                          \
    }
#endif

#endif
