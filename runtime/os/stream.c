/* Copies with nontemporal stores: the destination is not read first and does not displace cached
 * data. */
#include "os/os.h"

#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>

enum { LINE = 64, WORDS = LINE / 16 };

/* Copies whole cache lines to aligned addresses. */
static void copy_lines(char *to, const char *from, size_t lines)
{
    for (; lines != 0; lines--, to += LINE, from += LINE) {
        __m128i words[WORDS];
        for (int i = 0; i < WORDS; i++) {
            words[i] = _mm_loadu_si128((const __m128i *)(const void *)from + i);
        }
        for (int i = 0; i < WORDS; i++) {
            _mm_stream_si128((__m128i *)(void *)to + i, words[i]);
        }
    }
    _mm_sfence(); /* before other threads are notified that the copy is complete */
}

void cdp_os_copy_past_caches(void *to, const void *from, size_t bytes)
{
    size_t head = -(uintptr_t)to % LINE;
    if (bytes < head + LINE) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, head);
    size_t lines = (bytes - head) / LINE;
    copy_lines((char *)to + head, (const char *)from + head, lines);
    size_t done = head + lines * LINE;
    memcpy((char *)to + done, (const char *)from + done, bytes - done);
}
#else
void cdp_os_copy_past_caches(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif
