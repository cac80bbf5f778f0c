/* See bitcode.h; mk/compiler.mk passes the path of the bitcode. */
    .section .rodata
    .globl cdp_ptx_library, cdp_ptx_library_end
    .balign 16
cdp_ptx_library:
    .incbin CDP_PTX_BITCODE
cdp_ptx_library_end:
    .section .note.GNU-stack,"",@progbits
