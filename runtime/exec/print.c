/* Device output. */
#include "exec/print.h"

#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "base/alloc.h"
#include "exec/entry.h"
#include "exec/executor.h"
#include "exec/fault.h"
#include "exec/replay.h"

/* Without a limit, output beyond this is written early rather than kept. */
enum { KEPT = 1 << 20, LOCAL = 1024 };

void cdp_output_init(struct cdp_output *output)
{
    cdp_lock_init(&output->lock, CDP_RANK_OUTPUT);
}

static void write_all(struct cdp_output *output) CDP_NEEDS(&output->lock)
{
    while (output->start < output->end) {
        size_t length;
        memcpy(&length, output->buffer + output->start, sizeof length);
        output->start += sizeof length;
        fwrite(output->buffer + output->start, 1, length, stdout);
        output->start += length;
    }
    output->start = output->end = 0;
    atomic_store_explicit(&output->has_text, false, memory_order_relaxed);
    fflush(stdout);
}

void cdp_output_flush(struct cdp_output *output)
{
    if (!atomic_load_explicit(&output->has_text, memory_order_relaxed)) {
        return;
    }
    cdp_lock_acquire(&output->lock);
    if (output->start < output->end) {
        write_all(output);
    }
    cdp_lock_release(&output->lock);
}

void cdp_output_finish(struct cdp_output *output)
{
    cdp_output_flush(output);
    cdp_lock_acquire(&output->lock);
    cdp_free(output->buffer);
    output->buffer = NULL;
    output->capacity = 0;
    cdp_lock_release(&output->lock);
    cdp_lock_finish(&output->lock);
}

static void drop_oldest(struct cdp_output *output) CDP_NEEDS(&output->lock)
{
    size_t length;
    memcpy(&length, output->buffer + output->start, sizeof length);
    output->start += sizeof length + length;
}

/* Room for bytes more at end, or false. */
static bool make_room(struct cdp_output *output, size_t bytes) CDP_NEEDS(&output->lock)
{
    while (output->limit != 0 && output->start < output->end &&
           output->end - output->start + bytes > output->limit) {
        drop_oldest(output);
    }
    if (output->end + bytes <= output->capacity) {
        return true;
    }
    if (output->start > 0) {
        memmove(output->buffer, output->buffer + output->start, output->end - output->start);
        output->end -= output->start;
        output->start = 0;
    }
    if (output->end + bytes <= output->capacity) {
        return true;
    }
    size_t capacity = (output->end + bytes) * 2;
    char *buffer = cdp_realloc(output->buffer, capacity);
    if (buffer == NULL) {
        return false;
    }
    output->buffer = buffer;
    output->capacity = capacity;
    return true;
}

static bool keep(struct cdp_output *output, const char *text, size_t length)
{
    cdp_lock_acquire(&output->lock);
    if (output->limit == 0 && output->end - output->start > KEPT) {
        write_all(output);
    }
    bool room = make_room(output, sizeof length + length);
    if (room) {
        memcpy(output->buffer + output->end, &length, sizeof length);
        memcpy(output->buffer + output->end + sizeof length, text, length);
        output->end += sizeof length + length;
        atomic_store_explicit(&output->has_text, true, memory_order_relaxed);
    } else if (output->limit == 0) {
        /* No memory to keep it: print it now rather than lose it. */
        write_all(output);
        fwrite(text, 1, length, stdout);
        room = true;
    }
    cdp_lock_release(&output->lock);
    return room;
}

static bool keep_here(const char *text, size_t length)
{
    return keep(&cdp_block_of(cdp_abi_self)->executor->engine->output, text, length);
}

/* What CUDA's printf returns: the number of arguments the format names. */
static int count_arguments(const char *format)
{
    int count = 0;
    for (const char *p = format; *p != '\0'; p++) {
        if (*p != '%') {
            continue;
        }
        if (p[1] == '%') {
            p++;
            continue;
        }
        for (p++; *p != '\0' && strchr("diouxXeEfFgGaAcspn", *p) == NULL; p++) {
            count += *p == '*';
        }
        count++;
        if (*p == '\0') {
            break;
        }
    }
    return count;
}

int cdp_abi_vprintf(const char *format, va_list arguments)
{
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (format == NULL) {
        return -1;
    }
    char local[LOCAL];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(local, sizeof local, format, arguments);
    bool kept = false;
    if (length >= 0 && (size_t)length < sizeof local) {
        kept = keep_here(local, (size_t)length);
    } else if (length >= 0) {
        char *large = cdp_alloc((size_t)length + 1);
        if (large != NULL) {
            vsnprintf(large, (size_t)length + 1, format, again);
            kept = keep_here(large, (size_t)length);
            cdp_free(large);
        }
    }
    va_end(again);
    cdp_replay_point(cdp_block_of(cdp_abi_self));
    return kept ? count_arguments(format) : -1;
}

int cdp_abi_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = cdp_abi_vprintf(format, arguments);
    va_end(arguments);
    return result;
}

int cdp_abi_puts(const char *text)
{
    return cdp_abi_printf("%s\n", text) >= 0 ? 1 : -1;
}

int cdp_abi_putchar(int character)
{
    char text = (char)character;
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    return keep_here(&text, 1) ? character : -1;
}
