/* Results on disk.
 *
 * The directory is that of CUDA_CACHE_PATH, or cdpcc in XDG_CACHE_HOME, or .cache/cdpcc in HOME.
 * CUDA_CACHE_DISABLE=1 and NVRTC's option --no-cache switch the cache off. Nothing of it makes a
 * compilation fail.
 *
 * An entry is one file, whose name is a hash of the key. It holds the whole key, so equal hashes do
 * no harm:
 *
 *     cdpcc-cache 1 KEY DEPENDS NAMES LOG PTX     the sizes of the following parts
 *     key       the source, headers, name expressions and options; cdpcc, and the processor
 *     depends   a line for each file that the compilation read: its size, its time, its path
 *     names, log, PTX
 *
 * A writer makes a file of another name and renames it, so readers see whole entries only. When the
 * directory grows beyond CUDA_CACHE_MAXSIZE bytes (1 GiB), the entries that were used least
 * recently are removed. */
#include "program.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "jit/tool.h"

static const char magic[] = "cdpcc-cache 1";
static const char suffix[] = ".jit";

/* ---- The key ---- */

/* A part of the key, with its length, so that no two keys are the same by chance. */
static void add_part(FILE *key, const char *text)
{
    text = text != NULL ? text : "";
    fprintf(key, "%zu:%s\n", strlen(text), text);
}

static void add_file(FILE *key, const char *path)
{
    struct stat info;
    add_part(key, path);
    if (stat(path, &info) == 0) {
        fprintf(key, "%jd %jd.%ld\n", (intmax_t)info.st_size, (intmax_t)info.st_mtim.tv_sec,
                info.st_mtim.tv_nsec);
    }
}

/* Code is made for the processor: a home directory may be shared by machines of several kinds. */
static void add_processor(FILE *key)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[8192];
    while (file != NULL && fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        if (strncmp(line, "model name", 10) == 0 || strncmp(line, "flags", 5) == 0 ||
            strncmp(line, "Features", 8) == 0 || strncmp(line, "CPU part", 8) == 0) {
            add_part(key, line);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void add_environment(FILE *key)
{
    static const char *const names[] = {"CDPCC_CLANG", "CPATH", "CPLUS_INCLUDE_PATH",
                                        "C_INCLUDE_PATH", "PATH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        add_part(key, getenv(names[i]));
    }
    char *here = getcwd(NULL, 0);
    add_part(key, here);
    free(here); /* it is getcwd's */
}

static bool make_key(struct nvrtc_text *key, nvrtcProgram program,
                     const struct nvrtc_options *options, const char *cdpcc)
{
    FILE *out = open_memstream(&key->bytes, &key->size);
    if (out == NULL) {
        return false;
    }
    add_file(out, cdpcc);
    add_processor(out);
    add_environment(out);
    fprintf(out, "%d %d\n", options->no_source_include, options->is_default_device);
    for (size_t i = 0; i < options->words.count; i++) {
        add_part(out, options->words.items[i]);
    }
    add_part(out, program->name);
    add_part(out, program->source);
    for (size_t i = 0; i < program->header_count; i++) {
        add_part(out, program->headers[i].name);
        add_part(out, program->headers[i].text);
    }
    for (size_t i = 0; i < program->name_count; i++) {
        add_part(out, program->names[i].expression);
    }
    return fclose(out) == 0;
}

static uint64_t hash(const struct nvrtc_text *text, uint64_t start)
{
    uint64_t value = start;
    for (size_t i = 0; i < text->size; i++) {
        value = (value ^ (unsigned char)text->bytes[i]) * UINT64_C(0x100000001b3);
    }
    return value;
}

/* ---- The directory ---- */

static char *directory_path(void)
{
    const char *named = secure_getenv("CUDA_CACHE_PATH"), *xdg = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    if (named != NULL && *named != '\0') {
        return cdp_tool_format("%s", named);
    }
    if (xdg != NULL && *xdg != '\0') {
        return cdp_tool_format("%s/cdpcc", xdg);
    }
    return home != NULL && *home != '\0' ? cdp_tool_format("%s/.cache/cdpcc", home) : NULL;
}

static bool is_disabled(const struct nvrtc_options *options)
{
    const char *disable = secure_getenv("CUDA_CACHE_DISABLE");
    return options->no_cache || (disable != NULL && strcmp(disable, "1") == 0);
}

/* The directory, and those above it that are missing. */
static void make_directory(const char *path)
{
    char *copy = cdp_tool_format("%s", path);
    for (char *slash = copy; slash != NULL && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        (void)mkdir(copy, 0700);
        *slash = '/';
    }
    cdp_free(copy);
    (void)mkdir(path, 0700);
}

bool nvrtc_cache_open(struct nvrtc_cache_entry *entry, nvrtcProgram program,
                      const struct nvrtc_options *options, const char *cdpcc)
{
    *entry = (struct nvrtc_cache_entry){.directory = NULL};
    if (is_disabled(options)) {
        return false;
    }
    entry->directory = directory_path();
    if (entry->directory != NULL && make_key(&entry->key, program, options, cdpcc)) {
        entry->path = cdp_tool_format("%s/%016" PRIx64 "%s", entry->directory,
                                      hash(&entry->key, UINT64_C(0xcbf29ce484222325)), suffix);
    }
    if (entry->path == NULL) {
        nvrtc_cache_close(entry);
        return false;
    }
    return true;
}

void nvrtc_cache_close(struct nvrtc_cache_entry *entry)
{
    cdp_free(entry->directory);
    cdp_free(entry->path);
    free(entry->key.bytes); /* it is open_memstream's */
    *entry = (struct nvrtc_cache_entry){.directory = NULL};
}

/* ---- Loading ---- */

/* Whether the file of a line of depends is as it was. */
static bool is_unchanged(const char *line)
{
    intmax_t size, seconds;
    long nanoseconds;
    int start = 0;
    struct stat info;
    return sscanf(line, "%jd %jd.%ld %n", &size, &seconds, &nanoseconds, &start) == 3 &&
           stat(line + start, &info) == 0 && info.st_size == size &&
           info.st_mtim.tv_sec == seconds && info.st_mtim.tv_nsec == nanoseconds;
}

static bool are_unchanged(char *lines)
{
    char *save;
    for (char *line = strtok_r(lines, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        if (!is_unchanged(line)) {
            return false;
        }
    }
    return true;
}

/* The next part of an entry as a string of its own; *at moves behind it. */
static struct nvrtc_text take_part(const char **at, size_t size)
{
    struct nvrtc_text part = {cdp_alloc(size + 1), size};
    if (part.bytes != NULL) {
        memcpy(part.bytes, *at, size);
        part.bytes[size] = '\0';
    }
    *at += size;
    return part;
}

enum { KEY, DEPENDS, NAMES, LOG, PTX, PARTS };

/* The parts of a file that is whole and has the key. */
static bool parse(const struct nvrtc_text *file, const struct nvrtc_text *key,
                  struct nvrtc_result *result)
{
    size_t sizes[PARTS], whole = 0;
    int head = 0;
    char form[64];
    snprintf(form, sizeof form, "%s %%zu %%zu %%zu %%zu %%zu%%n", magic);
    if (sscanf(file->bytes, form, &sizes[KEY], &sizes[DEPENDS], &sizes[NAMES], &sizes[LOG],
               &sizes[PTX], &head) != PARTS ||
        file->bytes[head] != '\n') {
        return false;
    }
    head++;
    for (int i = 0; i < PARTS; i++) {
        if (sizes[i] > file->size) {
            return false;
        }
        whole += sizes[i];
    }
    const char *at = file->bytes + head;
    if (whole + (size_t)head != file->size || sizes[KEY] != key->size ||
        memcmp(at, key->bytes, key->size) != 0) {
        return false;
    }
    at += sizes[KEY];
    result->depends = take_part(&at, sizes[DEPENDS]);
    result->names = take_part(&at, sizes[NAMES]);
    result->log = take_part(&at, sizes[LOG]);
    result->ptx = take_part(&at, sizes[PTX]);
    return result->depends.bytes != NULL && result->names.bytes != NULL &&
           result->log.bytes != NULL && result->ptx.bytes != NULL;
}

bool nvrtc_cache_load(const struct nvrtc_cache_entry *entry, struct nvrtc_result *result)
{
    struct nvrtc_text file = {.bytes = NULL};
    file.bytes = cdp_tool_read(entry->path, &file.size);
    bool good = file.bytes != NULL && parse(&file, &entry->key, result) &&
                are_unchanged(result->depends.bytes);
    cdp_free(file.bytes);
    if (!good) {
        nvrtc_result_finish(result);
        return false;
    }
    (void)utimensat(AT_FDCWD, entry->path, NULL, 0); /* used just now */
    return true;
}

/* ---- Storing ---- */

/* One path of a rule as make reads it: a blank and a "#" have a backslash before them, "$" is
 * doubled, and a backslash at the end of a line continues it. *at moves behind it; false at the
 * end. */
static bool next_path(const char **at, char *path, size_t capacity)
{
    const char *from = *at + strspn(*at, " \t\n\\");
    size_t length = 0;
    while (*from != '\0' && *from != ' ' && *from != '\n' && length + 1 < capacity) {
        if ((*from == '\\' && (from[1] == ' ' || from[1] == '#')) ||
            (*from == '$' && from[1] == '$')) {
            from++;
        }
        path[length++] = *from++;
    }
    path[length] = '\0';
    *at = from;
    return length > 0;
}

/* The rule that the compiler wrote, as lines of the entry. False if a file has vanished. */
static bool write_depends(FILE *out, const char *rule)
{
    char path[4096];
    const char *at = rule != NULL ? strchr(rule, ':') : NULL;
    if (at == NULL) {
        return false;
    }
    at++;
    while (next_path(&at, path, sizeof path)) {
        struct stat info;
        if (path[0] == NVRTC_TEMPORARY[0]) {
            continue;
        }
        if (stat(path, &info) != 0) {
            return false;
        }
        fprintf(out, "%jd %jd.%ld %s\n", (intmax_t)info.st_size, (intmax_t)info.st_mtim.tv_sec,
                info.st_mtim.tv_nsec, path);
    }
    return true;
}

static void write_part(FILE *out, const struct nvrtc_text *part)
{
    if (part->size > 0) {
        fwrite(part->bytes, 1, part->size, out);
    }
}

static bool write_entry(const char *path, const struct nvrtc_cache_entry *entry,
                        const struct nvrtc_result *result, const struct nvrtc_text *depends)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (out == NULL) {
        return false;
    }
    fprintf(out, "%s %zu %zu %zu %zu %zu\n", magic, entry->key.size, depends->size,
            result->names.size, result->log.size, result->ptx.size);
    write_part(out, &entry->key);
    write_part(out, depends);
    write_part(out, &result->names);
    write_part(out, &result->log);
    write_part(out, &result->ptx);
    bool good = ferror(out) == 0;
    return fclose(out) == 0 && good;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* The size of all entries, and the one that was used least recently. */
static uintmax_t survey(const char *directory, char *oldest, size_t capacity)
{
    DIR *entries = opendir(directory);
    uintmax_t total = 0;
    struct timespec first = {.tv_sec = 0};
    *oldest = '\0';
    for (struct dirent *at; entries != NULL && (at = readdir(entries)) != NULL;) {
        struct stat info;
        size_t length = strlen(at->d_name);
        if (length < sizeof suffix || strcmp(at->d_name + length - 4, suffix) != 0 ||
            fstatat(dirfd(entries), at->d_name, &info, 0) != 0) {
            continue;
        }
        total += (uintmax_t)info.st_size;
        if (*oldest == '\0' || is_before(&info.st_mtim, &first)) {
            first = info.st_mtim;
            snprintf(oldest, capacity, "%s/%s", directory, at->d_name);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return total;
}

static void prune(const char *directory)
{
    enum { MOST_AT_ONCE = 64 };
    const char *given = secure_getenv("CUDA_CACHE_MAXSIZE");
    uintmax_t most = given != NULL && *given != '\0' ? strtoumax(given, NULL, 10) : 1 << 30;
    char oldest[4096];
    for (int i = 0; i < MOST_AT_ONCE && survey(directory, oldest, sizeof oldest) > most; i++) {
        (void)unlink(oldest);
    }
}

void nvrtc_cache_store(const struct nvrtc_cache_entry *entry, const struct nvrtc_result *result)
{
    struct nvrtc_text depends = {.bytes = NULL};
    FILE *lines = open_memstream(&depends.bytes, &depends.size);
    if (lines == NULL) {
        return;
    }
    bool good = write_depends(lines, result->depends.bytes);
    good = fclose(lines) == 0 && good;
    char *path = cdp_tool_format("%s.%ld-%p", entry->path, (long)getpid(), (const void *)entry);
    if (good && path != NULL) {
        make_directory(entry->directory);
        if (!write_entry(path, entry, result, &depends) || rename(path, entry->path) != 0) {
            (void)unlink(path);
        }
        prune(entry->directory);
    }
    cdp_free(path);
    free(depends.bytes); /* it is open_memstream's */
}
