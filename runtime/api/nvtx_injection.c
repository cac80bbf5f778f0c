/* NVIDIA's own headers of NVTX, which a program may bring along. At the first call they look for a
 * tool: for the library in NVTX_INJECTION64_PATH, then for the variable
 * InitializeInjectionNvtx2_fnptr, which they define weakly and a static tool defines strongly. The
 * runtime is such a tool. If it is a shared library, the variable of the environment must name it:
 * cdp-prof does so. NVTX then calls the functions of compat/nvToolsExt.h.
 *
 * The interface is that of NVIDIA's nvtxTypes.h and nvtxInit.h, version 3. */
#include <stdint.h>

#include "nvToolsExt.h"
#include "nvToolsExtCudaRt.h"

#include "api/nvtx.h"
#include "base/attr.h"
#include "exec/report/profile.h"

enum { ETID_CALLBACKS = 1 };
enum { MODULE_CORE = 1, MODULE_CUDA = 2, MODULE_CUDART = 4, MODULE_CORE2 = 5 };

typedef void (*any_function)(void);

struct callbacks {
    size_t struct_size;
    /* The places of the module's functions, by their numbers; 0: there is no such module. */
    int (*get_module)(int module, any_function ***places, unsigned *count);
};

typedef const void *(*get_export_table)(uint32_t id);

CDP_EXPORT int InitializeInjectionNvtx2(get_export_table get);
extern int (*InitializeInjectionNvtx2_fnptr)(get_export_table get);

/* The functions that do something. NVTX calls none of the others. */
static const struct injected {
    int module;
    unsigned number;
    any_function function;
} injected[] = {
    {MODULE_CORE, 1, (any_function)nvtxMarkEx},
    {MODULE_CORE, 2, (any_function)nvtxMarkA},
    {MODULE_CORE, 3, (any_function)nvtxMarkW},
    {MODULE_CORE, 4, (any_function)nvtxRangeStartEx},
    {MODULE_CORE, 5, (any_function)nvtxRangeStartA},
    {MODULE_CORE, 6, (any_function)nvtxRangeStartW},
    {MODULE_CORE, 7, (any_function)nvtxRangeEnd},
    {MODULE_CORE, 8, (any_function)nvtxRangePushEx},
    {MODULE_CORE, 9, (any_function)nvtxRangePushA},
    {MODULE_CORE, 10, (any_function)nvtxRangePushW},
    {MODULE_CORE, 11, (any_function)nvtxRangePop},
    {MODULE_CORE, 12, (any_function)nvtxNameCategoryA},
    {MODULE_CORE, 13, (any_function)nvtxNameCategoryW},
    {MODULE_CORE, 14, (any_function)nvtxNameOsThreadA},
    {MODULE_CORE, 15, (any_function)nvtxNameOsThreadW},
    {MODULE_CUDA, 5, (any_function)nvtxNameCudaStreamA}, /* a CUstream is a cudaStream_t */
    {MODULE_CUDA, 6, (any_function)nvtxNameCudaStreamW},
    {MODULE_CUDART, 3, (any_function)nvtxNameCudaStreamA},
    {MODULE_CUDART, 4, (any_function)nvtxNameCudaStreamW},
    {MODULE_CORE2, 1, (any_function)nvtxDomainMarkEx},
    {MODULE_CORE2, 2, (any_function)nvtxDomainRangeStartEx},
    {MODULE_CORE2, 3, (any_function)nvtxDomainRangeEnd},
    {MODULE_CORE2, 4, (any_function)nvtxDomainRangePushEx},
    {MODULE_CORE2, 5, (any_function)nvtxDomainRangePop},
    {MODULE_CORE2, 8, (any_function)nvtxDomainNameCategoryA},
    {MODULE_CORE2, 9, (any_function)nvtxDomainNameCategoryW},
    {MODULE_CORE2, 10, (any_function)nvtxDomainRegisterStringA},
    {MODULE_CORE2, 11, (any_function)nvtxDomainRegisterStringW},
    {MODULE_CORE2, 12, (any_function)nvtxDomainCreateA},
    {MODULE_CORE2, 13, (any_function)nvtxDomainCreateW},
};

/* Not 0: the functions are called. Without CDP_PROFILE and CDP_TRACE NVTX calls nothing. */
int InitializeInjectionNvtx2(get_export_table get)
{
    const struct callbacks *callbacks = cdp_profile_is_on ? get(ETID_CALLBACKS) : NULL;
    if (callbacks == NULL || callbacks->struct_size < sizeof *callbacks) {
        return 0;
    }
    for (size_t i = 0; i < sizeof injected / sizeof injected[0]; i++) {
        any_function **places = NULL;
        unsigned count = 0;
        if (callbacks->get_module(injected[i].module, &places, &count) != 0 &&
            injected[i].number < count) {
            *places[injected[i].number] = injected[i].function;
        }
    }
    return 1;
}

CDP_EXPORT int (*InitializeInjectionNvtx2_fnptr)(get_export_table get) = InitializeInjectionNvtx2;

void cdp_nvtx_injection_link(void)
{
}
