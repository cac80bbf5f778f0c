/* Device output. */
#include "exec/report/print.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "base/alloc.h"
#include "exec/report/fault.h"
#include "exec/report/format.h"
#include "exec/state/engine.h"
#include "exec/state/entry.h"
#include "exec/state/point.h"

/* If there is no limit, more output than this is written early. */
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

/* Makes space for more bytes at end.  False if there is none. */
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
    bool kept = make_room(output, sizeof length + length);
    if (kept) {
        memcpy(output->buffer + output->end, &length, sizeof length);
        memcpy(output->buffer + output->end + sizeof length, text, length);
        output->end += sizeof length + length;
        atomic_store_explicit(&output->has_text, true, memory_order_relaxed);
    } else if (output->limit == 0) {
        /* There is no memory to buffer the text, so it is printed now. */
        write_all(output);
        fwrite(text, 1, length, stdout);
        kept = true;
    }
    cdp_lock_release(&output->lock);
    return kept;
}

static bool keep_here(const char *text, size_t length)
{
    const struct cdp_block *block = cdp_block_of(cdp_abi_self);
    struct cdp_engine *engine = block->executor->engine;
    return keep(&engine->devices[cdp_grid_device(block->grid)].output, text, length);
}

/* The format as one line of a message. */
static void quote(const char *format, char *out, size_t size)
{
    static const char special[] = "\n\t\r\"\\", letters[] = "ntr\"\\";
    size_t used = 0;
    for (; *format != '\0' && used + sizeof "\\n..." < size; format++) {
        const char *found = strchr(special, *format);
        if (found != NULL) {
            out[used++] = '\\';
        }
        out[used++] = found != NULL ? letters[found - special] : *format;
    }
    snprintf(out + used, size - used, "%s", *format != '\0' ? "..." : "");
}

/* Reports each kind of problem once, because all threads of a kernel would report the same. */
static void tell_oddity(enum cdp_format_oddity oddity, const char *format)
{
    static const char *const texts[] = {
        [CDP_FORMAT_LACKS_ARGUMENT] =
            "lacks an argument, which is undefined on a GPU: the conversion without one is "
            "printed as it stands",
        [CDP_FORMAT_TOO_MANY_ARGUMENTS] =
            "has more than 32 arguments, which is all that CUDA's printf takes: conversions "
            "beyond are printed as they stand",
        [CDP_FORMAT_STAR_PRECISION] =
            "has * for a precision, which CUDA's printf has not: the conversion is printed as it "
            "stands, as by a GPU",
    };
    static atomic_flag said[sizeof texts / sizeof *texts];
    if (oddity == CDP_FORMAT_FINE || atomic_flag_test_and_set(&said[oddity])) {
        return;
    }
    char quoted[80];
    quote(format, quoted, sizeof quoted);
    cdp_fault_note(cdp_block_of(cdp_abi_self), cdp_abi_self, "printf(\"%s\") %s", quoted,
                   texts[oddity]);
}

/* Formats twice if the text is long.  So no memory is allocated while an invalid string pointer may
 * still fault. */
static int print(const char *format, va_list list, unsigned count)
{
    cdp_fault_check_stack(cdp_fiber_of(cdp_abi_self));
    if (format == NULL) {
        return -1;
    }
    char local[LOCAL], *large = NULL;
    struct cdp_format_text text = {.bytes = local, .size = sizeof local};
    struct cdp_format_arguments first = {.count = count}, again = {.count = count};
    va_copy(first.list, list);
    va_copy(again.list, list);
    struct cdp_format_result result = cdp_format(&text, format, &first);
    if (text.length >= text.size) {
        large = cdp_alloc(text.length + 1);
        text = (struct cdp_format_text){.bytes = large, .size = large ? text.length + 1 : 0};
        (void)cdp_format(&text, format, &again);
    }
    va_end(first.list);
    va_end(again.list);
    bool kept = text.bytes != NULL && keep_here(text.bytes, text.length);
    cdp_free(large);
    tell_oddity(result.oddity, format);
    cdp_schedule_point(cdp_block_of(cdp_abi_self));
    return kept ? result.parsed : -1;
}

int cdp_abi_vprintf(const char *format, va_list arguments)
{
    return print(format, arguments, UINT_MAX);
}

int cdp_abi_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = print(format, arguments, UINT_MAX);
    va_end(arguments);
    return result;
}

int cdp_abi_printf_counted(uint32_t count, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = print(format, arguments, count);
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
