/* See math_library.h; mk/compiler.mk passes the path of the bitcode. */
    .section .rodata
    .globl cdp_math_library, cdp_math_library_end
    .balign 16
cdp_math_library:
    .incbin CDP_MATH_BITCODE
cdp_math_library_end:
    .section .note.GNU-stack,"",@progbits
