/* The calls of nvrtc.h. */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "jit/tool.h"

/* ---- Words ---- */

void nvrtc_words_add(struct nvrtc_words *words, const char *format, ...)
{
    char **items = cdp_realloc(words->items, (words->count + 2) * sizeof *items);
    words->items = items != NULL ? items : words->items;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *text = items != NULL && length >= 0 ? cdp_alloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
        words->items[words->count++] = text;
        words->items[words->count] = NULL;
    }
    words->failed |= text == NULL;
    va_end(again);
    va_end(args);
}

void nvrtc_words_finish(struct nvrtc_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        cdp_free(words->items[i]);
    }
    cdp_free(words->items);
    *words = (struct nvrtc_words){.items = NULL};
}

/* ---- The library ---- */

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {
        "NVRTC_SUCCESS",
        "NVRTC_ERROR_OUT_OF_MEMORY",
        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
        "NVRTC_ERROR_INVALID_INPUT",
        "NVRTC_ERROR_INVALID_PROGRAM",
        "NVRTC_ERROR_INVALID_OPTION",
        "NVRTC_ERROR_COMPILATION",
        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
        "NVRTC_ERROR_INTERNAL_ERROR",
        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
        "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
        "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
        "NVRTC_ERROR_PCH_CREATE",
        "NVRTC_ERROR_CANCELLED",
        "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
    };
    size_t number = (size_t)result;
    return number < sizeof names / sizeof *names ? names[number] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (major == NULL || minor == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *major = 12;
    *minor = 9;
    return NVRTC_SUCCESS;
}

/* Those of version 12.9. */
static const int archs[] = {50, 52, 53, 60, 61,  62,  70,  72,  75, 80,
                            86, 87, 89, 90, 100, 101, 103, 120, 121};

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    if (count == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *count = (int)(sizeof archs / sizeof *archs);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *supported)
{
    if (supported == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    memcpy(supported, archs, sizeof archs);
    return NVRTC_SUCCESS;
}

/* ---- Programs ---- */

static char *copy(const char *text)
{
    return cdp_tool_format("%s", text);
}

static void free_names(nvrtcProgram program)
{
    for (size_t i = 0; i < program->name_count; i++) {
        cdp_free(program->names[i].expression);
        cdp_free(program->names[i].lowered);
    }
    cdp_free(program->names);
}

static void destroy(nvrtcProgram program)
{
    for (size_t i = 0; i < program->header_count; i++) {
        cdp_free(program->headers[i].name);
        cdp_free(program->headers[i].text);
    }
    free_names(program);
    cdp_free(program->headers);
    cdp_free(program->source);
    cdp_free(program->name);
    cdp_free(program->log.bytes);
    cdp_free(program->ptx.bytes);
    cdp_free(program->binary.bytes);
    cdp_free(program);
}

static bool fill(nvrtcProgram program, const char *source, const char *name,
                 const char *const *texts, const char *const *include_names)
{
    program->source = copy(source);
    program->name = copy(name != NULL && *name != '\0' ? name : "default_program");
    bool good = program->source != NULL && program->name != NULL;
    for (size_t i = 0; i < program->header_count && good; i++) {
        program->headers[i].text = copy(texts[i]);
        program->headers[i].name = copy(include_names[i]);
        good = program->headers[i].text != NULL && program->headers[i].name != NULL;
    }
    return good;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source, const char *name,
                               int header_count, const char *const *headers,
                               const char *const *include_names)
{
    if (out == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    bool has_headers = headers != NULL && include_names != NULL;
    if (source == NULL || header_count < 0 || (header_count > 0 && !has_headers)) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    nvrtcProgram program = cdp_alloc_zero(sizeof *program);
    if (program == NULL) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    program->headers = cdp_alloc_zero(((size_t)header_count + 1) * sizeof *program->headers);
    program->header_count = program->headers != NULL ? (size_t)header_count : 0;
    if (program->headers == NULL || !fill(program, source, name, headers, include_names)) {
        destroy(program);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    *out = program;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    if (program == NULL || *program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    destroy(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

/* Removes what an earlier compilation left. */
static void reset(nvrtcProgram program)
{
    cdp_free(program->log.bytes);
    cdp_free(program->ptx.bytes);
    cdp_free(program->binary.bytes);
    program->log = program->ptx = program->binary = (struct nvrtc_text){.bytes = NULL};
    program->is_compiled = program->has_cubin = program->has_ltoir = false;
    for (size_t i = 0; i < program->name_count; i++) {
        cdp_free(program->names[i].lowered);
        program->names[i].lowered = NULL;
    }
}

static nvrtcResult compile(nvrtcProgram program, const struct nvrtc_options *options)
{
    char *cdpcc = cdp_tool_find();
    if (cdpcc == NULL) {
        program->log.bytes =
            copy("nvrtc: error: cdpcc is missing, which compiles; set CDPCC to its path\n");
        program->log.size = program->log.bytes != NULL ? strlen(program->log.bytes) : 0;
        return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
    }
    program->is_tried = true;
    nvrtcResult result = nvrtc_compile(program, options, cdpcc);
    program->is_compiled = result == NVRTC_SUCCESS;
    program->has_ltoir = options->is_lto && program->is_compiled;
    program->has_cubin = options->is_real && !options->is_lto && program->is_compiled;
    cdp_free(cdpcc);
    return result;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *given)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (option_count < 0) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    if (option_count > 0 && given == NULL) {
        return NVRTC_ERROR_INVALID_OPTION;
    }
    reset(program);
    struct nvrtc_options options;
    nvrtcResult result = nvrtc_options_parse(&options, option_count, given, &program->log.bytes);
    program->log.size = program->log.bytes != NULL ? strlen(program->log.bytes) : 0;
    if (result == NVRTC_SUCCESS) {
        result = compile(program, &options);
    }
    nvrtc_options_finish(&options);
    return result;
}

/* ---- Results ---- */

/* A text has a zero at its end, which counts. */
static nvrtcResult size_of(nvrtcProgram program, const struct nvrtc_text *text, bool is_text,
                           size_t *size)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (size == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *size = (text != NULL ? text->size : 0) + is_text;
    return NVRTC_SUCCESS;
}

static nvrtcResult bytes_of(nvrtcProgram program, const struct nvrtc_text *text, bool is_text,
                            char *out)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (out == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    if (text != NULL && text->size > 0) {
        memcpy(out, text->bytes, text->size);
    }
    if (is_text) {
        out[text != NULL ? text->size : 0] = '\0';
    }
    return NVRTC_SUCCESS;
}

/* NULL: the program does not have that kind. */
static const struct nvrtc_text *ptx_of(nvrtcProgram program)
{
    return program != NULL && !program->has_ltoir ? &program->ptx : NULL;
}

static const struct nvrtc_text *cubin_of(nvrtcProgram program)
{
    return program != NULL && program->has_cubin ? &program->binary : NULL;
}

static const struct nvrtc_text *ltoir_of(nvrtcProgram program)
{
    return program != NULL && program->has_ltoir ? &program->binary : NULL;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size)
{
    return size_of(program, ptx_of(program), true, size);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    return bytes_of(program, ptx_of(program), true, ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
    return size_of(program, cubin_of(program), false, size);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    return bytes_of(program, cubin_of(program), false, cubin);
}

nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t *size)
{
    return size_of(program, ltoir_of(program), false, size);
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char *ltoir)
{
    return bytes_of(program, ltoir_of(program), false, ltoir);
}

/* There is never any. */
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram program, size_t *size)
{
    return size_of(program, NULL, false, size);
}

nvrtcResult nvrtcGetOptiXIR(nvrtcProgram program, char *optix_ir)
{
    return bytes_of(program, NULL, false, optix_ir);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    return size_of(program, program != NULL ? &program->log : NULL, true, size);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    return bytes_of(program, program != NULL ? &program->log : NULL, true, log);
}

/* ---- Names ---- */

static struct nvrtc_name *find_name(nvrtcProgram program, const char *expression)
{
    for (size_t i = 0; i < program->name_count; i++) {
        if (strcmp(program->names[i].expression, expression) == 0) {
            return &program->names[i];
        }
    }
    return NULL;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (expression == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    if (program->is_tried) {
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    }
    if (find_name(program, expression) != NULL) {
        return NVRTC_SUCCESS;
    }
    struct nvrtc_name *names =
        cdp_realloc(program->names, (program->name_count + 1) * sizeof *names);
    if (names == NULL) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    program->names = names;
    names[program->name_count] = (struct nvrtc_name){.expression = copy(expression)};
    if (names[program->name_count].expression == NULL) {
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    program->name_count++;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **lowered)
{
    if (program == NULL) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    if (expression == NULL || lowered == NULL) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *lowered = NULL;
    if (!program->is_compiled) {
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    }
    const struct nvrtc_name *name = find_name(program, expression);
    if (name == NULL || name->lowered == NULL) {
        return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    }
    *lowered = name->lowered;
    return NVRTC_SUCCESS;
}
