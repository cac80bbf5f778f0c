/* cdpcc as a child process. The child gets the default signals: cdpcc waits for the ends of its own
 * children, and a program may ignore SIGCHLD. */
#include "jit/tool.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

extern char **environ;

char *cdp_tool_format(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = length >= 0 ? cdp_alloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(args);
    return text;
}

/* ---- Finding cdpcc ---- */

/* The path itself if it is a program, else NULL; the path is freed then. */
static char *if_program(char *path)
{
    struct stat info;
    if (path != NULL && stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
        access(path, X_OK) == 0) {
        return path;
    }
    cdp_free(path);
    return NULL;
}

/* ROOT/bin/cdpcc for ROOT/lib/libcdprt.so. */
static char *beside_library(void)
{
    Dl_info info;
    if (dladdr((void *)(uintptr_t)cdp_tool_find, &info) == 0 || info.dli_fname == NULL) {
        return NULL;
    }
    char *path = realpath(info.dli_fname, NULL);
    char *found = NULL;
    if (path != NULL) {
        for (int i = 0; i < 2; i++) {
            char *slash = strrchr(path, '/');
            *(slash != NULL ? slash : path) = '\0';
        }
        found = if_program(cdp_tool_format("%s/bin/cdpcc", path));
    }
    free(path);
    return found;
}

static char *on_path(void)
{
    const char *path = secure_getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        char *found = if_program(
            cdp_tool_format("%.*s/cdpcc", length == 0 ? 1 : (int)length, length == 0 ? "." : path));
        if (found != NULL) {
            return found;
        }
        path += length + (path[length] == ':');
    }
    return NULL;
}

char *cdp_tool_find(void)
{
    const char *named = secure_getenv("CDPCC");
    if (named != NULL && *named != '\0') {
        return if_program(cdp_tool_format("%s", named));
    }
    char *found = beside_library();
    return found != NULL ? found : on_path();
}

/* ---- Temporary files ---- */

char *cdp_tool_directory(void)
{
    const char *parent = secure_getenv("TMPDIR");
    char *path =
        cdp_tool_format("%s/cdp-jit-XXXXXX", parent != NULL && *parent != '\0' ? parent : "/tmp");
    if (path != NULL && mkdtemp(path) == NULL) {
        cdp_free(path);
        return NULL;
    }
    return path;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *state)
{
    (void)info, (void)kind, (void)state;
    (void)remove(path);
    return 0;
}

void cdp_tool_remove(char *directory)
{
    enum { DESCRIPTORS = 8 };
    if (directory != NULL) {
        nftw(directory, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
        cdp_free(directory);
    }
}

char *cdp_tool_read(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) {
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    size_t whole = (size_t)info.st_size, have = 0;
    char *bytes = cdp_alloc(whole + 1);
    ssize_t got = 1;
    while (bytes != NULL && have < whole && got > 0) {
        got = read(fd, bytes + have, whole - have);
        have += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    if (bytes != NULL) {
        bytes[have] = '\0';
        *size = have;
    }
    return bytes;
}

bool cdp_tool_write(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return false;
    }
    const char *at = bytes;
    bool good = true;
    while (size > 0 && good) {
        ssize_t written = write(fd, at, size);
        good = written > 0;
        at += good ? written : 0;
        size -= good ? (size_t)written : 0;
    }
    return close(fd) == 0 && good;
}

/* ---- Running it ---- */

/* The status of a child. A program may have a handler that waits for all children; then the status
 * is unknown, and the child counts as successful: what it should have written shows. */
static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return 0;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int cdp_tool_run(const char *const *argv, const char *messages)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, messages,
                                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    pid_t child;
    int failed = posix_spawn(&child, argv[0], &files, &attributes,
                             (char *const *)(const void *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) {
        errno = failed;
        return -1;
    }
    return wait_for(child);
}
