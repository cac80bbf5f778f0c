/* Run-time compilation: NVIDIA's interface "NVRTC", on cdpcc. docs/nvrtc.md says what differs. */
#ifndef __NVRTC_H__
#define __NVRTC_H__

#ifdef __cplusplus
extern "C" {
#endif
/* A library built with hidden visibility still exports and finds these. */
#pragma GCC visibility push(default)

#include <stddef.h>

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
    NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
    NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
    NVRTC_ERROR_PCH_CREATE = 15,
    NVRTC_ERROR_CANCELLED = 16,
    NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult __result);
nvrtcResult nvrtcVersion(int *__major, int *__minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *__count);
nvrtcResult nvrtcGetSupportedArchs(int *__archs);

nvrtcResult nvrtcCreateProgram(nvrtcProgram *__program, const char *__source, const char *__name,
                               int __header_count, const char *const *__headers,
                               const char *const *__include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *__program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram __program, int __option_count,
                                const char *const *__options);

nvrtcResult nvrtcGetPTXSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetPTX(nvrtcProgram __program, char *__ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram __program, char *__cubin);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram __program, char *__ltoir);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram __program, char *__optix_ir);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram __program, size_t *__size);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram __program, char *__log);

nvrtcResult nvrtcAddNameExpression(nvrtcProgram __program, const char *__expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram __program, const char *__expression,
                                const char **__name);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* The name of a type for a name expression, if the program asks for it. */
#if defined(__cplusplus) && defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <stdlib.h>
#include <string>
#include <typeinfo>

inline nvrtcResult nvrtcGetTypeName(const std::type_info &__type, std::string *__result)
{
    int __status = 0;
    char *__name = abi::__cxa_demangle(__type.name(), nullptr, nullptr, &__status);
    if (__name == nullptr) {
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    *__result = __name;
    free(__name);
    return NVRTC_SUCCESS;
}

/* typeid drops const and references of a type, but not those of a template's argument. */
template <class __T> struct __cdp_nvrtc_type {
};
template <class __T> nvrtcResult nvrtcGetTypeName(std::string *__result)
{
    const nvrtcResult __got = nvrtcGetTypeName(typeid(__cdp_nvrtc_type<__T>), __result);
    if (__got == NVRTC_SUCCESS) {
        const size_t __from = __result->find('<') + 1;
        *__result = __result->substr(__from, __result->rfind('>') - __from);
    }
    return __got;
}
#endif

#endif
