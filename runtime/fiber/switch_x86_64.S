/* The context switch for x86-64, System V ABI. Contract: switch.h.
 *
 * The frame of a suspended fiber, upwards from its saved stack pointer: rbp, then the address where
 * it continues. When it continues, rsp points above these two. For cdp_switch that address is
 * cdp_switch_restored, and the other callee-saved registers follow: r15 r14 r13 r12 rbx, then the
 * caller's address. For cdp_abi_syncthreads_bare that address is in the caller, which has saved the
 * registers that it needs. CFI follows every push and pop, so debuggers unwind across a switch. */
        .text

        .macro PUSH register
        pushq   \register
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset \register, 0
        .endm

        .macro POP register
        popq    \register
        .cfi_adjust_cfa_offset -8
        .cfi_restore \register
        .endm

        .macro FUNCTION name
        .globl  \name
        .hidden \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        .endm

        .macro END name
        .cfi_endproc
        .size   \name, . - \name
        .endm

        /* The fiber will continue at cdp_switch_restored, whose address is left in rax. The stack
         * pointer is saved where rdi points. */
        .macro SUSPEND
        PUSH    %rbx
        PUSH    %r12
        PUSH    %r13
        PUSH    %r14
        PUSH    %r15
        leaq    cdp_switch_restored(%rip), %rax
        pushq   %rax
        .cfi_adjust_cfa_offset 8
        PUSH    %rbp
        movq    %rsp, (%rdi)
        .endm

/* cdp_switch(rdi = where to save our stack pointer, rsi = stack pointer to load) */
FUNCTION cdp_switch
        SUSPEND
        movq    %rsi, %rsp
        POP     %rbp
        /* A jump, not ret: the return predictor's stack belongs to the other fiber. */
        popq    %rcx
        .cfi_adjust_cfa_offset -8
        cmpq    %rax, %rcx
        jne     1f
        .globl  cdp_switch_restored
        .hidden cdp_switch_restored
cdp_switch_restored:
        POP     %r15
        POP     %r14
        POP     %r13
        POP     %r12
        POP     %rbx
        popq    %rcx
        .cfi_adjust_cfa_offset -8
1:      .cfi_register %rip, %rcx
        jmpq    *%rcx
END cdp_switch

/* cdp_switch_call(rdi = where to save our stack pointer, rsi = stack pointer below which to call,
 * rdx = function, rcx = argument). A fiber that loads ours continues at cdp_switch_restored. Stack
 * pointers are saved when they are multiples of 16, as a call requires. */
FUNCTION cdp_switch_call
        SUSPEND
        movq    %rdi, %rbx
        .cfi_remember_state
        .cfi_undefined %rip
        movq    %rsi, %rsp
        xorl    %ebp, %ebp
        movq    %rcx, %rdi
        callq   *%rdx
        movq    (%rbx), %rsp
        .cfi_restore_state
        POP     %rbp
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        POP     %r15
        POP     %r14
        POP     %r13
        POP     %r12
        POP     %rbx
        ret
END cdp_switch_call

/* cdp_switch_to(rdi = stack pointer to load): only the load half. */
FUNCTION cdp_switch_to
        .cfi_undefined %rip
        movq    %rdi, %rsp
        popq    %rbp
        popq    %rcx
        jmpq    *%rcx
END cdp_switch_to

/* cdp_switch_prepare(rdi = top, rsi = function, rdx = argument) -> rax = stack pointer.
 * Two zero words at the top end the chain for unwinders that follow return addresses. */
FUNCTION cdp_switch_prepare
        leaq    cdp_fiber_entry(%rip), %rcx
        leaq    cdp_switch_restored(%rip), %r8
        xorl    %eax, %eax
        movq    %rax, -8(%rdi)
        movq    %rax, -16(%rdi)
        movq    %rcx, -24(%rdi)         /* continues at cdp_fiber_entry */
        movq    %rax, -32(%rdi)         /* rbx */
        movq    %rsi, -40(%rdi)         /* r12 = function */
        movq    %rdx, -48(%rdi)         /* r13 = argument */
        movq    %rax, -56(%rdi)         /* r14 */
        movq    %rax, -64(%rdi)         /* r15 */
        movq    %r8, -72(%rdi)
        movq    %rax, -80(%rdi)         /* rbp */
        leaq    -80(%rdi), %rax
        ret
END cdp_switch_prepare

/* rsp is 16-byte aligned here, as a call requires. rip undefined: the outermost frame. */
FUNCTION cdp_fiber_entry
        .cfi_undefined %rip
        xorl    %ebp, %ebp
        movq    %r13, %rdi
        callq   *%r12
        ud2
END cdp_fiber_entry

        .section .note.GNU-stack, "", @progbits
