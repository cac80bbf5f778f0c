/* llvm-symbolizer starts slowly, so one process answers all questions of a run. It gets them by a
 * socket, and ends when the program closes its end, at the latest at its own end.
 *
 * The process must not be in the program's way. It is a child of a shell that has ended, so the
 * program's calls of wait() do not see it. It has none of the program's files. A copy of the
 * program after fork() starts its own. A program may close all of its files, and open others under
 * the same numbers, so the socket is compared before each use. */
#include "os/symbolizer.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts argv with these files; input -1 is none. The child's number, or -1. */
static pid_t start(char *const argv[], int input, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    /* Either may be 0 or 1 itself, if the program has closed these. */
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (input >= 0) {
        posix_spawn_file_actions_adddup2(&actions, input, 0);
    } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    pid_t child;
    int failed = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ? child : -1;
}

static void wait_for(pid_t child)
{
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}

/* ---- llvm-symbolizer ---- */

static struct {
    int socket; /* valid if owner is this process */
    pid_t owner;
    dev_t device;
    ino_t inode;
} peer;

static bool is_connected(void)
{
    struct stat now;
    return peer.owner == getpid() && fstat(peer.socket, &now) == 0 && now.st_dev == peer.device &&
           now.st_ino == peer.inode;
}

static void disconnect(void)
{
    if (is_connected()) {
        close(peer.socket);
    }
    peer.owner = 0;
}

/* The same file with a number that is not the one of a standard stream. */
static int off_standard(int file)
{
    int moved = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(file);
    return moved;
}

static bool connect_to_new(void)
{
    /* A shell gives a background process /dev/null as its input, unless told otherwise. */
    static char script[] = "exec 3<&0; llvm-symbolizer-22 <&3 3<&- &";
    char *argv[] = {"sh", "-c", script, NULL};
    const struct timeval limit = {.tv_sec = 60};
    struct stat own;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return false;
    }
    pid_t shell = start(argv, ends[1], ends[1]);
    close(ends[1]);
    if (shell > 0) {
        wait_for(shell);
    }
    int file = off_standard(ends[0]);
    if (shell < 0 || file < 0 || fstat(file, &own) != 0 ||
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0) {
        close(file);
        return false;
    }
    peer.socket = file;
    peer.owner = getpid();
    peer.device = own.st_dev;
    peer.inode = own.st_ino;
    return true;
}

static bool put(const char *text)
{
    size_t size = strlen(text);
    while (size > 0) {
        ssize_t sent = send(peer.socket, text, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        text += sent > 0 ? sent : 0;
        size -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* Reads up to the empty line that ends an answer. What does not fit is lost with the connection. */
static bool get(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    while (used < 2 || strcmp(text + used - 2, "\n\n") != 0) {
        if (used + 1 == size) {
            disconnect();
            return true;
        }
        ssize_t got = recv(peer.socket, text + used, size - 1 - used, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        used += got > 0 ? (size_t)got : 0;
        text[used] = '\0';
    }
    return true;
}

bool cdp_os_ask_llvm(const char *file, uintptr_t offset, char *text, size_t size)
{
    static pid_t without; /* the process that found none */
    char question[4200];
    int length =
        snprintf(question, sizeof question, "CODE \"%s\" 0x%lx\n", file, (unsigned long)offset);
    bool is_sayable = length < (int)sizeof question && strpbrk(file, "\"\n") == NULL;
    if (!is_sayable || without == getpid()) {
        return false;
    }
    bool was_connected = is_connected();
    if (!was_connected && !connect_to_new()) {
        return false;
    }
    bool is_answered = put(question) && get(text, size);
    if (!is_answered && was_connected) { /* it was killed, perhaps by the program's own signals */
        disconnect();
        is_answered = connect_to_new() && put(question) && get(text, size);
    }
    if (!is_answered) {
        disconnect();
        without = getpid();
    }
    return is_answered;
}

/* ---- addr2line ---- */

bool cdp_os_ask_gnu(const char *file, uintptr_t offset, char *text, size_t size)
{
    char address[32];
    snprintf(address, sizeof address, "0x%lx", (unsigned long)offset);
    char *argv[] = {"addr2line", "-f", "-C", "-i", "-e", (char *)file, address, NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    pid_t child = start(argv, -1, ends[1]);
    close(ends[1]);
    size_t used = 0;
    ssize_t got = child > 0 ? 1 : 0;
    while (used + 1 < size && (got > 0 || (got < 0 && errno == EINTR))) {
        got = read(ends[0], text + used, size - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    close(ends[0]);
    if (child > 0) {
        wait_for(child);
    }
    text[used] = '\0';
    return used > 0;
}
