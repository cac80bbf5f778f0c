/* How two processes of one run do not overwrite each other's file: whoever writes a file holds its
 * lock, and a file that has changed since this process started belongs to another process of the
 * same run. A file of an earlier run is older, and is replaced. */
#include "os/report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "os/os.h"

/* When the runtime was loaded; a child of fork has its parent's. Const afterwards. */
static struct timespec loaded;

__attribute__((constructor)) static void note_time(void)
{
    clock_gettime(CLOCK_REALTIME, &loaded);
}

/* ---- Names ---- */

/* What "%q{NAME}..." stands for. NULL: it is no such sign. *length is that of the sign. */
static const char *variable_at(const char *sign, size_t *length)
{
    const char *end = strncmp(sign, "%q{", 3) == 0 ? strchr(sign, '}') : NULL;
    char name[256];
    if (end == NULL || (size_t)(end - sign - 3) >= sizeof name) {
        return NULL;
    }
    *length = (size_t)(end - sign) + 1;
    snprintf(name, sizeof name, "%.*s", (int)(end - sign - 3), sign + 3);
    const char *value = secure_getenv(name);
    if (value == NULL) {
        fprintf(stderr, "cdp: the environment has no variable %s for the name of a file\n", name);
    }
    return value != NULL ? value : "";
}

/* What the sign stands for; other signs stay. buffer has the value, if it is none of the
 * environment. */
static const char *value_at(const char *sign, size_t *length, char *buffer, size_t size)
{
    const char *variable = variable_at(sign, length);
    if (variable != NULL) {
        return variable;
    }
    *length = 2;
    if (sign[1] == 'p') {
        snprintf(buffer, size, "%u", cdp_os_process_number());
    } else if (sign[1] != 'h' || gethostname(buffer, size) != 0) {
        *length = 1 + (sign[1] == '%');
        snprintf(buffer, size, "%%");
    }
    buffer[size - 1] = '\0';
    return buffer;
}

/* False: the name is too long. */
static bool expand(const char *name, char *out, size_t size)
{
    size_t used = 0;
    while (*name != '\0') {
        char buffer[256];
        size_t length = strcspn(name, "%");
        const char *from = name;
        name += length;
        if (length == 0) {
            size_t sign;
            from = value_at(name, &sign, buffer, sizeof buffer);
            length = strlen(from);
            name += sign;
        }
        if (used + length >= size) {
            return false;
        }
        memcpy(out + used, from, length);
        used += length;
    }
    out[used] = '\0';
    return true;
}

/* run.json becomes run.1234.json. False: the name is too long. */
static bool add_process(char *path, size_t size)
{
    char ending[CDP_OS_MOST_PATH];
    char *base = strrchr(path, '/');
    base = base != NULL ? base + 1 : path;
    char *dot = strrchr(base, '.');
    char *at = dot != NULL && dot != base ? dot : base + strlen(base);
    size_t room = size - (size_t)(at - path);
    snprintf(ending, sizeof ending, "%s", at);
    return snprintf(at, room, ".%u%s", cdp_os_process_number(), ending) < (int)room;
}

/* ---- Files ---- */

static bool is_newer(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Whether another process of this run writes the file, or has written it. Otherwise this process
 * has the lock, if the file system has locks. */
static bool is_taken(int file)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false; /* pipes and terminals are for all */
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return true;
    }
    return fstat(file, &status) == 0 && status.st_size != 0 && is_newer(&status.st_mtim, &loaded);
}

static int open_to_write(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
}

/* Opens the file of this process in place of the one that is taken. */
static int open_other(struct cdp_os_report *report, int taken)
{
    char first[CDP_OS_MOST_PATH];
    close(taken);
    memcpy(first, report->path, sizeof first);
    if (!add_process(report->path, sizeof report->path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fprintf(stderr,
            "cdp: %s: another process writes '%s', so this one writes '%s' (%%p in the name is the "
            "process's number)\n",
            report->variable, first, report->path);
    return open_to_write(report->path);
}

static FILE *open_report(struct cdp_os_report *report, const char *name)
{
    if (!expand(name, report->path, sizeof report->path)) {
        snprintf(report->path, sizeof report->path, "%s", name);
        errno = ENAMETOOLONG;
        return NULL;
    }
    int file = open_to_write(report->path);
    if (file >= 0 && is_taken(file)) {
        file = open_other(report, file);
    }
    if (file < 0) {
        return NULL;
    }
    (void)!ftruncate(file, 0); /* a pipe cannot */
    return fdopen(file, "w");
}

static void say_unwritable(const struct cdp_os_report *report)
{
    fprintf(stderr, "cdp: the file '%s' of %s cannot be written: %s\n", report->path,
            report->variable, strerror(errno));
}

bool cdp_os_report_open(struct cdp_os_report *report, const char *variable, const char *name)
{
    report->variable = variable;
    report->file = open_report(report, name);
    if (report->file == NULL) {
        say_unwritable(report);
    }
    return report->file != NULL;
}

void cdp_os_report_close(struct cdp_os_report *report)
{
    bool has_failed = report->file != NULL && ferror(report->file) != 0;
    if (report->file != NULL && (fclose(report->file) != 0 || has_failed)) {
        say_unwritable(report);
    }
    report->file = NULL;
}
