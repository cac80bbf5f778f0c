/* Checks of the environment before the work starts.
 *
 * The tools that cdpcc calls would report the same mistakes, but late, and with the names of
 * temporary files. */
#include "driver/probe.h"

#include "driver/diag.h"
#include "support/str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns 0 or an errno. */
static int hash_contents(const char *path, uint64_t *hash)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    char buffer[1 << 15];
    ssize_t got;
    while ((got = read(fd, buffer, sizeof(buffer))) > 0) {
        *hash = str_hash(*hash, buffer, (size_t)got);
    }
    int failed = got < 0 ? errno : 0;
    close(fd);
    return failed;
}

/* A source of CUDA is compiled twice, so a pipe does not work. */
static int probe_input(struct input *input, uint64_t hash)
{
    char absolute[PATH_MAX];
    struct stat info;
    int failed = 0;
    if (stat(input->path, &info) != 0) {
        failed = errno;
    } else if (S_ISDIR(info.st_mode)) {
        failed = EISDIR;
    } else if (input->language == LANGUAGE_CUDA && !S_ISREG(info.st_mode)) {
        diag_error("a source is read twice, so '%s' must be a regular file", input->path);
        return 1;
    } else if (realpath(input->path, absolute) == NULL) {
        failed = errno;
    } else if (input->language == LANGUAGE_CUDA) {
        hash = str_hash(hash, absolute, strlen(absolute));
        failed = hash_contents(input->path, &hash);
        input->cuid = str_format("%016" PRIx64, hash);
    } else {
        failed = access(input->path, R_OK) == 0 ? 0 : errno;
    }
    if (failed != 0) {
        diag_error("cannot read '%s': %s", input->path, strerror(failed));
    }
    return failed != 0;
}

int probe_inputs(struct args *args, int argc, const char *const *argv)
{
    uint64_t hash = STR_HASH_START;
    for (int i = 1; i < argc; i++) {
        hash = str_hash(hash, argv[i], strlen(argv[i]) + 1);
    }
    int failed = 0;
    for (size_t i = 0; i < args->input_count; i++) {
        failed |= probe_input(&args->inputs[i], hash);
    }
    return failed;
}

/* The same file under any name: compared by device and inode. */
static bool is_input(const struct args *args, const char *path)
{
    struct stat output, input;
    if (stat(path, &output) != 0) {
        return false;
    }
    for (size_t i = 0; i < args->input_count; i++) {
        if (stat(args->inputs[i].path, &input) == 0 && input.st_ino == output.st_ino &&
            input.st_dev == output.st_dev) {
            return true;
        }
    }
    return false;
}

/* The file need not exist; then its directory must be writable. */
static int probe_output(const struct args *args, const char *path)
{
    if (is_input(args, path)) {
        diag_error("the output '%s' is an input too", path);
        return 1;
    }
    struct stat info;
    int failed = 0;
    if (stat(path, &info) == 0) {
        failed = S_ISDIR(info.st_mode) ? EISDIR : access(path, W_OK) == 0 ? 0 : errno;
    } else {
        const char *name = str_file_name(path);
        const char *directory = name == path ? "." : str_copy(path, (size_t)(name - path));
        failed = access(directory, W_OK | X_OK) == 0 ? 0 : errno;
    }
    if (failed != 0) {
        diag_error("cannot write '%s': %s", path, strerror(failed));
    }
    return failed != 0;
}

int probe_outputs(const struct args *args, const struct vec *paths)
{
    struct vec seen = {.items = NULL};
    for (size_t i = 0; i < paths->count; i++) {
        if (vec_has(&seen, paths->items[i])) {
            diag_error("two inputs would both become '%s'; compile them one by one with -o",
                       paths->items[i]);
            return 1;
        }
        vec_push(&seen, paths->items[i]);
        if (probe_output(args, paths->items[i]) != 0) {
            return 1;
        }
    }
    return 0;
}

static bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_ino == b.st_ino &&
           a.st_dev == b.st_dev;
}

/* Whether a directory has our headers, for example PREFIX/include, whose entries are links to those
 * of PREFIX/include/cdpcc. */
static bool is_ours(const char *directory, const char *include)
{
    return is_same_file(str_format("%s/cuda_runtime.h", directory),
                        str_format("%s/cuda_runtime.h", include));
}

/* A toolkit is known by its file crt/host_runtime.h. */
void probe_toolkits(struct args *args, const char *include)
{
    struct vec front = {.items = NULL};
    size_t count = args->clang.front.count;
    for (size_t i = 0; i < count; i++) {
        const char *word = args->clang.front.items[i];
        if (str_starts(word, "-I") && is_ours(word + 2, include)) {
            continue;
        }
        if (str_equals(word, "-isystem") && i + 1 < count &&
            is_ours(args->clang.front.items[i + 1], include)) {
            i++;
            continue;
        }
        if (str_starts(word, "-I") &&
            access(str_format("%s/crt/host_runtime.h", word + 2), F_OK) == 0) {
            VEC_PUSH(&front, "-idirafter", word + 2);
        } else {
            vec_push(&front, word);
        }
    }
    args->clang.front = front;
}
