/* What the runtime offers for NVTX. The references are weak: a program without the runtime, such as
 * a C program that only includes nvToolsExt.h, calls nothing. */
#ifndef __CDP_NVTX_ABI_H
#define __CDP_NVTX_ABI_H

#include <stdint.h>
#include <wchar.h>

#include "nvtx_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __CDP_NVTX_DEFINES
#define __CDP_NVTX
#else
#define __CDP_NVTX __attribute__((__weak__))
#endif
/* Texts that live as long as the program: equal texts have one address. NULL without memory. */
__CDP_NVTX const char *__cdp_nvtx_text(const char *__text);
__CDP_NVTX const char *__cdp_nvtx_wide_text(const wchar_t *__text);
/* domain: such a text, or NULL. */
__CDP_NVTX int __cdp_nvtx_push(const char *__domain, const char *__text);
/* The same with the attributes of an event, beside its message: category, colour, payload. */
__CDP_NVTX int __cdp_nvtx_push_event(const char *__domain, const char *__text,
                                     const nvtxEventAttributes_t *__event);
__CDP_NVTX void __cdp_nvtx_mark_event(const char *__domain, const char *__text,
                                      const nvtxEventAttributes_t *__event);
__CDP_NVTX uint64_t __cdp_nvtx_start_event(const char *__domain, const char *__text,
                                           const nvtxEventAttributes_t *__event);
__CDP_NVTX int __cdp_nvtx_pop(const char *__domain);
__CDP_NVTX void __cdp_nvtx_mark(const char *__domain, const char *__text);
__CDP_NVTX uint64_t __cdp_nvtx_start(const char *__domain, const char *__text);
__CDP_NVTX void __cdp_nvtx_end(uint64_t __id);
__CDP_NVTX void __cdp_nvtx_name_category(const char *__domain, uint32_t __category,
                                         const char *__text);
__CDP_NVTX void __cdp_nvtx_name_thread(uint32_t __number, const char *__text);
__CDP_NVTX void __cdp_nvtx_name_stream(const void *__stream, const char *__text);
#undef __CDP_NVTX
#ifdef __cplusplus
}
#endif

#endif
