/* The cache of precompiled headers.
 *
 * Each is two files, whose name is a hash of the command that makes it:
 *
 *     HASH.pch    clang's file
 *     HASH.list   the key, the size of clang's file, and the size, time and path of each file that
 * it was made of
 *
 * Before a use all files of the list are compared, so a new version of clang, of cdpcc or of the
 * C++ library makes a new one. HASH.seen says that it was wanted once, HASH.bad that it could not
 * be made. A writer makes files of other names and renames them. HASH.lock keeps others from doing
 * the same work: they do without.
 *
 * A user's directory comes before the system's. It does not suit if it has an entry of a name that
 * one of the files was included by, such as stdio.h or bits. */
#include "driver/precompiled_store.h"

#include "support/arena.h"
#include "support/str.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char magic[] = "cdpcc-headers 1";

enum {
    MOST_BYTES = 256 << 20, /* of all precompiled headers; each has about 5 MB */
    LOCK_SECONDS = 60,      /* the maker of an older lock is gone */
    MARK_SECONDS = 30 * 24 * 3600,
};

/* The files of one precompiled header. On the stack, strings in the arena. */
struct entry {
    const char *directory, *key, *pch, *list, *seen, *bad, *lock;
};

/* ---- Commands ---- */

bool precompiled_command(const struct vec *command, bool is_silent)
{
    pid_t child = fork(), ended;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* the runner stops only its own child */
        int fd = is_silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
        if (fd >= 0) {
            dup2(fd, 1);
            dup2(fd, 2);
        }
        execv(command->items[0], (char *const *)(const void *)command->items);
        _exit(1);
    }
    int status = 1;
    do {
        ended = child < 0 ? -1 : waitpid(child, &status, 0);
    } while (ended < 0 && errno == EINTR && child > 0);
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- The directory ---- */

/* NULL: the cache is off, or there is no place for it. */
static const char *directory_path(void)
{
    const char *disable = getenv("CUDA_CACHE_DISABLE"), *named = getenv("CUDA_CACHE_PATH");
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (disable != NULL && str_equals(disable, "1")) {
        return NULL;
    }
    if (named != NULL && *named != '\0') {
        return str_format("%s/headers", named);
    }
    if (xdg != NULL && *xdg != '\0') {
        return str_format("%s/cdpcc/headers", xdg);
    }
    return home != NULL && *home != '\0' ? str_format("%s/.cache/cdpcc/headers", home) : NULL;
}

/* The directory, and those above it that are missing. */
static void make_directory(const char *path)
{
    char *copy = str_copy(path, strlen(path));
    for (char *slash = copy; (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        (void)mkdir(copy, 0700);
        *slash = '/';
    }
    (void)mkdir(path, 0700);
}

static void make_mark(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
    }
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* A file of the directory, for pruning. */
struct stored {
    const char *path;
    time_t used;
    off_t size;
};

static int older_first(const void *a, const void *b)
{
    const struct stored *x = a, *y = b;
    return (x->used > y->used) - (x->used < y->used);
}

/* Removes old marks, and the precompiled headers that were used least recently. */
static void prune(const char *directory)
{
    DIR *open_directory = opendir(directory);
    struct stored *files = NULL;
    size_t count = 0;
    off_t bytes = 0;
    time_t now = time(NULL);
    for (struct dirent *at; open_directory != NULL && (at = readdir(open_directory)) != NULL;) {
        const char *path = str_format("%s/%s", directory, at->d_name);
        struct stat info;
        if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
            continue;
        }
        if (str_ends(path, ".pch")) {
            files = arena_grow(files, count * sizeof *files, (count + 1) * sizeof *files);
            files[count++] = (struct stored){path, info.st_mtime, info.st_size};
            bytes += info.st_size;
        } else if (!str_ends(path, ".list") && now - info.st_mtime > MARK_SECONDS) {
            unlink(path);
        }
    }
    if (open_directory != NULL) {
        closedir(open_directory);
    }
    if (count != 0) {
        qsort(files, count, sizeof *files, older_first);
    }
    for (size_t i = 0; i < count && bytes > MOST_BYTES; i++) {
        bytes -= files[i].size;
        unlink(files[i].path);
        unlink(
            str_format("%.*s.list", (int)(strlen(files[i].path) - strlen(".pch")), files[i].path));
    }
}

/* ---- Entries ---- */

/* What a file is, on one line. NULL: it does not exist. */
static const char *identity(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return NULL;
    }
    return str_format("%jd %jd.%ld %s\n", (intmax_t)info.st_size, (intmax_t)info.st_mtim.tv_sec,
                      info.st_mtim.tv_nsec, path);
}

/* With -march=native the command means another processor on another machine, and a home directory
 * may be that of several machines. */
static void add_machine(FILE *out, const struct vec *words)
{
    char name[256] = "";
    for (size_t i = 0; i < words->count; i++) {
        if (str_ends(words->items[i], "=native") && gethostname(name, sizeof name - 1) == 0) {
            fprintf(out, "%s\n", name);
        }
    }
}

static struct entry find_entry(const struct precompiled_wish *wish)
{
    struct entry entry = {.directory = directory_path()};
    const char *clang = identity(wish->make.items[0]);
    if (entry.directory == NULL || clang == NULL) {
        entry.directory = NULL;
        return entry;
    }
    size_t size = 0;
    char *key;
    FILE *out = open_memstream(&key, &size);
    if (out == NULL) {
        entry.directory = NULL;
        return entry;
    }
    fprintf(out, "%s", clang);
    for (size_t i = 1; i < wish->make.count; i++) {
        fprintf(out, "%zu:%s ", strlen(wish->make.items[i]), wish->make.items[i]);
    }
    fprintf(out, "%s\n", wish->header);
    add_machine(out, &wish->make);
    fclose(out);
    entry.key = str_copy(key, size);
    free(key); /* it is open_memstream's */
    const char *base = str_format("%s/%016" PRIx64, entry.directory,
                                  str_hash(STR_HASH_START, entry.key, strlen(entry.key)));
    entry.pch = str_format("%s.pch", base);
    entry.list = str_format("%s.list", base);
    entry.seen = str_format("%s.seen", base);
    entry.bad = str_format("%s.bad", base);
    entry.lock = str_format("%s.lock", base);
    return entry;
}

/* The name in a search path by which the file was included, up to the first slash: what follows
 * "/include/", and there a machine's name and the C++ library's version. */
static const char *included_as(const char *path)
{
    const char *name = path;
    for (const char *at; (at = strstr(name, "/include/")) != NULL;) {
        name = at + strlen("/include/");
    }
    if (strstr(name, "-linux-gnu") != NULL && strchr(name, '/') > strstr(name, "-linux-gnu")) {
        name = strchr(name, '/') + 1;
    }
    if (str_starts(name, "c++/")) {
        const char *rest = strchr(name + strlen("c++/"), '/');
        name = rest != NULL ? rest + 1 : name;
    }
    return str_copy(name, strcspn(name, "/"));
}

/* Whether a directory of the user has an entry that would be found instead of a file. */
static bool is_shadowed(const struct precompiled_wish *wish, const char *path, struct vec *tested)
{
    const char *name = included_as(path);
    if (wish->directories.count == 0 || vec_has(tested, name)) {
        return false;
    }
    vec_push(tested, name);
    for (size_t i = 0; i < wish->directories.count; i++) {
        if (exists(str_format("%s/%s", wish->directories.items[i], name))) {
            return true;
        }
    }
    return false;
}

enum validity { VALID, STALE, SHADOWED };

/* The list's start for clang's file as it is; NULL: there is none. */
static const char *start_of_list(const struct entry *entry, const char *pch)
{
    struct stat info;
    return stat(pch, &info) != 0
               ? NULL
               : str_format("%s %jd\n%s", magic, (intmax_t)info.st_size, entry->key);
}

/* Compares the list with the files as they are. */
static enum validity validate(const struct precompiled_wish *wish, const struct entry *entry)
{
    const char *start = start_of_list(entry, entry->pch);
    FILE *in = start == NULL ? NULL : fopen(entry->list, "re");
    if (in == NULL) {
        return STALE;
    }
    char *read_start = arena_alloc(strlen(start) + 1);
    enum validity result =
        fread(read_start, 1, strlen(start), in) == strlen(start) && str_equals(read_start, start)
            ? VALID
            : STALE;
    struct vec tested = {.items = NULL};
    char *line = NULL;
    size_t room = 0;
    while (result == VALID && getline(&line, &room, in) > 0) {
        const char *path = strchr(line, '/');
        const char *copy = path == NULL ? "" : str_copy(path, strcspn(path, "\n"));
        const char *now = identity(copy);
        if (now == NULL || !str_equals(now, line)) {
            result = STALE;
        } else if (is_shadowed(wish, copy, &tested)) {
            result = SHADOWED;
        }
    }
    free(line); /* it is getline's */
    fclose(in);
    return result;
}

/* ---- Making ---- */

/* The names of a rule for make: blanks separate them, a backslash keeps a blank, and one at the end
 * of a line continues it. */
static struct vec read_rule(const char *path)
{
    struct vec names = {.items = NULL};
    FILE *in = fopen(path, "re");
    char name[4096];
    size_t length = 0;
    bool is_target = true;
    for (int c = in == NULL ? EOF : getc(in); in != NULL; c = getc(in)) {
        bool is_kept = false;
        if (c == '\\') {
            c = getc(in);
            is_kept = c != '\n';
        }
        if (!is_kept && (c == ' ' || c == '\n' || c == EOF)) {
            if (length > 0 && !is_target) {
                vec_push(&names, str_copy(name, length));
            }
            is_target &= length == 0 || name[length - 1] != ':';
            length = 0;
        } else if (length < sizeof name) {
            name[length++] = (char)c;
        }
        if (c == EOF) {
            break;
        }
    }
    if (in != NULL) {
        fclose(in);
    }
    return names;
}

/* Writes the list. False if a file is not there, or may have changed since the making began. */
static bool write_list(const struct entry *entry, const char *pch, const char *path,
                       const struct vec *files, time_t begun)
{
    const char *start = start_of_list(entry, pch);
    FILE *out = start == NULL ? NULL : fopen(path, "we");
    if (out == NULL) {
        return false;
    }
    bool is_good = files->count != 0;
    fputs(start, out);
    for (size_t i = 0; i < files->count; i++) {
        struct stat info;
        const char *line = identity(files->items[i]);
        is_good &= line != NULL && files->items[i][0] == '/' && stat(files->items[i], &info) == 0 &&
                   info.st_mtime < begun;
        fprintf(out, "%s", line == NULL ? "" : line);
    }
    return fclose(out) == 0 && is_good;
}

/* Whether this process is the one to make it. */
static bool take_lock(const struct entry *entry)
{
    struct stat info;
    int fd = open(entry->lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
        return true;
    }
    if (errno == EEXIST && stat(entry->lock, &info) == 0 &&
        time(NULL) - info.st_mtime > LOCK_SECONDS) {
        unlink(entry->lock);
    }
    return false;
}

static bool make(const struct precompiled_wish *wish, const struct entry *entry)
{
    if (!take_lock(entry)) {
        return false;
    }
    const char *base = str_format("%s.%ld", entry->lock, (long)getpid());
    const char *pch = str_format("%s.pch.new", base), *rule = str_format("%s.d.new", base);
    const char *list = str_format("%s.list.new", base);
    time_t begun = time(NULL);
    struct vec words = {.items = NULL};
    vec_append(&words, &wish->make);
    VEC_PUSH(&words, "-w", "-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", pch,
             "-MD", "-MF", rule, wish->header);
    bool is_made = precompiled_command(&words, true);
    struct vec files = read_rule(rule);
    bool is_good = is_made && write_list(entry, pch, list, &files, begun) &&
                   rename(pch, entry->pch) == 0 && rename(list, entry->list) == 0;
    if (!is_made) {
        make_mark(entry->bad);
    }
    unlink(pch);
    unlink(rule);
    unlink(list);
    unlink(entry->lock);
    prune(entry->directory);
    return is_good;
}

const char *precompiled_find(const struct precompiled_wish *wish)
{
    struct entry entry = find_entry(wish);
    if (entry.directory == NULL || exists(entry.bad)) {
        return NULL;
    }
    enum validity validity = validate(wish, &entry);
    if (validity == STALE && !exists(entry.seen)) {
        make_directory(entry.directory);
        make_mark(entry.seen);
        return NULL;
    }
    if (validity == STALE && make(wish, &entry)) {
        validity = validate(wish, &entry);
    }
    if (validity != VALID) {
        return NULL;
    }
    utimensat(AT_FDCWD, entry.pch, NULL, 0); /* now: prune() keeps what is used */
    return entry.pch;
}
