/* The context switch for AArch64, AAPCS64. Contract: switch.h.
 *
 * Callee-saved: x19 to x30 and the low halves of v8 to v15. The frame of a suspended fiber, upwards
 * from its saved stack pointer: x19..x28, x29, x30, d8..d15. x30 is the address where the fiber
 * continues. */
        .text

        .macro FUNCTION name
        .globl  \name
        .hidden \name
        .type   \name, %function
        .p2align 4
\name:
        .cfi_startproc
        .endm

        .macro END name
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .macro SAVE
        sub     sp, sp, #160
        .cfi_adjust_cfa_offset 160
        stp     x19, x20, [sp, #0]
        stp     x21, x22, [sp, #16]
        stp     x23, x24, [sp, #32]
        stp     x25, x26, [sp, #48]
        stp     x27, x28, [sp, #64]
        stp     x29, x30, [sp, #80]
        .cfi_rel_offset x29, 80
        .cfi_rel_offset x30, 88
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        .endm

        .macro RESTORE
        ldp     x19, x20, [sp, #0]
        ldp     x21, x22, [sp, #16]
        ldp     x23, x24, [sp, #32]
        ldp     x25, x26, [sp, #48]
        ldp     x27, x28, [sp, #64]
        ldp     x29, x30, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        add     sp, sp, #160
        .endm

/* cdp_switch(x0 = where to save our stack pointer, x1 = stack pointer to load) */
FUNCTION cdp_switch
        SAVE
        mov     x9, sp
        str     x9, [x0]
        mov     sp, x1
        RESTORE
        .cfi_adjust_cfa_offset -160
        .cfi_restore x29
        .cfi_restore x30
        br      x30
END cdp_switch

/* cdp_switch_to(x0 = stack pointer to load) */
FUNCTION cdp_switch_to
        .cfi_undefined x30
        mov     sp, x0
        RESTORE
        br      x30
END cdp_switch_to

/* cdp_switch_prepare(x0 = top, x1 = function, x2 = argument) -> x0 = stack pointer */
FUNCTION cdp_switch_prepare
        sub     x0, x0, #176            /* 160 bytes of frame, 16 of zeros that end the chain */
        stp     xzr, xzr, [x0, #160]
        stp     x1, x2, [x0, #0]        /* x19 = function, x20 = argument */
        stp     xzr, xzr, [x0, #16]
        stp     xzr, xzr, [x0, #32]
        stp     xzr, xzr, [x0, #48]
        stp     xzr, xzr, [x0, #64]
        adrp    x9, cdp_fiber_entry
        add     x9, x9, :lo12:cdp_fiber_entry
        stp     xzr, x9, [x0, #80]      /* x29 = 0, x30 = cdp_fiber_entry */
        stp     xzr, xzr, [x0, #96]
        stp     xzr, xzr, [x0, #112]
        stp     xzr, xzr, [x0, #128]
        stp     xzr, xzr, [x0, #144]
        ret
END cdp_switch_prepare

FUNCTION cdp_fiber_entry
        .cfi_undefined x30
        mov     x29, xzr
        mov     x0, x20
        blr     x19
        brk     #1
END cdp_fiber_entry

        .section .note.GNU-stack, "", %progbits
