/* NVTX. The functions are declared in compat/cdp/nvtx_abi.h. */
#ifndef CDP_API_NVTX_H
#define CDP_API_NVTX_H

/* Does nothing. The runtime calls it, so that programs with weak references to the functions have
 * them: the linker takes no object of an archive for weak references. */
void cdp_nvtx_link(void);

#endif
