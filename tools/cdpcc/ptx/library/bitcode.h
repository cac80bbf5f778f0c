/* The functions of this folder as bitcode, contained in cdpcc itself. */
#ifndef CDPCC_PTX_LIBRARY_BITCODE_H
#define CDPCC_PTX_LIBRARY_BITCODE_H

/* From the first byte to the one after the last. Bitcode of one module, whose functions have the
 * names of PTX in library.h. */
extern const unsigned char cdp_ptx_library[], cdp_ptx_library_end[];

#endif
