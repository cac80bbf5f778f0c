/* Source lines for code addresses, by the machine's symbolizer.
 *
 * The runtime links no DWARF reader. Reports of faults are rare, and their readers have a compiler
 * installed, so another process costs less. */
#include "os/code.h"
#include "os/os.h"
#include "os/symbolizer.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* libstdc++'s, in every C++ program; C programs have none. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status)
    __attribute__((weak));

/* Ends the name before its parameters. Parentheses in template arguments do not count, and those of
 * "operator()" belong to the name. */
static void cut_parameters(char *name)
{
    static const char call[] = "operator()";
    int depth = 0;
    for (char *at = name; *at != '\0'; at++) {
        if (strncmp(at, call, strlen(call)) == 0) {
            at += strlen(call) - 1;
            continue;
        }
        depth += (*at == '<') - (*at == '>');
        if (*at == '(' && depth == 0) {
            *at = '\0';
            return;
        }
    }
}

void cdp_os_demangle(const char *name, char *out, size_t size)
{
    /* The prefixes of cdpcc's names for a kernel's entries, and for a vectorized function, which
     * may stand for a function with structures. */
    static const char *const entries[] = {"cdp.thread.",
                                          "cdp.block.",
                                          "cdp.one_row.",
                                          "cdp.rows.",
                                          "cdp.any.",
                                          "cdp.fixed1.",
                                          "cdp.fixed2.",
                                          "cdp.unit_one_row.",
                                          "cdp.unit_rows.",
                                          "cdp.unit_any.",
                                          "cdp.unit_fixed1.",
                                          "cdp.unit_fixed2.",
                                          "cdp.vector.cdp.split.",
                                          "cdp.vector."};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        size_t length = strlen(entries[i]);
        if (strncmp(name, entries[i], length) == 0) {
            name += length;
            break;
        }
    }
    int status = -1;
    snprintf(out, size, "%s", name);
    char *unit = strstr(out, "__intern__"); /* Clang's mark for the names of a unit's own kernels */
    if (unit != NULL) {
        *unit = '\0';
    }
    /* Other names would be taken for the codes of types. */
    bool is_mangled = strncmp(out, "_Z", 2) == 0 && __cxa_demangle != NULL;
    char *plain = is_mangled ? __cxa_demangle(out, NULL, NULL, &status) : NULL;
    if (status == 0) {
        snprintf(out, size, "%s", plain);
    }
    free(plain);
    cut_parameters(out);
    const char *bare =
        strncmp(out, "void ", 5) == 0 ? out + 5 : out; /* templates name their result */
    memmove(out, bare, strlen(bare) + 1);
}

bool cdp_os_is_own_header(const char *file)
{
    return strstr(file, "/include/cdpcc/") != NULL;
}

/* Splits "file:line", "file:line:column" or "file:line (discriminator 1)". The numbers are 0 if
 * they are not known ("?"). */
static void split_place(char *text, struct cdp_os_source *out)
{
    char *end_of_place = NULL; /* a path may have any text, so the last one counts */
    for (char *at = text; (at = strstr(at, " (discriminator ")) != NULL; at++) {
        end_of_place = at;
    }
    if (end_of_place != NULL) {
        *end_of_place = '\0';
    }
    uint32_t numbers[2] = {0, 0};
    int found = 0;
    for (char *colon; found < 2 && (colon = strrchr(text, ':')) != NULL; found++) {
        char *end;
        unsigned long number = strtoul(colon + 1, &end, 10);
        bool is_unknown = strcmp(colon + 1, "?") == 0;
        if (!is_unknown && (end == colon + 1 || *end != '\0')) {
            break;
        }
        numbers[1] = numbers[0];
        numbers[0] = (uint32_t)number;
        *colon = '\0';
    }
    snprintf(out->file, sizeof out->file, "%s", text);
    out->line = numbers[0];
    out->column = numbers[1];
}

/* Reads the symbolizer's output: two lines for each function, "function" and "file:line:column",
 * first the innermost one of those that were inlined. False if a part is missing or unknown. */
static bool read_lines(char *text, struct cdp_os_source *out)
{
    bool known = false;
    char *end;
    for (char *name = text; *name != '\0' && *name != '\n'; name = end + 1) {
        char *place = strchr(name, '\n');
        end = place == NULL ? NULL : strchr(place + 1, '\n');
        if (end == NULL || strncmp(name, "??", 2) == 0) {
            break;
        }
        *place++ = *end = '\0';
        *out = (struct cdp_os_source){.line = 0};
        cdp_os_demangle(name, out->function, sizeof out->function);
        if (strncmp(place, "??", 2) != 0) {
            split_place(place, out);
        }
        known = true;
        if (out->line != 0 && !cdp_os_is_own_header(out->file)) {
            break;
        }
    }
    return known;
}

static bool ask(const char *file, uintptr_t offset, struct cdp_os_source *out)
{
    static char text[8192]; /* the caller holds the lock */
    return (cdp_os_ask_llvm(file, offset, text, sizeof text) && read_lines(text, out)) ||
           (cdp_os_ask_gnu(file, offset, text, sizeof text) && read_lines(text, out));
}

const void *cdp_os_module_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

const char *cdp_os_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool cdp_os_is_of_c_library(const void *address)
{
    const char *file = cdp_os_module_file(address);
    return file != NULL && (strncmp(file, "libc.so", strlen("libc.so")) == 0 ||
                            strncmp(file, "libm.so", strlen("libm.so")) == 0);
}

const char *cdp_os_module_file(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 ? cdp_os_base_name(info.dli_fname) : NULL;
}

/* Looks up an address; if its line is not known, fallback gets the module and the offset. */
static void look_up(const void *address, struct cdp_os_source *out, char *fallback, size_t size)
{
    Dl_info info;
    struct link_map *map = NULL;
    *out = (struct cdp_os_source){.line = 0};
    if (address == NULL || dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0) {
        snprintf(fallback, size, "%p", address);
        return;
    }
    char self[1024] = "";
    const char *file = info.dli_fname;
    if (map != NULL && map->l_name[0] == '\0') {
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
        self[n > 0 ? n : 0] = '\0';
        file = self;
    }
    uintptr_t offset = (uintptr_t)address - (map != NULL ? map->l_addr : 0);
    /* A program with more privileges than its user must not run programs from the user's PATH. */
    bool may_ask = getauxval(AT_SECURE) == 0;
    if (!may_ask || !ask(file, offset, out)) {
        *out = (struct cdp_os_source){.line = 0};
        snprintf(fallback, size, "%s+0x%lx", file, (unsigned long)offset);
    }
}

/* A report of many threads names few lines, many times. The entries for an address are those from
 * its own on. */
enum { ENTRIES = 256, TRIES = 8 };
struct entry {
    const void *address;
    struct cdp_os_source source;
    char fallback[512];
};
static struct {
    pthread_mutex_t lock;
    struct entry entries[ENTRIES];
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The address's entry, or the one to replace. The caller holds the lock. */
static struct entry *find_entry(const void *address)
{
    size_t first = (size_t)((uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15) >> 56);
    for (size_t i = 0; i < TRIES; i++) {
        struct entry *entry = &cache.entries[(first + i) % ENTRIES];
        if (entry->address == NULL || entry->address == address) {
            return entry;
        }
    }
    return &cache.entries[first];
}

/* Copies the source line of an address, and the fallback if there is none. */
static void look_up_cached(const void *address, struct cdp_os_source *out, char *fallback,
                           size_t size)
{
    pthread_mutex_lock(&cache.lock);
    struct entry *entry = find_entry(address);
    if (address == NULL || entry->address != address) {
        look_up(address, &entry->source, entry->fallback, sizeof entry->fallback);
        entry->address = address;
    }
    *out = entry->source;
    snprintf(fallback, size, "%s", entry->fallback);
    pthread_mutex_unlock(&cache.lock);
}

bool cdp_os_source_at(const void *address, struct cdp_os_source *out)
{
    char unused[1];
    look_up_cached(address, out, unused, sizeof unused);
    return out->function[0] != '\0';
}

void cdp_os_symbolize(const void *address, char *out, size_t size)
{
    struct cdp_os_source source;
    look_up_cached(address, &source, out, size);
    if (source.function[0] == '\0') {
        return;
    }
    const char *file = cdp_os_base_name(source.file);
    if (source.line == 0) {
        snprintf(out, size, "%s", source.function);
    } else if (source.column == 0) {
        snprintf(out, size, "%s (%s:%u)", source.function, file, source.line);
    } else {
        snprintf(out, size, "%s (%s:%u:%u)", source.function, file, source.line, source.column);
    }
}
