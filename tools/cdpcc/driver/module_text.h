/* A module as text, for -ptx. */
#ifndef CDPCC_MODULE_TEXT_H
#define CDPCC_MODULE_TEXT_H

/* Writes the shared library as text in the form of PTX: see abi/cdp_image.h. arch is that of
 * __CUDA_ARCH__. Returns 0, or 1 after printing an error. */
int module_text_write(const char *from, const char *to, unsigned arch);

#endif
