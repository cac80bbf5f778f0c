/* Types of pointers to the functions of the driver API, as cuGetProcAddress and
 * cudaGetDriverEntryPoint give them: PFN_NAME_vVERSION, from that version of CUDA on, and PFN_NAME,
 * the newest one. */
#ifndef __CUDA_TYPEDEFS_H__
#define __CUDA_TYPEDEFS_H__

#include "cuda.h"

#define __CDP_PFN(NAME, VERSION, FUNCTION)                                                         \
    typedef __typeof__(FUNCTION) *PFN_##NAME##_v##VERSION;
#define __CDP_PFN_LATEST(NAME, VERSION, FUNCTION)                                                  \
    typedef __typeof__(FUNCTION) *PFN_##NAME##_v##VERSION;                                         \
    typedef __typeof__(FUNCTION) *PFN_##NAME;
/* The same for functions that are overloaded in C++, with the parameters. */
#define __CDP_PFN_AS(NAME, VERSION, PARAMETERS) typedef CUresult(*PFN_##NAME##_v##VERSION) PARAMETERS;
#define __CDP_PFN_LATEST_AS(NAME, VERSION, PARAMETERS)                                             \
    typedef CUresult(*PFN_##NAME##_v##VERSION) PARAMETERS;                                         \
    typedef CUresult(*PFN_##NAME) PARAMETERS;

#include "cdp/cu_typedefs.def"

#undef __CDP_PFN
#undef __CDP_PFN_LATEST
#undef __CDP_PFN_AS
#undef __CDP_PFN_LATEST_AS

#endif
