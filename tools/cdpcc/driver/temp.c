/* The private directory of temporary files, and its guard.
 *
 * The guard is a child that only reads from a pipe. cdpcc holds the other end, and closes it in
 * any way it ends: then the guard reads the end of the file. A byte before it says that cdpcc has
 * cleaned up by itself. The guard leads a process group of its own; all children of cdpcc join it,
 * so the guard can end them with one signal. */
#include "driver/temp.h"

#include "driver/diag.h"
#include "support/str.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct {
    char *directory;
    bool is_users; /* it stays, also if cdpcc is killed */
    pid_t guard;
    int alive; /* write end of the guard's pipe; the system closes it when cdpcc ends */
} temp;

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

/* Children first, and links are not followed. */
static void remove_all(void)
{
    if (temp.is_users) {
        return;
    }
    nftw(temp.directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Waits for the byte that announces an orderly end. End of file means that cdpcc was killed. */
static _Noreturn void guard_main(int fd)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    setpgid(0, 0);
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
        signal(ignored[i], SIG_IGN);
    }
    for (int i = 0; i < 3; i++) {
        close(i); /* a program that reads cdpcc's output must see its end */
    }
    char byte;
    ssize_t got;
    do {
        got = read(fd, &byte, 1);
    } while (got < 0 && errno == EINTR);
    if (got == 1) {
        _exit(0);
    }
    kill(0, SIGTERM); /* compilers remove their incomplete output */
    pause_ms(200);
    remove_all();
    kill(0, SIGKILL);
    _exit(1);
}

/* Returns 0, or -1 if there is no pipe or process. */
static int start_guard(void)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) {
        return -1;
    }
    temp.guard = fork();
    if (temp.guard == 0) {
        close(fds[1]);
        guard_main(fds[0]);
    }
    close(fds[0]);
    temp.alive = fds[1];
    if (temp.guard < 0) {
        close(fds[1]);
        return -1;
    }
    setpgid(temp.guard, temp.guard); /* the guard does the same; either may be first */
    return 0;
}

/* TMPDIR names the parent directory, else it is /tmp. Returns NULL after printing an error. */
static char *make_directory(void)
{
    const char *base = getenv("TMPDIR");
    if (base == NULL || *base == '\0') {
        base = "/tmp";
    }
    char *directory = str_format("%s/cdpcc-XXXXXX", base);
    if (mkdtemp(directory) == NULL) {
        diag_error("cannot make a temporary directory in '%s': %s", base, strerror(errno));
        return NULL;
    }
    return directory;
}

/* The user's directory, as an absolute path; NULL after printing an error. */
static char *take_directory(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        diag_error("--keep-dir: cannot make '%s': %s", path, strerror(errno));
        return NULL;
    }
    char *absolute = realpath(path, NULL);
    if (absolute == NULL || access(absolute, W_OK | X_OK) != 0) {
        diag_error("--keep-dir: cannot write to '%s': %s", path, strerror(errno));
        free(absolute);
        return NULL;
    }
    char *copy = str_copy(absolute, strlen(absolute));
    free(absolute);
    return copy;
}

const char *temp_create(const char *kept)
{
    temp.is_users = kept != NULL;
    temp.directory = kept == NULL ? make_directory() : take_directory(kept);
    if (temp.directory == NULL) {
        return NULL;
    }
    if (start_guard() != 0) {
        diag_error("cannot start a process: %s", strerror(errno));
        if (!temp.is_users) {
            rmdir(temp.directory);
        }
        temp.directory = NULL;
        return NULL;
    }
    return temp.directory;
}

pid_t temp_group(void)
{
    return temp.guard;
}

void temp_leave_to_parent(void)
{
    close(temp.alive);
}

/* The byte tells the guard that there is nothing left to do. */
void temp_finish(bool keep)
{
    if (temp.directory == NULL) {
        return;
    }
    if (keep && !temp.is_users) {
        fprintf(stderr, "cdpcc: temporary files are in %s\n", temp.directory);
    } else {
        remove_all();
    }
    while (write(temp.alive, "", 1) < 0 && errno == EINTR) {
    }
    close(temp.alive);
    waitpid(temp.guard, NULL, 0);
    temp.directory = NULL;
}
