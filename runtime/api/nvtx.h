/* NVTX. The functions are declared in compat/cdp/nvtx_abi.h. */
#ifndef CDP_API_NVTX_H
#define CDP_API_NVTX_H

/* Do nothing. The runtime calls them, so that programs with weak references to the functions have
 * them: the linker takes no object of an archive for weak references. */
void cdp_nvtx_link(void);
void cdp_nvtx_injection_link(void);

#endif
