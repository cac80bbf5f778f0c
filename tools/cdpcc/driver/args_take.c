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

TAKE(ignore)
{
    return 0;
}

/* The option is the word read last. */
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

TAKE(kind_none)
{
    return set_kind(reader->args, OUTPUT_NONE);
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

TAKE(run_arguments)
{
    return args_split_words(&reader->args->action.run_arguments, "-run-args", value);
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
    return args_refuse("-x", value, "cu, c, c++, assembler or none");
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
    struct vec pieces = {.items = NULL};
    args_split_commas(&pieces, value);
    for (size_t i = 0; i < pieces.count; i++) {
        vec_push(&reader->args->clang.front, str_format("%s%s", row->word, pieces.items[i]));
    }
    return 0;
}

TAKE(front_pair)
{
    VEC_PUSH(&reader->args->clang.front, row->word, value);
    return 0;
}

TAKE(front_pairs)
{
    struct vec pieces = {.items = NULL};
    args_split_commas(&pieces, value);
    for (size_t i = 0; i < pieces.count; i++) {
        VEC_PUSH(&reader->args->clang.front, row->word, pieces.items[i]);
    }
    return 0;
}

TAKE(front_equals)
{
    vec_push(&reader->args->clang.front, str_format("%s=%s", row->word, value));
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
    return args_refuse("--cdp", value, "auto, 1 or 2");
}

TAKE(arch)
{
    return args_note_arch(reader, "-arch", value);
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
        if (args_note_arch(&scratch, "-code", pieces.items[i]) != 0) {
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
        return args_refuse("-gencode", value, "arch=compute_NN,code=sm_NN");
    }
    arch += strlen("arch=");
    return args_note_arch(reader, "-gencode", str_copy(arch, strcspn(arch, ",")));
}

TAKE(rdc)
{
    bool on = true;
    int failed = args_read_bool("-rdc", value, &on);
    reader->args->device.no_device_launch = !on;
    return failed;
}

TAKE(fmad)
{
    bool on = true;
    int failed = args_read_bool("-fmad", value, &on);
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
        return args_refuse("--entry", value, "thread or block");
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

/* nvcc's option of this name has a value: the file that it adds a table to. */
TAKE(time)
{
    if (value != NULL || reader->args->action.as_nvcc) {
        diag_error("option '%s' is not supported: cdpcc writes no file of times; cdpcc --time "
                   "prints a table",
                   reader->words.items[reader->next - 1]);
        return 1;
    }
    reader->args->action.time = true;
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
    return args_refuse("--default-stream", value, "legacy, null or per-thread");
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
        return args_refuse("-O", value, "0, 1, 2, 3, s, g or fast");
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
               : args_refuse("--target", value, "aarch64-linux-gnu or x86_64-linux-gnu");
}

TAKE(machine)
{
    return str_equals(value, "64") ? 0 : args_refuse("-m", value, "64");
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
                return args_refuse("-fsanitize", names.items[i], "address, undefined or thread");
            }
        }
        bool is_address = str_equals(names.items[i], "address");
        bool is_thread = str_equals(names.items[i], "thread");
        reader->args->sanitize.any = true;
        reader->args->sanitize.address |= is_address;
        reader->args->sanitize.thread |= is_thread;
        reader->args->sanitize.others |= !is_address && !is_thread;
    }
    const char *word = str_format("-fsanitize=%s", value);
    vec_push(&reader->args->clang.front, word);
    args_add_link_word(reader->args, word);
    return 0;
}

/* nvcc's names of compute-sanitizer's tools. */
TAKE(sanitizer_tool)
{
    static const struct {
        const char *tool, *check;
    } tools[] = {{"memcheck", "memory"},
                 {"racecheck", "race"},
                 {"initcheck", "init"},
                 {"synccheck", "sync"}};
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
        if (str_equals(tools[i].tool, value)) {
            check_take(&reader->args->device.checks, tools[i].check);
            return 0;
        }
    }
    return args_refuse("--sanitize", value, "memcheck, racecheck, initcheck or synccheck");
}

TAKE(check)
{
    const char *wrong = check_take(&reader->args->device.checks, value);
    return wrong == NULL ? 0 : args_refuse("--check", wrong, check_names(NULL));
}

TAKE(race)
{
    if (!str_equals(value, "strict")) {
        return args_refuse("--race", value, "strict");
    }
    reader->args->device.checks.on[CHECK_RACE] = true;
    reader->args->device.checks.is_strict = true;
    return 0;
}

TAKE(count)
{
    reader->args->device.checks.counts = true;
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

TAKE(profile)
{
    vec_push(&reader->args->clang.front_host, row->word);
    args_add_link_word(reader->args, row->word);
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

TAKE(compiler_options)
{
    struct vec words = {.items = NULL};
    if (args_split_list(&words, "-Xcompiler", value) != 0) {
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
    if (args_split_list(&words, "-Xlinker", value) != 0) {
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
    struct vec pieces = {.items = NULL};
    args_split_commas(&pieces, value);
    for (size_t i = 0; i < pieces.count; i++) {
        args_add_link_word(reader->args, str_format("%s%s", row->word, pieces.items[i]));
    }
    return 0;
}

/* nvcc's script helps the linker with objects that are larger than those of cdpcc can be. */
TAKE(linker_script)
{
    if (str_equals(value, "use-lcs")) {
        return 0;
    }
    if (str_equals(value, "gen-lcs")) {
        diag_error("option '--host-linker-script=gen-lcs' is not supported: %s", row->word);
        return 1;
    }
    return args_refuse("--host-linker-script", value, "use-lcs");
}

TAKE(library)
{
    struct vec pieces = {.items = NULL};
    str_split_commas(&pieces, value);
    for (size_t i = 0; i < pieces.count; i++) {
        args_add_library(reader->args, pieces.items[i]);
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
        return args_refuse("-cudart", value, "static, shared or none");
    }
    return 0;
}

TAKE(no_warnings)
{
    reader->args->device.warnings.none = true;
    vec_push(&reader->args->clang.front, row->word);
    return 0;
}

TAKE(warning)
{
    return args_take_warning(reader, value);
}

TAKE(werror)
{
    return args_take_werror(reader, value);
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

TAKE(keep_directory)
{
    reader->args->action.keep_directory = value;
    return 0;
}

TAKE(brief)
{
    bool on = false;
    int failed = args_read_bool("--brief-diagnostics", value, &on);
    if (on) {
        vec_push(&reader->args->clang.front, "-fno-caret-diagnostics");
    }
    return failed;
}

TAKE(list_codes)
{
    reader->args->action.list_codes = true;
    return 0;
}

TAKE(list_arches)
{
    reader->args->action.list_arches = true;
    return 0;
}

/* An option with no effect here, whose value must be right nevertheless. */
TAKE(ignore_bool)
{
    bool on;
    return args_read_bool(row->word, value, &on);
}

TAKE(help)
{
    reader->args->action.help = true;
    return 0;
}

TAKE(init)
{
    if (!str_equals(value, "clangd") && !str_equals(value, "vscode")) {
        return args_refuse("--init", value, "clangd or vscode");
    }
    reader->args->action.init = value;
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
        return args_refuse("--threads", value, "a number from 0 to 1024");
    }
    reader->args->action.threads =
        count != 0 ? (unsigned)count : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    return 0;
}

TAKE(forward_unknown)
{
    reader->forward_compiler |= !str_equals(row->word, "linker");
    reader->forward_linker |= !str_equals(row->word, "compiler");
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
