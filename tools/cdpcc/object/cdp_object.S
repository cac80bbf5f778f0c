/* A part of every file for cuModuleLoad: the object from which it was linked (abi/cdp_image.h).
 * cdpcc defines CDP_OBJECT, the object's path as a string, and assembles this when it links. */
.section .cdp_object,"",%progbits
.incbin CDP_OBJECT
.section .note.GNU-stack,"",%progbits
