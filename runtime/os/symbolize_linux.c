/* Source lines for code addresses, by the machine's symbolizer.
 *
 * The runtime links no DWARF reader. Reports of faults are rare, and their readers have a compiler
 * installed, so a child process costs less. */
#include "os/code.h"
#include "os/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Runs argv and reads the start of its stdout; false if it cannot run or prints nothing. Its exit
 * status is ignored: llvm-symbolizer 22 sometimes aborts ("pure virtual method called") after it
 * has printed its result. */
static bool run_and_read(char *const argv[], char *out, size_t size)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    size_t used = 0;
    ssize_t got = failed ? 0 : 1;
    while (used + 1 < size && (got > 0 || (got < 0 && errno == EINTR))) {
        got = read(ends[0], out + used, size - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    close(ends[0]);
    out[used] = '\0';
    while (!failed && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return !failed && used > 0;
}

/* libstdc++'s, in every C++ program; C programs have none. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status)
    __attribute__((weak));

/* Ends the name before its parameters. Parentheses in template arguments do not count. */
static void cut_parameters(char *name)
{
    int depth = 0;
    for (char *at = name; *at != '\0'; at++) {
        depth += (*at == '<') - (*at == '>');
        if (*at == '(' && depth == 0) {
            *at = '\0';
            return;
        }
    }
}

void cdp_os_demangle(const char *name, char *out, size_t size)
{
    /* The prefixes of cdpcc's names for a kernel's entries. */
    static const char *const entries[] = {"cdp.thread.", "cdp.block.",  "cdp.one_row.", "cdp.rows.",
                                          "cdp.any.",    "cdp.fixed1.", "cdp.fixed2."};
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
    char *plain = __cxa_demangle != NULL ? __cxa_demangle(out, NULL, NULL, &status) : NULL;
    if (status == 0) {
        snprintf(out, size, "%s", plain);
    }
    free(plain);
    cut_parameters(out);
    const char *bare =
        strncmp(out, "void ", 5) == 0 ? out + 5 : out; /* templates name their result */
    memmove(out, bare, strlen(bare) + 1);
}

/* Converts "function\nfile:line[:column]\n" to "function (file:line)"; line 0 means no line. False
 * if a part is missing or unknown. */
static bool join_lines(char *text, char *out, size_t size)
{
    char *place = strchr(text, '\n'), *end = place == NULL ? NULL : strchr(place + 1, '\n');
    if (end == NULL || strncmp(text, "??", 2) == 0) {
        return false;
    }
    *place++ = *end = '\0';
    char name[512];
    cdp_os_demangle(text, name, sizeof name);
    bool known = strncmp(place, "??", 2) != 0 && strstr(place, ":0:") == NULL;
    snprintf(out, size, known ? "%s (%s)" : "%s", name, place);
    return true;
}

static bool ask(const char *file, uintptr_t offset, char *out, size_t size)
{
    char address[32], text[1024];
    snprintf(address, sizeof address, "0x%lx", (unsigned long)offset);
    char *llvm[] = {"llvm-symbolizer-22", "-s", "-e", (char *)file, address, NULL};
    char *gnu[] = {"addr2line", "-s", "-f", "-C", "-e", (char *)file, address, NULL};
    if (run_and_read(llvm, text, sizeof text) && join_lines(text, out, size)) {
        return true;
    }
    return run_and_read(gnu, text, sizeof text) && join_lines(text, out, size);
}

const void *cdp_os_module_of(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

static void symbolize(const void *address, char *out, size_t size)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (address == NULL || dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0) {
        snprintf(out, size, "%p", address);
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
    if (!may_ask || !ask(file, offset, out, size)) {
        snprintf(out, size, "%s+0x%lx", file, (unsigned long)offset);
    }
}

void cdp_os_symbolize(const void *address, char *out, size_t size)
{
    /* A report of many threads names few lines, many times. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        const void *address;
        char text[512];
    } cache[32];
    size_t at = ((uintptr_t)address >> 2) % (sizeof cache / sizeof *cache);
    pthread_mutex_lock(&lock);
    if (address == NULL || cache[at].address != address) {
        symbolize(address, cache[at].text, sizeof cache[at].text);
        cache[at].address = address;
    }
    snprintf(out, size, "%s", cache[at].text);
    pthread_mutex_unlock(&lock);
}
