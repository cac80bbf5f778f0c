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

#if defined(__x86_64__)
/* As cdp_switch, but calls function(argument) on the stack that load was suspended on, beneath
 * what is there.  Returns when the function returns, or likewise when somebody loads *save.  A
 * processor foretells where a function returns by who called it: it does so only if calls and
 * returns come in pairs, which those of switches do not. */
void cdp_switch_call(void **save, void *load, void (*function)(void *argument), void *argument);
#endif

/* Lays out a fresh stack ending at top (16-byte aligned) so that the first switch
 * to the returned pointer calls function(argument).  The function never returns. */
void *cdp_switch_prepare(void *top, void (*function)(void *argument), void *argument);

/* The first instruction of every fiber; named here for unwinders only. */
void cdp_fiber_entry(void);

#if defined(__x86_64__)
/* Where one that cdp_switch suspended goes on; likewise. */
extern const char cdp_switch_restored[];

/* A function name() for callers by LLVM's preserve_none, which keeps rbp and rsp only.  What
 * is suspended there leaves a frame as switch_x86_64.S says: rbp and the return address, mostly
 * in one cache line with its caller's variables.
 *
 * It changes places with what comes next in an array: pairs of a stack pointer, NULL behind the
 * last, and cdp_abi_self.  here, thread-local, points to a pointer, at offset current, to
 * what has the next pair's address at offset at.  The pair two further on is there, too: what
 * it will need is fetched.  Nothing that is loaded was stored by the switch before but
 * that address, so switches overlap.
 *
 * Where there is no next, arrive(return address, stack pointer) returns what to switch to,
 * or NULL.  The end is a jump, not ret: where the next goes on depends on what came before rather
 * than on who called here last. */
#define CDP_SWITCH_RING(name, here, current, at, arrive)                                           \
    __attribute__((naked)) void name(void)                                                         \
    {                                                                                              \
        __asm__ volatile("pushq %%rbp\n"                                                           \
                         ".cfi_adjust_cfa_offset 8\n"                                              \
                         ".cfi_rel_offset %%rbp, 0\n"                                              \
                         "movq " #here "@gottpoff(%%rip), %%rax\n"                                 \
                         "movq %%fs:(%%rax), %%rax\n"                                              \
                         "movq %c0(%%rax), %%rax\n"                                                \
                         "movq %c1(%%rax), %%rdi\n"                                                \
                         "movq (%%rdi), %%rsi\n"                                                   \
                         "testq %%rsi, %%rsi\n"                                                    \
                         "je 1f\n"                                                                 \
                         "movq 32(%%rdi), %%rcx\n"                                                 \
                         "prefetcht0 (%%rcx)\n"                                                    \
                         "prefetcht0 64(%%rcx)\n"                                                  \
                         "movq 8(%%rdi), %%r8\n"                                                   \
                         "movq cdp_abi_self@gottpoff(%%rip), %%rdx\n"                              \
                         "movq %%fs:(%%rdx), %%r9\n"                                               \
                         "movq %%rsp, (%%rdi)\n"                                                   \
                         "movq %%r9, 8(%%rdi)\n"                                                   \
                         "addq $16, %%rdi\n"                                                       \
                         "movq %%rdi, %c1(%%rax)\n"                                                \
                         "movq %%r8, %%fs:(%%rdx)\n"                                               \
                         "movq %%rsi, %%rsp\n"                                                     \
                         "popq %%rbp\n"                                                            \
                         "popq %%rcx\n"                                                            \
                         "jmpq *%%rcx\n"                                                           \
                         "1: movq 8(%%rsp), %%rdi\n"                                               \
                         "movq %%rsp, %%rsi\n"                                                     \
                         "call " #arrive "\n"                                                      \
                         "testq %%rax, %%rax\n"                                                    \
                         "je 2f\n"                                                                 \
                         "movq %%rax, %%rsp\n"                                                     \
                         "popq %%rbp\n"                                                            \
                         "popq %%rcx\n"                                                            \
                         "jmpq *%%rcx\n"                                                           \
                         "2: popq %%rbp\n"                                                         \
                         ".cfi_adjust_cfa_offset -8\n"                                             \
                         ".cfi_restore %%rbp\n"                                                    \
                         "ret\n"                                                                   \
                         :                                                                         \
                         : "i"(current), "i"(at));                                                 \
    }
#endif

#endif
