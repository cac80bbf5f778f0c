/* The implementation of the options: one function for each kind of option, and their table.
 *
 * A handler gets the row of the table and the option's value, which is NULL for a flag. Rows that
 * share a handler differ in their word. args.def has the table; --help prints its texts.
 *
 * Most handlers add a word to one of the lists for clang or the linker. The others set a field of
 * struct args. A wrong value is refused here, with the values that are known, and not by a tool
 * that is called later. */
#include "driver/args_table.h"
#include "driver/diag.h"
#include "support/arena.h"
#include "support/str.h"
#include "target/target.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every handler below has this form; not all need all of it. */
#define TAKE(name)                                                                                 \
    static int take_##name(struct args_reader *reader __attribute__((unused)),                     \
                           const struct args_row *row __attribute__((unused)),                     \
                           const char *value __attribute__((unused)))

void args_add_link_word(struct args *args, const char *text)
{
    args->link_items = arena_grow(args->link_items, args->link_count * sizeof(*args->link_items),
                                  (args->link_count + 1) * sizeof(*args->link_items));
    args->link_items[args->link_count++] = (struct link_item){.text = text};
}

/* Always returns 1, the result of a handler that has failed. */
static int refuse(const char *option, const char *value, const char *known)
{
    diag_error("'%s' is not a value of option '%s'; it takes %s", value, option, known);
    return 1;
}

TAKE(ignore)
{
    return 0;
}

TAKE(unsupported)
{
    const char *option = reader->words.items[reader->next - 1];
    diag_error("option '%s' is not supported: %s", option, row->word);
    return 1;
}

/* Outputs. */

/* The kinds are in the order of their strength, see enum output_kind. */
static int set_kind(struct args *args, enum output_kind kind)
{
    if (kind > args->output) {
        args->output = kind;
    }
    return 0;
}

TAKE(kind_object)
{
    return set_kind(reader->args, OUTPUT_OBJECT);
}

TAKE(kind_shared)
{
    reader->args->device.pic = true;
    return set_kind(reader->args, OUTPUT_SHARED);
}

TAKE(kind_module)
{
    reader->args->device.pic = true;
    reader->args->module_extension = row->word;
    return set_kind(reader->args, OUTPUT_MODULE);
}

TAKE(kind_archive)
{
    return set_kind(reader->args, OUTPUT_ARCHIVE);
}

TAKE(kind_device_link)
{
    return set_kind(reader->args, OUTPUT_DEVICE_LINK);
}

TAKE(kind_link)
{
    return set_kind(reader->args, OUTPUT_PROGRAM);
}

TAKE(kind_preprocess)
{
    return set_kind(reader->args, OUTPUT_PREPROCESSED);
}

TAKE(kind_assembly)
{
    return set_kind(reader->args, OUTPUT_ASSEMBLY);
}

TAKE(kind_depend)
{
    vec_push(&reader->args->clang.depend, row->word);
    return set_kind(reader->args, OUTPUT_DEPENDENCIES);
}

TAKE(emit_llvm)
{
    reader->emit_llvm = true;
    return 0;
}

TAKE(side)
{
    reader->args->side = str_equals(row->word, "host") ? SIDE_HOST : SIDE_DEVICE;
    return 0;
}

TAKE(output)
{
    reader->args->output_path = value;
    return 0;
}

TAKE(output_directory)
{
    reader->args->output_directory = value;
    return 0;
}

TAKE(run)
{
    reader->args->action.run = true;
    return 0;
}

/* The words of an option's value. Returns 0, or 1 after printing an error. */
static int split_words(struct vec *out, const char *option, const char *value)
{
    if (str_split_words(out, value)) {
        return 0;
    }
    diag_error("the value of option '%s' ends within a quotation: %s", option, value);
    return 1;
}

TAKE(run_arguments)
{
    return split_words(&reader->args->action.run_arguments, "-run-args", value);
}

/* Language and preprocessor. */

/* "none" makes the extension count again. */
TAKE(language)
{
    static const struct {
        const char *name;
        enum language language;
    } names[] = {
        {"cu", LANGUAGE_CUDA},
        {"cuda", LANGUAGE_CUDA},
        {"c", LANGUAGE_C},
        {"c++", LANGUAGE_CXX},
        {"assembler", LANGUAGE_ASSEMBLY},
        {"assembler-with-cpp", LANGUAGE_ASSEMBLY},
        {"none", LANGUAGE_LINK},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (str_equals(names[i].name, value)) {
            reader->language = names[i].language;
            return 0;
        }
    }
    return refuse("-x", value, "cu, c, c++, assembler or none");
}

TAKE(standard)
{
    reader->args->clang.standard = value;
    return 0;
}

TAKE(front)
{
    vec_push(&reader->args->clang.front, row->word);
    return 0;
}

TAKE(front_word)
{
    vec_push(&reader->args->clang.front, value);
    return 0;
}

/* The macro chooses the first generation of dynamic parallelism in NVIDIA's headers, so it also
 * chooses the mode here. */
TAKE(front_joined)
{
    if (str_equals(row->word, "-D") &&
        strcspn(value, "=") == strlen("CUDA_FORCE_CDP1_IF_SUPPORTED") &&
        str_starts(value, "CUDA_FORCE_CDP1_IF_SUPPORTED")) {
        reader->force_cdp1 = true;
    }
    vec_push(&reader->args->clang.front, str_format("%s%s", row->word, value));
    return 0;
}

TAKE(front_pair)
{
    VEC_PUSH(&reader->args->clang.front, row->word, value);
    return 0;
}

TAKE(front_host)
{
    vec_push(&reader->args->clang.front_host, row->word);
    return 0;
}

TAKE(front_host_word)
{
    vec_push(&reader->args->clang.front_host, value);
    return 0;
}

TAKE(front_device_word)
{
    vec_push(&reader->args->clang.front_device, value);
    return 0;
}

TAKE(depend)
{
    vec_push(&reader->args->clang.depend, row->word);
    return 0;
}

TAKE(depend_file)
{
    reader->args->clang.depend_file = value;
    return 0;
}

TAKE(depend_target)
{
    reader->args->clang.depend_target_given = true;
    VEC_PUSH(&reader->args->clang.depend, row->word, value);
    return 0;
}

/* Device code. */

TAKE(mode)
{
    static const char *const names[] = {"auto", "1", "2"};
    for (int i = 0; i < 3; i++) {
        if (str_equals(names[i], value)) {
            reader->args->device.mode = (enum cdp_mode)i;
            reader->mode_given = true;
            return 0;
        }
    }
    return refuse("--cdp", value, "auto, 1 or 2");
}

/* Records "sm_90a" or "compute_35"; of several the highest counts. */
static int note_arch(struct args_reader *reader, const char *option, const char *value)
{
    static const char *const any[] = {"native", "all", "all-major"};
    for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++) {
        if (str_equals(any[i], value)) {
            return 0;
        }
    }
    const char *number = strchr(value, '_');
    char *end = NULL;
    unsigned long arch = number == NULL ? 0 : strtoul(number + 1, &end, 10);
    bool suffix_ok =
        end != NULL && (*end == '\0' || (strchr("af", *end) != NULL && end[1] == '\0'));
    if ((!str_starts(value, "sm_") && !str_starts(value, "compute_") &&
         !str_starts(value, "lto_")) ||
        !suffix_ok || arch < 10 || arch > 999) {
        return refuse(option, value, "sm_NN or compute_NN");
    }
    if (!reader->arch_given || arch * 10 > reader->args->device.arch) {
        reader->args->device.arch = (unsigned)arch * 10;
    }
    reader->arch_given = true;
    return 0;
}

TAKE(arch)
{
    return note_arch(reader, "-arch", value);
}

/* The code list names machines for the virtual architecture of -arch. Only that architecture
 * decides what the source sees. */
TAKE(code)
{
    struct args_reader scratch = *reader;
    struct args args = *reader->args;
    scratch.args = &args;
    struct vec pieces = {.items = NULL};
    str_split_commas(&pieces, value);
    for (size_t i = 0; i < pieces.count; i++) {
        if (note_arch(&scratch, "-code", pieces.items[i]) != 0) {
            return 1;
        }
    }
    return 0;
}

/* The virtual architecture counts, as in -arch. */
TAKE(gencode)
{
    const char *arch = strstr(value, "arch=");
    if (arch == NULL) {
        return refuse("-gencode", value, "arch=compute_NN,code=sm_NN");
    }
    arch += strlen("arch=");
    return note_arch(reader, "-gencode", str_copy(arch, strcspn(arch, ",")));
}

static int read_bool(const char *option, const char *value, bool *out)
{
    if (!str_equals(value, "true") && !str_equals(value, "false")) {
        return refuse(option, value, "true or false");
    }
    *out = value[0] == 't';
    return 0;
}

TAKE(rdc)
{
    bool on = true;
    int failed = read_bool("-rdc", value, &on);
    reader->args->device.no_device_launch = !on;
    return failed;
}

TAKE(fmad)
{
    bool on = true;
    int failed = read_bool("-fmad", value, &on);
    reader->args->device.contract = on ? "fast" : "off";
    return failed;
}

TAKE(debug_device)
{
    reader->args->device.debug = true;
    return 0;
}

TAKE(line_info)
{
    reader->args->device.line_info = true;
    return 0;
}

TAKE(entry)
{
    if (!str_equals(value, "thread") && !str_equals(value, "block")) {
        return refuse("--entry", value, "thread or block");
    }
    reader->args->device.entry = str_equals(value, "block") ? ENTRY_BLOCK : ENTRY_THREAD;
    return 0;
}

TAKE(explain)
{
    reader->args->device.explain = EXPLAIN_KERNELS;
    return 0;
}

TAKE(explain_plan)
{
    reader->args->device.explain = EXPLAIN_PLAN;
    return 0;
}

TAKE(explain_json)
{
    reader->args->device.explain = EXPLAIN_JSON;
    return 0;
}

TAKE(fast_math)
{
    reader->args->device.fast_math = true;
    return 0;
}

/* The macro is NVIDIA's own, and the headers read it. */
TAKE(default_stream)
{
    if (str_equals(value, "per-thread")) {
        vec_push(&reader->args->clang.front, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        return 0;
    }
    if (str_equals(value, "legacy") || str_equals(value, "null")) {
        return 0;
    }
    return refuse("--default-stream", value, "legacy, null or per-thread");
}

/* Code generation. */

/* -O alone is -O1. */
TAKE(optimize)
{
    if (value == NULL) {
        value = "1";
    }
    bool known = value[0] != '\0' && value[1] == '\0' && strchr("0123sgz", value[0]) != NULL;
    if (!known && !str_equals(value, "fast")) {
        return refuse("-O", value, "0, 1, 2, 3, s, g or fast");
    }
    reader->args->clang.optimize = value;
    return 0;
}

TAKE(debug)
{
    reader->args->clang.debug = row->word;
    return 0;
}

TAKE(march)
{
    reader->args->device.cpu = value;
    return 0;
}

TAKE(target)
{
    reader->args->target = target_find(value);
    return reader->args->target != NULL
               ? 0
               : refuse("--target", value, "aarch64-linux-gnu or x86_64-linux-gnu");
}

TAKE(machine)
{
    return str_equals(value, "64") ? 0 : refuse("-m", value, "64");
}

/* clang decides about the other names. The word is also for the linker, which adds the
 * libraries. */
TAKE(sanitize)
{
    static const char *const refused[] = {"memory",   "hwaddress",  "kernel-address",
                                          "dataflow", "safe-stack", "cfi",
                                          "fuzzer",   "realtime",   "type"};
    struct vec names = {.items = NULL};
    str_split_commas(&names, value);
    for (size_t i = 0; i < names.count; i++) {
        for (size_t k = 0; k < sizeof(refused) / sizeof(refused[0]); k++) {
            if (str_equals(names.items[i], refused[k])) {
                return refuse("-fsanitize", names.items[i], "address, undefined or thread");
            }
        }
        reader->args->sanitize.any = true;
        reader->args->sanitize.address |= str_equals(names.items[i], "address");
        reader->args->sanitize.thread |= str_equals(names.items[i], "thread");
    }
    const char *word = str_format("-fsanitize=%s", value);
    vec_push(&reader->args->clang.front, word);
    args_add_link_word(reader->args, word);
    return 0;
}

TAKE(check)
{
    const char *wrong = check_take(&reader->args->device.checks, value);
    return wrong == NULL ? 0 : refuse("--check", wrong, check_names(NULL));
}

TAKE(race)
{
    if (!str_equals(value, "strict")) {
        return refuse("--race", value, "strict");
    }
    reader->args->device.checks.on[CHECK_RACE] = true;
    reader->args->device.checks.is_strict = true;
    return 0;
}

/* Device code keeps its optimization: the lines of reports are those of the source nevertheless. */
TAKE(lab)
{
    struct args *args = reader->args;
    args->action.lab = true;
    args->clang.debug = "-g";
    check_take(&args->device.checks, NULL);
    return 0;
}

TAKE(pic)
{
    reader->args->device.pic = true;
    return 0;
}

TAKE(no_pie)
{
    reader->args->device.position_independent = false;
    vec_push(&reader->args->clang.front, "-fno-pie");
    if (str_equals(row->word, "-no-pie")) {
        args_add_link_word(reader->args, "-no-pie");
    }
    return 0;
}

TAKE(host_fast_math)
{
    reader->args->device.fast_math = true;
    vec_push(&reader->args->clang.front_host, row->word);
    return 0;
}

/* An option that the host's code and the link both need. */
TAKE(host_and_link)
{
    const char *word = value != NULL ? value : reader->words.items[reader->next - 1];
    vec_push(&reader->args->clang.front_host, word);
    args_add_link_word(reader->args, word);
    return 0;
}

/* Other programs' options. */

/* A word for the host compiler. Words that affect the meaning of the source, or the compatibility
 * of both halves, are passed to the device compilation too, as in nvcc. */
int args_take_compiler_word(struct args_reader *reader, const char *word)
{
    static const char *const both[] = {
        "-D",      "-U",         "-I",      "-fPIC",    "-fpic",     "-fno-pi",    "-no-pie",
        "-std=",   "-fsanitize", "-march=", "-fopenmp", "-fprofile", "--coverage", "-pthread",
        "-static", "-rdynamic",  "-pie",    "-W",       "-L",        "-l"};
    if (word[0] != '-') {
        vec_push(&reader->args->clang.front_host, word);
        return 0;
    }
    for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
        if (str_starts(word, both[i]) && word[2] != '\0') {
            return args_read_option(reader, word);
        }
    }
    vec_push(&reader->args->clang.front_host, word);
    return 0;
}

/* The words of a list for another program. Commas outside quotations also separate words. */
static int split_list(struct vec *out, const char *option, const char *value)
{
    char *text = str_copy(value, strlen(value)), quote = '\0';
    for (char *at = text; *at != '\0'; at++) {
        if (*at == '\\' && quote != '\'' && at[1] != '\0') {
            at++;
        } else if (*at == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*at == '"' || *at == '\'')) {
            quote = *at;
        } else if (quote == '\0' && *at == ',') {
            *at = ' ';
        }
    }
    return split_words(out, option, text);
}

TAKE(compiler_options)
{
    struct vec words = {.items = NULL};
    if (split_list(&words, "-Xcompiler", value) != 0) {
        return 1;
    }
    for (size_t i = 0; i < words.count; i++) {
        if (args_take_compiler_word(reader, words.items[i]) != 0) {
            return 1;
        }
    }
    return 0;
}

TAKE(linker_options)
{
    struct vec words = {.items = NULL};
    if (split_list(&words, "-Xlinker", value) != 0) {
        return 1;
    }
    for (size_t i = 0; i < words.count; i++) {
        args_add_link_word(reader->args, "-Xlinker");
        args_add_link_word(reader->args, words.items[i]);
    }
    return 0;
}

TAKE(link)
{
    args_add_link_word(reader->args, row->word);
    return 0;
}

TAKE(link_word)
{
    args_add_link_word(reader->args, value);
    return 0;
}

TAKE(link_equals)
{
    args_add_link_word(reader->args, str_format("%s=%s", row->word, value));
    return 0;
}

TAKE(link_joined)
{
    args_add_link_word(reader->args, str_format("%s%s", row->word, value));
    return 0;
}

/* Libraries of the CUDA toolkit that our runtime or headers replace. */
static bool is_ours(const char *library)
{
    static const char *const names[] = {"cudart", "cudart_static", "cudadevrt", "cuda",
                                        "nvToolsExt", "cudart-static",
                                        /* parts of NVIDIA's libnvrtc_static */
                                        "nvrtc-builtins_static", "nvptxcompiler_static"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (str_equals(names[i], library)) {
            return true;
        }
    }
    return false;
}

TAKE(library)
{
    struct vec pieces = {.items = NULL};
    str_split_commas(&pieces, value);
    for (size_t i = 0; i < pieces.count; i++) {
        if (str_equals(pieces.items[i], "cuda")) { /* modules use the runtime of the program */
            reader->args->action.loads_modules = true;
        }
        if (!is_ours(pieces.items[i])) {
            args_add_link_word(reader->args, str_format("-l%s", pieces.items[i]));
        }
    }
    return 0;
}

TAKE(rtc)
{
    reader->args->clang.no_host_headers = true;
    return 0;
}

TAKE(rtc_names)
{
    reader->args->device.names = value;
    return 0;
}

TAKE(cudart)
{
    reader->args->action.shared_runtime = str_equals(value, "shared");
    reader->args->action.no_runtime = str_equals(value, "none");
    if (!reader->args->action.shared_runtime && !reader->args->action.no_runtime &&
        !str_equals(value, "static")) {
        return refuse("-cudart", value, "static, shared or none");
    }
    return 0;
}

TAKE(no_warnings)
{
    reader->args->device.warnings.none = true;
    vec_push(&reader->args->clang.front, row->word);
    return 0;
}

/* "-W...": cdpcc's own warnings, or clang's. */
static int take_warning_word(struct args_reader *reader, const char *word)
{
    bool unknown;
    if (!warning_take(&reader->args->device.warnings, word, &unknown)) {
        vec_push(&reader->args->clang.front, word);
    } else if (unknown) {
        diag_error("'%s' is not a warning of cdpcc; cdpcc --help lists them", word);
        return 1;
    }
    return 0;
}

TAKE(warning)
{
    return take_warning_word(reader, value);
}

/* Both "-Werror" and nvcc's "-Werror KIND" are written. */
TAKE(werror)
{
    static const char *const kinds[] = {
        "all-warnings",           "cross-execution-space-call", "reorder",
        "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
        "deprecated-declarations"};
    const char *text = strchr(value, '=');
    const char *kind = text == NULL ? NULL : text + 1;
    if (kind == NULL && reader->next < reader->words.count) {
        kind = reader->words.items[reader->next];
    }
    for (size_t i = 0; kind != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (str_starts(kind, kinds[i])) {
            reader->next += text == NULL;
            return i == 0 ? take_warning_word(reader, "-Werror") : 0;
        }
    }
    return take_warning_word(reader, value[1] == '-' ? value + 1 : value);
}

/* The driver itself. */

TAKE(verbose)
{
    reader->args->action.verbose = true;
    return 0;
}

TAKE(show_plan)
{
    reader->args->action.show_plan = true;
    return 0;
}

TAKE(keep)
{
    reader->args->action.keep = true;
    return 0;
}

TAKE(help)
{
    reader->args->action.help = true;
    return 0;
}

TAKE(version)
{
    reader->args->action.version = true;
    return 0;
}

/* 0 means one for each processor. */
TAKE(threads)
{
    char *end;
    unsigned long count = strtoul(value, &end, 10);
    if (!isdigit((unsigned char)*value) || *end != '\0' || count > 1024) {
        return refuse("--threads", value, "a number from 0 to 1024");
    }
    reader->args->action.threads =
        count != 0 ? (unsigned)count : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    return 0;
}

TAKE(forward_unknown)
{
    reader->forward_unknown = true;
    return 0;
}

/* --options-file FILE,FILE is the same as @FILE @FILE. */
TAKE(options_file)
{
    struct vec files = {.items = NULL}, words = {.items = NULL};
    str_split_commas(&files, value);
    for (size_t i = 0; i < files.count; i++) {
        vec_push(&words, str_format("@%s", files.items[i]));
    }
    args_insert_words(reader, words);
    return 0;
}

const struct args_row args_table[] = {
#define ARG(names, form, take, word, help) {names, ARGS_##form, take_##take, word, help},
#include "driver/args.def"
#undef ARG
};
const size_t args_table_count = sizeof(args_table) / sizeof(args_table[0]);
