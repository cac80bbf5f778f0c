/* The last step: linking, joining objects, archives.
 *
 * One .cu becomes one object, so that make, archives and other build tools work as with any
 * compiler:
 *
 *     ld -r a.host.o a.device.o cdp_register.o -o a.o
 *
 * If a command of cdpcc, not of `nvcc`, makes a program of one .cu, with or without other sources,
 * the parts are linked as they are.
 *
 * The last step calls clang as the linker's driver. The runtime is a static library, except for
 * shared libraries and for programs that use one: two copies of the runtime in one process would
 * have two sets of workers. */
#include "driver/link.h"

#include "support/str.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The linker that joins objects to an output. LLD first writes a file whose name is longer by a
 * suffix. If the file system does not allow such a name, the other linker is used. */
static const char *joiner(const struct tools *tools, const char *output)
{
    static const char suffix[] = ".tmp1234567";
    bool is_too_long = strlen(str_file_name(output)) + strlen(suffix) > NAME_MAX;
    return is_too_long && tools->other_linker != NULL ? tools->other_linker : tools->linker;
}

static void push_all(struct vec *words, const struct vec *more)
{
    for (size_t i = 0; i < more->count; i++) {
        vec_push(words, more->items[i]);
    }
}

struct vec link_parts(const struct tools *tools, const struct vec *parts, const char *output)
{
    struct vec words = {.items = NULL};
    VEC_PUSH(&words, joiner(tools, output), "-r");
    push_all(&words, parts);
    VEC_PUSH(&words, "-o", output);
    return words;
}

const char *link_by_lld(const struct tools *tools, const char *output)
{
    const char *linker = joiner(tools, output);
    bool is_lld = str_starts(str_file_name(linker), "ld.lld");
    return is_lld ? str_format("--ld-path=%s", linker) : NULL;
}

/* The words before the objects. */
static struct vec start_module(const struct args *args, const struct tools *tools)
{
    struct vec words = {.items = NULL};
    VEC_PUSH(&words, tools->clang, "-fno-crash-diagnostics");
    if (args->target != NULL) {
        vec_push(&words, str_format("--target=%s", args->target));
    }
    VEC_PUSH(&words, "-shared", "-Wl,-z,relro,-z,now");
    return words;
}

/* A path as a string of C. */
static const char *quoted(const char *path)
{
    const char *text = "";
    for (; *path != '\0'; path++) {
        bool is_special = *path == '"' || *path == '\\';
        text = str_format("%s%s%c", text, is_special ? "\\" : "", *path);
    }
    return text;
}

struct vec link_module(const struct args *args, const struct tools *tools, const char *device,
                       const char *output)
{
    struct vec words = start_module(args, tools);
    VEC_PUSH(&words, device, tools->registrar, str_format("-DCDP_OBJECT=\"%s\"", quoted(device)),
             tools->object_source, "-o", output);
    return words;
}

struct vec link_modules(const struct args *args, const struct tools *tools, const char *output)
{
    struct vec words = start_module(args, tools);
    for (size_t i = 0; i < args->input_count; i++) {
        vec_push(&words, args->inputs[i].path);
    }
    VEC_PUSH(&words, tools->registrar, "-o", output);
    return words;
}

/* NVIDIA's other libraries that are a part of cdpcc. The static forms are archives. */
static bool add_own_library(struct vec *words, const struct tools *tools, const char *word)
{
    static const char *const names[] = {"nvrtc", "nvJitLink"};
    if (str_equals(word, "-lnvidia-ml")) {
        const char *directory = str_format("%s/cdpcc-nvml", tools->library);
        VEC_PUSH(words, str_format("%s/libnvidia-ml.so", directory), "-Xlinker", "-rpath",
                 "-Xlinker", directory);
        return true;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (str_equals(word, str_format("-l%s", names[i]))) {
            VEC_PUSH(words, str_format("%s/lib%s.so", tools->library, names[i]), "-Xlinker",
                     "-rpath", "-Xlinker", tools->library);
            return true;
        }
        if (str_equals(word, str_format("-l%s_static", names[i]))) {
            vec_push(words, str_format("%s/lib%s_static.a", tools->library, names[i]));
            return true;
        }
    }
    return false;
}

/* Adds the user's words and objects, in the user's order. */
static void add_items(struct vec *words, const struct args *args, const struct tools *tools,
                      const struct vec *objects)
{
    for (size_t i = 0; i < args->link_count; i++) {
        const struct link_item *item = &args->link_items[i];
        if (item->text == NULL) {
            push_all(words, &objects[item->input]);
        } else if (!add_own_library(words, tools, item->text)) {
            vec_push(words, item->text);
        }
    }
}

/* Whether the linker removes unused sections: it would also remove the tables. */
static bool collects_garbage(const struct args *args)
{
    for (size_t i = 0; i < args->link_count; i++) {
        if (args->link_items[i].text != NULL &&
            strstr(args->link_items[i].text, "--gc-sections") != NULL) {
            return true;
        }
    }
    return false;
}

/* The program contains this runtime. Modules that it loads may call any function of it. */
static void add_sanitized(struct vec *words, const struct args *args, const char *library)
{
    const char *path =
        str_format("%s/libcdprt_%s.a", library, args->sanitize.address ? "asan" : "tsan");
    if (args->action.loads_modules) {
        VEC_PUSH(words, "-rdynamic", "-Wl,--whole-archive", path, "-Wl,--no-whole-archive");
    } else {
        vec_push(words, path);
    }
}

/* The runtime under the toolkit's names, as nvcc links it: build systems read this. The toolkit's
 * directory is the first of the command, so no other libcudart is found. */
static void add_nvcc_runtime(struct vec *words, const struct args *args)
{
    vec_push(words, "-lcudadevrt");
    vec_push(words, args->action.shared_runtime ? "-lcudart" : "-lcudart_static");
}

/* Libraries come last, because the linker searches each archive once. */
static void add_runtime(struct vec *words, const struct args *args, const struct tools *tools)
{
    const char *library = tools->library;
    if (collects_garbage(args)) {
        vec_push(words, "-Wl,-z,nostart-stop-gc");
    }
    if (args->action.no_runtime) {
        if (args->action.loads_modules) { /* -lcuda: the driver API alone is the shared runtime */
            VEC_PUSH(words, str_format("%s/libcdprt.so", library), "-Xlinker", "-rpath", "-Xlinker",
                     library);
        }
        return;
    }
    if (args->action.lab && args->output == OUTPUT_PROGRAM) {
        vec_push(words, str_format("%s/cdp_lab.o", library));
    }
    if (args->sanitize.any && args->output == OUTPUT_PROGRAM && check_any(&args->device.checks)) {
        vec_push(words, "-Wl,--undefined=cdp_host_accesses"); /* see runtime/check/host.c */
    }
    if (args->sanitize.address || args->sanitize.thread) {
        if (args->output == OUTPUT_SHARED) {
            return; /* the program contains it, like the sanitizer's own runtime */
        }
        add_sanitized(words, args, library);
    } else {
        bool is_shared = args->action.shared_runtime;
        if (args->action.as_nvcc && args->target == NULL) {
            add_nvcc_runtime(words, args);
        } else {
            vec_push(words, str_format("%s/libcdprt.%s", library, is_shared ? "so" : "a"));
        }
        if (is_shared) {
            VEC_PUSH(words, "-Xlinker", "-rpath", "-Xlinker", library);
        }
    }
    if (args->target == NULL) {
        vec_push(words,
                 "-lffi"); /* other machines' libffi is rarely installed, and .cu files need none */
    }
    VEC_PUSH(words, "-lpthread", "-lm", "-ldl", "-lstdc++");
}

/* Whether the command has libraries and their directories only: no options for the linker, and no
 * variable that only GNU's linker reads. */
static bool has_plain_words(const struct args *args)
{
    if (getenv("LD_RUN_PATH") != NULL) {
        return false;
    }
    for (size_t i = 0; i < args->link_count; i++) {
        const char *text = args->link_items[i].text;
        if (text != NULL && text[0] == '-' && !str_starts(text, "-l") && !str_starts(text, "-L")) {
            return false;
        }
    }
    return true;
}

/* clang in g++'s mode, because host code may need the C++ library. */
static struct vec link_program(const struct args *args, const struct tools *tools,
                               const struct vec *objects, const char *output)
{
    struct vec words = {.items = NULL};
    if (args->action.as_nvcc && tools->clangxx != NULL) {
        vec_push(&words, tools->clangxx); /* build systems link with the same program */
    } else {
        VEC_PUSH(&words, tools->clang, "--driver-mode=g++");
    }
    vec_push(&words, "-fno-crash-diagnostics");
    if (args->target != NULL) {
        vec_push(&words, str_format("--target=%s", args->target));
    }
    if (args->output == OUTPUT_SHARED) {
        vec_push(&words, "-shared");
    }
    if (args->clang.debug != NULL) {
        vec_push(&words, "-g");
    }
    /* First, so that the user's own options override it. An overrun must not be able to change a
     * function pointer of the linker: all functions are resolved at the start, into pages that are
     * then read-only. */
    vec_push(&words, "-Wl,-z,relro,-z,now");
    if (args->action.as_nvcc && args->target == NULL) {
        vec_push(&words, str_format("-L%s/lib64", tools->toolkit));
    }
    /* The user's options may be meant for the default linker, and build systems read nvcc's
     * commands. */
    const char *lld = link_by_lld(tools, output);
    if (lld != NULL && !args->action.as_nvcc && has_plain_words(args)) {
        vec_push(&words, lld);
    }
    add_items(&words, args, tools, objects);
    add_runtime(&words, args, tools);
    VEC_PUSH(&words, "-o", output);
    return words;
}

/* Objects of the user are added as they are. */
static struct vec link_archive(const struct args *args, const struct tools *tools,
                               const struct vec *objects, const char *output)
{
    struct vec words = {.items = NULL};
    VEC_PUSH(&words, tools->archiver, "rcs", output);
    for (size_t i = 0; i < args->input_count; i++) {
        if (objects[i].count != 0) {
            push_all(&words, &objects[i]);
        } else {
            vec_push(&words, args->inputs[i].path);
        }
    }
    return words;
}

struct vec link_all(const struct args *args, const struct tools *tools, const struct vec *objects,
                    const char *output)
{
    if (args->output == OUTPUT_ARCHIVE) {
        return link_archive(args, tools, objects, output);
    }
    if (args->output == OUTPUT_DEVICE_LINK) {
        /* Device code is linked together with the host's. This output exists for the user's next
         * command. */
        struct vec words = {.items = NULL};
        VEC_PUSH(&words, joiner(tools, output), "-r", tools->registrar, "-o", output);
        return words;
    }
    return link_program(args, tools, objects, output);
}

static bool contains(const char *path, const char *text, size_t length)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) {
        if (fd >= 0) {
            close(fd);
        }
        return false;
    }
    size_t size = (size_t)info.st_size;
    const void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED) {
        return false;
    }
    bool found = memmem(bytes, size, text, length) != NULL;
    munmap((void *)(uintptr_t)bytes, size);
    return found;
}

/* Searches the file for the runtime's name, which a dynamic object has in its list of libraries. */
static bool uses_shared_runtime(const char *path)
{
    static const char name[] = "libcdprt.so";
    return contains(path, name, sizeof name);
}

bool link_loads_libraries(const struct args *args)
{
    static const char name[] = "cudaLibraryLoad";
    bool found = false;
    for (size_t i = 0; i < args->link_count && !found; i++) {
        const struct link_item *item = &args->link_items[i];
        const char *path = item->text != NULL ? item->text : args->inputs[item->input].path;
        found = path[0] != '-' && contains(path, name, sizeof name - 1);
    }
    return found;
}

/* Looks for lib<name>.so in the -L directories. */
static bool library_uses_shared_runtime(const struct args *args, const char *name)
{
    for (size_t i = 0; i < args->link_count; i++) {
        const char *word = args->link_items[i].text;
        if (word != NULL && str_starts(word, "-L") &&
            uses_shared_runtime(str_format("%s/lib%s.so", word + 2, name))) {
            return true;
        }
    }
    return false;
}

bool link_wants_shared_runtime(const struct args *args)
{
    if (args->output == OUTPUT_SHARED) {
        return true;
    }
    for (size_t i = 0; i < args->link_count; i++) {
        const char *word = args->link_items[i].text;
        if (word == NULL) {
            continue;
        }
        if (str_starts(word, "-l")
                ? library_uses_shared_runtime(args, word + 2)
                : word[0] != '-' && strstr(word, ".so") != NULL && uses_shared_runtime(word)) {
            return true;
        }
    }
    return false;
}
