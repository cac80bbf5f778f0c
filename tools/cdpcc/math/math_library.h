/* The functions of this folder as bitcode, contained in cdpcc itself. */
#ifndef CDPCC_MATH_MATH_LIBRARY_H
#define CDPCC_MATH_MATH_LIBRARY_H

extern const unsigned char cdp_math_library[], cdp_math_library_end[];

#endif
