/* A compilation: writes source and headers to a temporary directory, runs cdpcc there, and reads
 * what it wrote.
 *
 *     DIRECTORY/in/program.cu         #line 1 "NAME", the source, the name expressions
 *     DIRECTORY/h/h/h/h/h/h/NAME      the headers; so deep that "../name.h" stays in DIRECTORY
 *     DIRECTORY/out.ptx, names, depends, messages
 *
 * Messages name the program and its headers as the caller did. */
#include "program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/alloc.h"
#include "jit/image.h"
#include "jit/tool.h"

static const char header_path[] = "h/h/h/h/h/h";

/* ---- Files for cdpcc ---- */

/* Makes the directories of a path, below one that exists. */
static bool make_parents(char *path, size_t existing)
{
    for (char *slash = strchr(path + existing, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) {
            return false;
        }
    }
    return true;
}

static bool write_text(const char *directory, const char *name, const char *text)
{
    char *path = cdp_tool_format("%s/%s", directory, name);
    bool good = path != NULL && make_parents(path, strlen(directory) + 1) &&
                cdp_tool_write(path, text, strlen(text));
    cdp_free(path);
    return good;
}

static bool write_headers(nvrtcProgram program, const char *directory)
{
    for (size_t i = 0; i < program->header_count; i++) {
        char *name = cdp_tool_format("%s/%s", header_path, program->headers[i].name);
        bool good = name != NULL && write_text(directory, name, program->headers[i].text);
        cdp_free(name);
        if (!good) {
            return false;
        }
    }
    return true;
}

/* A name between quotes in a #line directive. */
static void write_quoted(FILE *out, const char *name)
{
    fputs("#line 1 \"", out);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\') {
            fputc('\\', out);
        }
        fputc(*name == '\n' ? ' ' : *name, out);
    }
    fputs("\"\n", out);
}

/* lower/names.c of cdpcc reads these variables. A message names the expression as its file. An
 * expression may be the address of a variable or kernel, or a kernel's name. */
static void write_names(FILE *out, nvrtcProgram program)
{
    for (size_t i = 0; i < program->name_count; i++) {
        const char *expression = program->names[i].expression;
        fputc('\n', out);
        write_quoted(out, expression);
        bool is_address = expression[strspn(expression, " \t")] == '&';
        fprintf(out,
                "extern \"C\" __attribute__((device)) const void *__cdp_name_%zu = "
                "(const void *)%s(%s);\n",
                i, is_address ? "" : "&", expression);
    }
}

static bool write_source(nvrtcProgram program, const struct nvrtc_options *options,
                         const char *directory)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return false;
    }
    if (options->is_default_device) {
        fputs("#pragma clang force_cuda_host_device begin\n"
              "#pragma clang attribute push(__attribute__((device)), "
              "apply_to = variable(is_global))\n",
              out);
    }
    write_quoted(out, program->name);
    fputs(program->source, out);
    if (options->is_default_device) {
        fputs("\n#pragma clang attribute pop\n#pragma clang force_cuda_host_device end\n", out);
    }
    write_names(out, program);
    bool good = fclose(out) == 0 && write_text(directory, "in/program.cu", text);
    free(text); /* it is open_memstream's */
    return good;
}

/* ---- The command ---- */

/* The directory of the program's name: "#include" with quotes searches there. */
static void add_name_directory(struct nvrtc_words *words, const char *name)
{
    const char *slash = strrchr(name, '/');
    nvrtc_words_add(words, "-iquote");
    nvrtc_words_add(words, "%.*s", slash == NULL ? 1 : (int)(slash - name + 1),
                    slash == NULL ? "." : name);
}

static struct nvrtc_words command(nvrtcProgram program, const struct nvrtc_options *options,
                                  const char *cdpcc, const char *directory)
{
    struct nvrtc_words words = {.items = NULL};
    nvrtc_words_add(&words, "%s", cdpcc);
    nvrtc_words_add(&words, "--rtc");
    nvrtc_words_add(&words, "--rtc-names=%s/names", directory);
    nvrtc_words_add(&words, "-ptx");
    nvrtc_words_add(&words, "-o");
    nvrtc_words_add(&words, "%s/out.ptx", directory);
    nvrtc_words_add(&words, "-MD");
    nvrtc_words_add(&words, "-MF");
    nvrtc_words_add(&words, "%s/depends", directory);
    nvrtc_words_add(&words, "-I%s/%s", directory, header_path);
    if (!options->no_source_include) {
        add_name_directory(&words, program->name);
    }
    for (size_t i = 0; i < options->words.count; i++) {
        nvrtc_words_add(&words, "%s", options->words.items[i]);
    }
    nvrtc_words_add(&words, "%s/in/program.cu", directory);
    return words;
}

/* ---- What it wrote ---- */

/* Replaces each occurrence of a word, which is not shorter than what takes its place. */
static void replace(struct nvrtc_text *text, const char *word, const char *with)
{
    size_t length = strlen(word), with_length = strlen(with);
    char *to = text->bytes;
    for (const char *from = text->bytes; *from != '\0';) {
        if (strncmp(from, word, length) == 0) {
            from += length;
            memcpy(to, with, with_length);
            to += with_length;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    text->size = (size_t)(to - text->bytes);
}

/* Messages name what is in the directory without it. Lists of files get NVRTC_TEMPORARY instead. */
static void hide_directory(struct nvrtc_text *text, const char *directory, const char *with)
{
    char *headers = cdp_tool_format("%s/%s/", directory, header_path);
    char *inputs = cdp_tool_format("%s/", directory);
    if (headers != NULL && inputs != NULL && text->bytes != NULL) {
        replace(text, headers, with);
        replace(text, inputs, with);
    }
    cdp_free(headers);
    cdp_free(inputs);
}

static struct nvrtc_text read_text(const char *directory, const char *name)
{
    struct nvrtc_text text = {.bytes = NULL};
    char *path = cdp_tool_format("%s/%s", directory, name);
    if (path != NULL) {
        text.bytes = cdp_tool_read(path, &text.size);
    }
    cdp_free(path);
    return text;
}

void nvrtc_result_finish(struct nvrtc_result *result)
{
    cdp_free(result->log.bytes);
    cdp_free(result->ptx.bytes);
    cdp_free(result->names.bytes);
    cdp_free(result->depends.bytes);
    *result = (struct nvrtc_result){.log.bytes = NULL};
}

/* Compiles in the directory. The status of cdpcc, or -1. */
static int run_in(nvrtcProgram program, const struct nvrtc_options *options, const char *cdpcc,
                  const char *directory, struct nvrtc_result *result)
{
    struct nvrtc_words words = command(program, options, cdpcc, directory);
    char *messages = cdp_tool_format("%s/messages", directory);
    int status = -1;
    if (!words.failed && messages != NULL && write_headers(program, directory) &&
        write_source(program, options, directory)) {
        status = cdp_tool_run((const char *const *)(void *)words.items, messages);
    }
    nvrtc_words_finish(&words);
    cdp_free(messages);
    result->log = read_text(directory, "messages");
    hide_directory(&result->log, directory, "");
    if (status == 0) {
        result->ptx = read_text(directory, "out.ptx");
        result->names = read_text(directory, "names");
        result->depends = read_text(directory, "depends");
        hide_directory(&result->depends, directory, NVRTC_TEMPORARY);
    }
    return status;
}

static nvrtcResult run(nvrtcProgram program, const struct nvrtc_options *options, const char *cdpcc,
                       struct nvrtc_result *result)
{
    for (size_t i = 0; i < program->header_count; i++) {
        if (program->headers[i].name[0] == '/') {
            result->log.bytes = cdp_tool_format(
                "nvrtc: error: the header '%s' has an absolute name; give it a relative one\n",
                program->headers[i].name);
            result->log.size = result->log.bytes != NULL ? strlen(result->log.bytes) : 0;
            return NVRTC_ERROR_COMPILATION;
        }
    }
    char *directory = cdp_tool_directory();
    if (directory == NULL) {
        result->log.bytes = cdp_tool_format(
            "nvrtc: error: cannot make a temporary directory in TMPDIR or /tmp: %s\n",
            strerror(errno));
        result->log.size = result->log.bytes != NULL ? strlen(result->log.bytes) : 0;
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    int status = run_in(program, options, cdpcc, directory, result);
    cdp_tool_remove(directory);
    if (status != 0) {
        return status < 0 ? NVRTC_ERROR_OUT_OF_MEMORY : NVRTC_ERROR_COMPILATION;
    }
    return result->ptx.bytes != NULL ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

/* ---- Results for the program ---- */

/* Lines with the number of a name expression and its symbol. */
static bool take_names(nvrtcProgram program, char *lines)
{
    char *save, *line = lines != NULL ? strtok_r(lines, "\n", &save) : NULL;
    for (; line != NULL; line = strtok_r(NULL, "\n", &save)) {
        char *end;
        size_t number = strtoul(line, &end, 10);
        if (number >= program->name_count || *end != ' ') {
            continue;
        }
        cdp_free(program->names[number].lowered);
        program->names[number].lowered = cdp_tool_format("%s", end + 1);
        if (program->names[number].lowered == NULL) {
            return false;
        }
    }
    return true;
}

static nvrtcResult take(nvrtcProgram program, struct nvrtc_result *result)
{
    struct cdp_image image;
    if (!take_names(program, result->names.bytes) ||
        cdp_image_open(&image, result->ptx.bytes, result->ptx.size) != CDP_IMAGE_OK) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    program->ptx = result->ptx;
    result->ptx.bytes = NULL;
    program->binary = (struct nvrtc_text){image.owned, image.size};
    return NVRTC_SUCCESS;
}

/* ---- --time ---- */

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

/* A table with one phase, which is the whole compilation. */
static nvrtcResult write_time(nvrtcProgram program, const char *path, double ms)
{
    static const char head[] = "File name, phase name, metric, unit\n";
    bool in_log = strcmp(path, "-") == 0;
    const char *before = in_log && program->log.bytes != NULL ? program->log.bytes : "";
    char *text = cdp_tool_format("%s%s%s, cdpcc, %.0f, ms\n", before, head, program->name, ms);
    if (text == NULL) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    if (in_log) {
        cdp_free(program->log.bytes);
        program->log = (struct nvrtc_text){text, strlen(text)};
        return NVRTC_SUCCESS;
    }
    bool written = cdp_tool_write(path, text, strlen(text));
    cdp_free(text);
    return written ? NVRTC_SUCCESS : NVRTC_ERROR_TIME_FILE_WRITE_FAILED;
}

nvrtcResult nvrtc_compile(nvrtcProgram program, const struct nvrtc_options *options,
                          const char *cdpcc)
{
    double start = now_ms();
    struct nvrtc_result result = {.log.bytes = NULL};
    struct nvrtc_cache_entry entry;
    bool has_cache = nvrtc_cache_open(&entry, program, options, cdpcc);
    nvrtcResult compiled = NVRTC_SUCCESS;
    if (!has_cache || !nvrtc_cache_load(&entry, &result)) {
        compiled = run(program, options, cdpcc, &result);
        if (has_cache && compiled == NVRTC_SUCCESS) {
            nvrtc_cache_store(&entry, &result);
        }
    }
    if (has_cache) {
        nvrtc_cache_close(&entry);
    }
    program->log = result.log;
    result.log.bytes = NULL;
    if (compiled == NVRTC_SUCCESS) {
        compiled = take(program, &result);
    }
    nvrtc_result_finish(&result);
    if (compiled == NVRTC_SUCCESS && options->time_file != NULL) {
        compiled = write_time(program, options->time_file, now_ms() - start);
    }
    return compiled;
}
