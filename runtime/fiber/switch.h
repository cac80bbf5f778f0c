/* The context switch, one assembly file for each architecture.
 *
 * A suspended fiber is represented by its stack pointer: the callee-saved registers and the address
 * where it continues are on its stack. The floating-point environment is not saved, because device
 * code cannot change it. */
#ifndef CDP_FIBER_SWITCH_H
#define CDP_FIBER_SWITCH_H

#include "base/attr.h"

/* Suspends the caller: stores its stack pointer in *save, and continues where load was suspended.
 * Returns when another switch loads *save. */
void cdp_switch(void **save, void *load);

/* Continues where load was suspended, and does not save the caller. */
CDP_NORETURN void cdp_switch_to(void *load);

#if defined(__x86_64__)
/* Like cdp_switch, but calls function(argument) on the stack on which load was suspended, below the
 * frames that are there. Returns when the function returns, or when another switch loads *save. A
 * processor predicts a function's return address from its call. This works only if calls and
 * returns come in pairs, and those of switches do not. */
void cdp_switch_call(void **save, void *load, void (*function)(void *argument), void *argument);
#endif

/* Lays out a fresh stack ending at top (16-byte aligned) so that the first switch
 * to the returned pointer calls function(argument).  The function never returns. */
void *cdp_switch_prepare(void *top, void (*function)(void *argument), void *argument);

/* The first instruction of every fiber; named here for unwinders only. */
void cdp_fiber_entry(void);

#if defined(__x86_64__)
/* The address where a fiber that cdp_switch suspended continues; for unwinders only. */
extern const char cdp_switch_restored[];

/* Defines a function name() for callers with LLVM's preserve_none convention, which preserves only
 * rbp and rsp. A thread suspended there leaves a frame as described in switch_x86_64.S: rbp and the
 * return address, mostly in one cache line with its caller's variables.
 *
 * The function exchanges the caller with the next element of an array. An element is a pair: a
 * stack pointer, which is NULL after the last element, and cdp_abi_self. here is thread-local and
 * points to a pointer, at offset current, to a structure that has the next pair's address at offset
 * at. The pair two elements further on also exists, and its data is prefetched. A switch loads only
 * one value that the switch before has stored, the address of the next pair. So switches overlap.
 *
 * If there is no next element, arrive(return address, stack pointer) returns the fiber to switch
 * to, or NULL. The function ends by a jump, not by ret, because the address where the next thread
 * continues does not depend on the last caller of this function. */
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
