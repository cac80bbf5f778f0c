/* NVTX: ranges and marks of the program, and names of its threads and streams. They are seen in
 * CDP_TRACE and CDP_PROFILE. Resources are accepted and not shown. The reference is "NVIDIA Tools Extension Library (NVTX)". */
#ifndef __CDP_NVTOOLSEXT_H
#define __CDP_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "cdp/nvtx_abi.h"
#include "cdp/nvtx_types.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline void nvtxInitialize(const void *__reserved)
{
    (void)__reserved;
}

/* ---- Texts: strings of the program, or those that it has registered ---- */

static inline const char *__cdp_nvtx_ascii(const char *__text)
{
    return __cdp_nvtx_text && __text ? __cdp_nvtx_text(__text) : NULL;
}
static inline const char *__cdp_nvtx_wide(const wchar_t *__text)
{
    return __cdp_nvtx_wide_text && __text ? __cdp_nvtx_wide_text(__text) : NULL;
}
static inline const char *__cdp_nvtx_message(const nvtxEventAttributes_t *__event)
{
    if (!__event || __event->messageType == NVTX_MESSAGE_UNKNOWN) {
        return NULL;
    }
    if (__event->messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
        return (const char *)__event->message.registered;
    }
    return __event->messageType == NVTX_MESSAGE_TYPE_UNICODE
               ? __cdp_nvtx_wide(__event->message.unicode)
               : __cdp_nvtx_ascii(__event->message.ascii);
}
static inline const char *__cdp_nvtx_domain(nvtxDomainHandle_t __domain)
{
    return (const char *)__domain;
}

/* ---- Domains ---- */

static inline nvtxDomainHandle_t nvtxDomainCreateA(const char *__name)
{
    return (nvtxDomainHandle_t)(uintptr_t)__cdp_nvtx_ascii(__name);
}
static inline nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *__name)
{
    return (nvtxDomainHandle_t)(uintptr_t)__cdp_nvtx_wide(__name);
}
static inline void nvtxDomainDestroy(nvtxDomainHandle_t __domain)
{
    (void)__domain;
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t __domain,
                                                           const char *__text)
{
    (void)__domain;
    return (nvtxStringHandle_t)(uintptr_t)__cdp_nvtx_ascii(__text);
}
static inline nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t __domain,
                                                           const wchar_t *__text)
{
    (void)__domain;
    return (nvtxStringHandle_t)(uintptr_t)__cdp_nvtx_wide(__text);
}

/* ---- Marks ---- */

static inline void nvtxDomainMarkEx(nvtxDomainHandle_t __domain,
                                    const nvtxEventAttributes_t *__event)
{
    if (__cdp_nvtx_mark_event) {
        __cdp_nvtx_mark_event(__cdp_nvtx_domain(__domain), __cdp_nvtx_message(__event), __event);
    }
}
static inline void nvtxMarkEx(const nvtxEventAttributes_t *__event)
{
    nvtxDomainMarkEx(NULL, __event);
}
static inline void nvtxMarkA(const char *__text)
{
    if (__cdp_nvtx_mark) {
        __cdp_nvtx_mark(NULL, __cdp_nvtx_ascii(__text));
    }
}
static inline void nvtxMarkW(const wchar_t *__text)
{
    if (__cdp_nvtx_mark) {
        __cdp_nvtx_mark(NULL, __cdp_nvtx_wide(__text));
    }
}

/* ---- Ranges that nest within a thread. They return their depth, from 0 on ---- */

static inline int nvtxDomainRangePushEx(nvtxDomainHandle_t __domain,
                                        const nvtxEventAttributes_t *__event)
{
    return __cdp_nvtx_push_event ? __cdp_nvtx_push_event(__cdp_nvtx_domain(__domain),
                                                         __cdp_nvtx_message(__event), __event)
                                 : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *__event)
{
    return nvtxDomainRangePushEx(NULL, __event);
}
static inline int nvtxRangePushA(const char *__text)
{
    return __cdp_nvtx_push ? __cdp_nvtx_push(NULL, __cdp_nvtx_ascii(__text))
                           : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePushW(const wchar_t *__text)
{
    return __cdp_nvtx_push ? __cdp_nvtx_push(NULL, __cdp_nvtx_wide(__text))
                           : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxDomainRangePop(nvtxDomainHandle_t __domain)
{
    return __cdp_nvtx_pop ? __cdp_nvtx_pop(__cdp_nvtx_domain(__domain)) : NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePop(void)
{
    return nvtxDomainRangePop(NULL);
}

/* ---- Ranges that may overlap, and end in another thread ---- */

static inline nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t __domain,
                                                   const nvtxEventAttributes_t *__event)
{
    return __cdp_nvtx_start_event ? __cdp_nvtx_start_event(__cdp_nvtx_domain(__domain),
                                                           __cdp_nvtx_message(__event), __event)
                                  : 0;
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *__event)
{
    return nvtxDomainRangeStartEx(NULL, __event);
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *__text)
{
    return __cdp_nvtx_start ? __cdp_nvtx_start(NULL, __cdp_nvtx_ascii(__text)) : 0;
}
static inline nvtxRangeId_t nvtxRangeStartW(const wchar_t *__text)
{
    return __cdp_nvtx_start ? __cdp_nvtx_start(NULL, __cdp_nvtx_wide(__text)) : 0;
}
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t __domain, nvtxRangeId_t __id)
{
    (void)__domain;
    if (__cdp_nvtx_end) {
        __cdp_nvtx_end(__id);
    }
}
static inline void nvtxRangeEnd(nvtxRangeId_t __id)
{
    nvtxDomainRangeEnd(NULL, __id);
}

/* ---- Names ---- */

static inline void nvtxNameOsThreadA(uint32_t __number, const char *__name)
{
    if (__cdp_nvtx_name_thread) {
        __cdp_nvtx_name_thread(__number, __cdp_nvtx_ascii(__name));
    }
}
static inline void nvtxNameOsThreadW(uint32_t __number, const wchar_t *__name)
{
    if (__cdp_nvtx_name_thread) {
        __cdp_nvtx_name_thread(__number, __cdp_nvtx_wide(__name));
    }
}
static inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t __domain, uint32_t __category,
                                           const char *__name)
{
    if (__cdp_nvtx_name_category) {
        __cdp_nvtx_name_category(__cdp_nvtx_domain(__domain), __category, __cdp_nvtx_ascii(__name));
    }
}
static inline void nvtxDomainNameCategoryW(nvtxDomainHandle_t __domain, uint32_t __category,
                                           const wchar_t *__name)
{
    if (__cdp_nvtx_name_category) {
        __cdp_nvtx_name_category(__cdp_nvtx_domain(__domain), __category, __cdp_nvtx_wide(__name));
    }
}
static inline void nvtxNameCategoryA(uint32_t __category, const char *__name)
{
    nvtxDomainNameCategoryA(NULL, __category, __name);
}
static inline void nvtxNameCategoryW(uint32_t __category, const wchar_t *__name)
{
    nvtxDomainNameCategoryW(NULL, __category, __name);
}
static inline nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t __domain,
                                                            nvtxResourceAttributes_t *__attributes)
{
    (void)__domain, (void)__attributes;
    return NULL;
}
static inline void nvtxDomainResourceDestroy(nvtxResourceHandle_t __resource)
{
    (void)__resource;
}

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif

#endif
