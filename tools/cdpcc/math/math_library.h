/* The functions of this folder as bitcode, contained in cdpcc itself. */
#ifndef CDPCC_MATH_MATH_LIBRARY_H
#define CDPCC_MATH_MATH_LIBRARY_H

/* From the first byte to the one after the last. Bitcode of one module, whose functions have the
 * names of CDP_MATH and CDP_GUARD in math/math.h. */
extern const unsigned char cdp_math_library[], cdp_math_library_end[];

#endif
