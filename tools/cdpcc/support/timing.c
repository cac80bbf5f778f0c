/* One line for each measurement, in one write: lines of several processes do not mix. A line that
 * cannot be written is lost, since a measurement must not make a compilation fail. */
#include "support/timing.h"

#include "support/str.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static int file = -1;

void timing_start(const char *path)
{
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

bool timing_is_on(void)
{
    return file >= 0;
}

int64_t timing_now(void)
{
    struct timespec now = {0};
    if (timing_is_on()) {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    }
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t timing_of_children(void)
{
    struct rusage usage = {0};
    if (timing_is_on()) {
        getrusage(RUSAGE_CHILDREN, &usage);
    }
    return timing_of(&usage);
}

int64_t timing_of(const struct rusage *usage)
{
    int64_t seconds = (int64_t)usage->ru_utime.tv_sec + usage->ru_stime.tv_sec;
    return seconds * 1000000 + usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
}

/* A file's name may have tabs and ends of lines, which separate the fields. */
static const char *one_word(const char *name)
{
    char *result = str_copy(name, strlen(name));
    for (char *at = result; (at = strpbrk(at, "\t\n")) != NULL;) {
        *at = '?';
    }
    return result;
}

void timing_add(enum timing_section section, const char *name, const char *about,
                int64_t microseconds)
{
    if (!timing_is_on()) {
        return;
    }
    const char *line = str_format("%d\t%lld\t%s\t%s\n", (int)section, (long long)microseconds,
                                  one_word(name), one_word(about));
    ssize_t written = write(file, line, strlen(line));
    (void)written;
}

void timing_add_since(enum timing_section section, const char *name, const char *about,
                      int64_t begun)
{
    if (timing_is_on()) {
        timing_add(section, name, about, timing_now() - begun);
    }
}
