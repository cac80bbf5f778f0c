/* Choices and text. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

void start_choices(uint64_t number)
{
    state = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 4; i++) {
        below(2);
    }
}

unsigned below(unsigned limit)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % limit;
}

bool chance(unsigned percent)
{
    return below(100) < percent;
}

const char *one_of(const char *const *texts, unsigned count)
{
    return texts[below(count)];
}

int indent, muted;

void line(const char *format, ...)
{
    va_list arguments;
    if (muted > 0) {
        return;
    }
    va_start(arguments, format);
    printf("%*s", indent * 4, "");
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

enum { BUFFERS = 1024, LENGTH = 8192 };

char *text(const char *format, ...)
{
    static char buffers[BUFFERS][LENGTH];
    static unsigned next;
    char *buffer = buffers[next++ % BUFFERS];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(buffer, LENGTH, format, arguments);
    va_end(arguments);
    if (length >= LENGTH) {
        fprintf(stderr, "generate: an expression is too long\n");
        exit(3);
    }
    return buffer;
}
