/* Calls of the API in words. */
#include "api/call_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "api/register.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "os/code.h"

static const struct {
    const char *function, *arguments;
} calls[] = {
#define CDP_CALL(function, arguments) {#function, arguments},
#include "api/calls.def"
#undef CDP_CALL
};

/* Text in a buffer of the caller. */
struct words {
    char *text;
    size_t size, used;
};

/* A call while it is described. On the stack of cdp_call_describe. */
struct description {
    struct words call, memory;
    const char *function;
    const char *name; /* of the current argument */
    int length;       /* of name */
    va_list list;     /* the arguments from the current one on */
};

static void add(struct words *words, const char *format, ...) CDP_PRINTF(2, 3);
static void add(struct words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(words->text + words->used, words->size - words->used, format, arguments);
    va_end(arguments);
    words->used += (size_t)length;
    if (words->used >= words->size) {
        words->used = words->size - 1;
    }
}

static const char *arguments_of(const char *function)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(calls[i].function, function) == 0) {
            return calls[i].arguments;
        }
    }
    return NULL;
}

/* "device memory", "host memory". */
static const char *noun_of(const void *address)
{
    struct cdp_memory memory;
    cdp_memmap_find(address, &memory);
    switch (memory.space) {
    case CDP_SPACE_HOST:
        return "host memory";
    case CDP_SPACE_DEVICE:
        return memory.size == 0                    ? "memory that is not allocated,"
               : memory.kind == CDP_MEMORY_PINNED  ? "pinned host memory"
               : memory.kind == CDP_MEMORY_MANAGED ? "managed memory"
                                                   : "device memory";
    case CDP_SPACE_HEAP:
        return "the device heap,";
    case CDP_SPACE_REGISTERED:
        return "registered host memory";
    case CDP_SPACE_VARIABLE:
        return "a device variable,";
    case CDP_SPACE_CONSTANT:
        return "a constant variable,";
    case CDP_SPACE_SHARED:
        return "a block's shared memory,";
    case CDP_SPACE_LOCAL:
        return "a device thread's local memory,";
    }
    return "memory";
}

static void add_memory(struct description *d, const void *address)
{
    char what[600];
    if (address == NULL) {
        add(&d->call, "NULL");
        return;
    }
    add(&d->call, "%s %p", noun_of(address), address);
    if (cdp_memmap_space(address) != CDP_SPACE_HOST &&
        cdp_describe_address(address, what, sizeof what)) {
        add(&d->memory, "%s%.*s is %s", d->memory.used != 0 ? "; " : "", d->length, d->name, what);
    }
}

static void add_freed(struct description *d, const void *address)
{
    char why[900];
    add(&d->call, "%p", address);
    enum cdp_freer freer =
        strcmp(d->function, "cudaFreeHost") == 0 ? CDP_FREES_PINNED : CDP_FREES_DEVICE;
    cdp_describe_wrong_free(address, freer, why, sizeof why);
    add(&d->memory, "%s", why);
}

static void add_variable(struct words *call, const void *symbol)
{
    const struct cdp_abi_variable *variable = cdp_registry_find_variable(symbol);
    char name[256];
    if (variable == NULL) {
        add(call, "%p, which is no device variable", symbol);
        return;
    }
    cdp_os_demangle(variable->name, name, sizeof name);
    add(call, "variable '%s' of %zu bytes", name, (size_t)variable->size);
}

static void add_kernel(struct words *call, const void *function)
{
    const struct cdp_abi_kernel *kernel = cdp_registry_find_kernel(function);
    char name[256];
    if (kernel == NULL) {
        add(call, "%p, which is no kernel", function);
        return;
    }
    cdp_os_demangle(kernel->name, name, sizeof name);
    add(call, "%s", name);
}

static void add_kind(struct words *call, int kind)
{
    static const char *const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                        "cudaMemcpyDefault"};
    if (kind >= 0 && (size_t)kind < sizeof names / sizeof *names) {
        add(call, "%s", names[kind]);
    } else {
        add(call, "%d", kind);
    }
}

/* Reads one argument. */
static void add_argument(struct description *d, char letter)
{
    switch (letter) {
    case 'p':
        add_memory(d, va_arg(d->list, const void *));
        break;
    case 'f':
        add_freed(d, va_arg(d->list, const void *));
        break;
    case 'y':
        add_variable(&d->call, va_arg(d->list, const void *));
        break;
    case 'n':
        add_kernel(&d->call, va_arg(d->list, const void *));
        break;
    case 'k':
        add_kind(&d->call, va_arg(d->list, int));
        break;
    case 'i':
        add(&d->call, "%d", va_arg(d->list, int));
        break;
    case 'u':
        add(&d->call, "%u", va_arg(d->list, unsigned));
        break;
    case 'z':
        add(&d->call, "%zu", va_arg(d->list, size_t));
        break;
    default: /* o, h, s, e */
        add(&d->call, "%p", va_arg(d->list, const void *));
        break;
    }
}

void cdp_call_describe(const char *function, va_list arguments, struct cdp_call_words *out)
{
    const char *at = arguments_of(function);
    struct description d = {.call = {.text = out->call, .size = sizeof out->call},
                            .memory = {.text = out->memory, .size = sizeof out->memory},
                            .function = function};
    out->memory[0] = '\0';
    va_copy(d.list, arguments);
    add(&d.call, "%s(%s", function, at == NULL ? "..." : "");
    while (at != NULL && *at != '\0') {
        d.name = at;
        d.length = (int)strcspn(at, ":");
        add(&d.call, "%.*s = ", d.length, at);
        add_argument(&d, at[d.length + 1]);
        at += d.length + 2;
        at += *at == ' ';
        add(&d.call, "%s", *at != '\0' ? ", " : "");
    }
    va_end(d.list);
    add(&d.call, ")");
}

static bool starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

const char *cdp_call_advice(const char *function, cudaError_t error)
{
    switch ((int)error) {
    case cudaErrorInvalidSymbol:
        return "give the __device__ or __constant__ variable itself, not a host variable, an "
               "address or a name in quotes";
    case cudaErrorInvalidMemcpyDirection:
        return "let the kind say where both pointers point, or use cudaMemcpyDefault";
    case cudaErrorMemoryAllocation:
        return "free what is no longer used, or allocate less";
    case cudaErrorInvalidResourceHandle:
        return "create it before the call, and do not use it after it was destroyed";
    case cudaErrorNotReady:
        return strcmp(function, "cudaEventElapsedTime") == 0
                   ? "call cudaEventSynchronize() for the second event first, and record both"
                   : "wait until the work is complete";
    case cudaErrorInvalidValue:
        return starts(function, "cudaFree")
                   ? "free each allocation once, by the call that belongs to it"
               : starts(function, "cudaMemcpy")
                   ? "compare the size with both allocations, and the kind with their memories"
               : starts(function, "cudaMemset")
                   ? "compare the size with the allocation; host memory is set by memset()"
                   : NULL;
    default:
        return NULL;
    }
}
