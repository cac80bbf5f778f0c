/* size_t. Run-time compilation has no C header, but cdp/rtc.h. */
#ifndef __CDP_STDDEF_H
#define __CDP_STDDEF_H

#ifndef __CUDACC_RTC__
#include <stddef.h>
#endif

#endif
