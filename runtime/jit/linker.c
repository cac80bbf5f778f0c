/* Linking images to one module, with cdpcc and the objects that the images hold. */
#include "jit/linker.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "jit/image.h"
#include "jit/tool.h"

/* Adds to the log. If there is no memory for it, the result of the call must do. */
static void say(struct cdp_linker *linker, const char *name, const char *text)
{
    const char *before = linker->log != NULL ? linker->log : "";
    char *log = name != NULL ? cdp_tool_format("%serror: %s: %s\n", before, name, text)
                             : cdp_tool_format("%s%s", before, text);
    if (log != NULL) {
        cdp_free(linker->log);
        linker->log = log;
    }
}

/* The path of the input with that number. */
static char *input_path(const struct cdp_linker *linker, size_t number)
{
    return cdp_tool_format("%s/%zu.o", linker->directory, number);
}

static enum cdp_link_result prepare(struct cdp_linker *linker)
{
    if (linker->directory == NULL) {
        linker->directory = cdp_tool_directory();
    }
    return linker->directory != NULL ? CDP_LINK_OK : CDP_LINK_NO_MEMORY;
}

/* Keeps the library of the first input, and writes the object of each. */
static enum cdp_link_result take(struct cdp_linker *linker, const struct cdp_image *image,
                                 const char *name)
{
    size_t size = 0;
    const char *object = cdp_image_object(image, &size);
    if (object == NULL && linker->count != 0) {
        say(linker, name, "it can only be alone, because it is itself the result of a link");
        return CDP_LINK_NO_IMAGE;
    }
    if (linker->count == 0 && object != image->bytes) {
        linker->only = cdp_alloc(image->size);
        linker->only_size = image->size;
        if (linker->only == NULL) {
            return CDP_LINK_NO_MEMORY;
        }
        memcpy(linker->only, image->bytes, image->size);
    }
    linker->is_alone |= object == NULL;
    char *path = input_path(linker, linker->count);
    bool good = path != NULL && cdp_tool_write(path, object, size);
    cdp_free(path);
    linker->count += good;
    return good ? CDP_LINK_OK : CDP_LINK_NO_MEMORY;
}

enum cdp_link_result cdp_linker_add(struct cdp_linker *linker, const void *bytes, size_t size,
                                    const char *name)
{
    name = name != NULL ? name : "an unnamed input";
    switch (cdp_image_kind(bytes, size)) {
    case CDP_IMAGE_NONE:
        say(linker, name, "it is no PTX text, cubin or object that cdpcc wrote");
        return CDP_LINK_NO_IMAGE;
    case CDP_IMAGE_GPU:
        say(linker, name,
            "it is code for a GPU, and there is none here; make it with cdpcc -ptx, -cubin or "
            "-fatbin from the CUDA source");
        return CDP_LINK_FOR_GPU;
    case CDP_IMAGE_BINARY:
    case CDP_IMAGE_TEXT:
        break;
    }
    struct cdp_image image;
    enum cdp_link_result result = prepare(linker);
    if (result != CDP_LINK_OK) {
        return result;
    }
    switch (cdp_image_open(&image, bytes, size)) {
    case CDP_IMAGE_NO_MEMORY:
        return CDP_LINK_NO_MEMORY;
    case CDP_IMAGE_BROKEN:
        say(linker, name, "a part of it is missing");
        return CDP_LINK_NO_IMAGE;
    case CDP_IMAGE_OK:
        break;
    }
    result = take(linker, &image, name);
    cdp_image_close(&image);
    return result;
}

enum cdp_link_result cdp_linker_add_file(struct cdp_linker *linker, const char *path)
{
    if (prepare(linker) != CDP_LINK_OK) {
        return CDP_LINK_NO_MEMORY;
    }
    char *real = realpath(path, NULL), *ours = input_path(linker, linker->count);
    bool good = real != NULL && ours != NULL && symlink(real, ours) == 0;
    free(real); /* it is realpath's */
    cdp_free(ours);
    linker->count += good;
    return good ? CDP_LINK_OK : CDP_LINK_NO_MEMORY;
}

/* ---- The link ---- */

/* Runs cdpcc on all inputs. argv is empty and has room for them. The status, or -1. */
static int run_cdpcc(const struct cdp_linker *linker, char **argv, char *output, char *messages)
{
    enum { WORDS = 4 };
    argv[0] = cdp_tool_find();
    if (argv[0] == NULL) {
        return -1;
    }
    argv[1] = (char *)(uintptr_t)"-cubin";
    argv[2] = (char *)(uintptr_t)"-o";
    argv[3] = output;
    for (size_t i = 0; i < linker->count; i++) {
        argv[WORDS + i] = input_path(linker, i);
        if (argv[WORDS + i] == NULL) {
            return -1;
        }
    }
    return cdp_tool_run((const char *const *)(void *)argv, messages);
}

/* Links the objects to the output. */
static enum cdp_link_result link_objects(struct cdp_linker *linker, char *output, char *messages)
{
    char **argv = cdp_alloc_zero((linker->count + 5) * sizeof *argv);
    if (argv == NULL || output == NULL || messages == NULL) {
        cdp_free(argv);
        return CDP_LINK_NO_MEMORY;
    }
    int status = run_cdpcc(linker, argv, output, messages);
    enum cdp_link_result result = status == 0 ? CDP_LINK_OK : CDP_LINK_FAILED;
    size_t size;
    char *text = status > 0 ? cdp_tool_read(messages, &size) : NULL;
    if (argv[0] == NULL) {
        say(linker, "the link", "it needs cdpcc; set CDPCC to its path");
        result = CDP_LINK_NO_TOOL;
    } else if (text != NULL) {
        say(linker, NULL, text);
    } else if (status != 0) {
        say(linker, argv[0], "it cannot be run");
        result = CDP_LINK_NO_TOOL;
    }
    cdp_free(text);
    cdp_free(argv[0]);
    for (size_t i = 0; i < linker->count; i++) {
        cdp_free(argv[4 + i]);
    }
    cdp_free(argv);
    return result;
}

/* Several inputs to one library. */
static enum cdp_link_result link_several(struct cdp_linker *linker)
{
    if (linker->is_alone) {
        say(linker, "the first input",
            "it can only be alone, because it is itself the result of a link");
        return CDP_LINK_NO_IMAGE;
    }
    char *output = cdp_tool_format("%s/linked.cubin", linker->directory);
    char *messages = cdp_tool_format("%s/messages", linker->directory);
    enum cdp_link_result result = link_objects(linker, output, messages);
    if (result == CDP_LINK_OK) {
        linker->image = cdp_tool_read(output, &linker->image_size);
        result = linker->image != NULL ? CDP_LINK_OK : CDP_LINK_NO_MEMORY;
    }
    cdp_free(output);
    cdp_free(messages);
    return result;
}

enum cdp_link_result cdp_linker_complete(struct cdp_linker *linker)
{
    enum cdp_link_result result = CDP_LINK_OK;
    if (linker->count == 0) {
        say(linker, "the link", "there is no input");
        return CDP_LINK_NO_IMAGE;
    }
    if (linker->count == 1 && linker->only != NULL) {
        linker->image = linker->only;
        linker->image_size = linker->only_size;
        linker->only = NULL;
    } else {
        result = link_several(linker);
    }
    if (result != CDP_LINK_OK) {
        return result;
    }
    const struct cdp_image image = {.bytes = linker->image, .size = linker->image_size};
    const char *missing = cdp_image_undefined(&image);
    if (missing != NULL) {
        char *text = cdp_tool_format("undefined reference to %.*s",
                                     (int)(strrchr(missing, '.') - missing), missing);
        say(linker, "the link", text != NULL ? text : "undefined symbol");
        cdp_free(text);
        return CDP_LINK_FAILED;
    }
    return CDP_LINK_OK;
}

void cdp_linker_finish(struct cdp_linker *linker)
{
    cdp_tool_remove(linker->directory);
    cdp_free(linker->only);
    cdp_free(linker->image);
    cdp_free(linker->log);
    *linker = (struct cdp_linker){.directory = NULL};
}
