/* The handler of signals uses the list while the program may change it, so a change blocks them. */
#include "report/tidy.h"

#include "report/memory.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* Owned. */
static char **paths;
static size_t path_count, path_room;

/* Only what a handler of signals may call. */
void tidy_now(void)
{
    while (path_count > 0) {
        const char *path = paths[--path_count];
        if (unlink(path) != 0) {
            rmdir(path);
        }
    }
}

/* The signal comes again, and ends the process, when this returns: SA_RESETHAND. */
static void end_by_signal(int number)
{
    tidy_now();
    raise(number);
}

void tidy_catch_signals(void)
{
    struct sigaction given, action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND};
    for (int i = 0; i < SIGNALS; i++) {
        sigaddset(&action.sa_mask, signals[i]);
    }
    for (int i = 0; i < SIGNALS; i++) {
        if (sigaction(signals[i], NULL, &given) == 0 && given.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

void tidy_add(const char *path)
{
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    paths = memory_room(paths, path_count, &path_room, sizeof *paths);
    size_t size = strlen(path) + 1;
    paths[path_count] = memory_grow(NULL, size);
    memcpy(paths[path_count++], path, size);
    sigprocmask(SIG_SETMASK, &before, NULL);
}
