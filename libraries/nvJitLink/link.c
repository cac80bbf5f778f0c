/* The calls of nvJitLink.h, on jit/linker.h. */
#include "nvJitLink.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "jit/linker.h"
#include "jit/tool.h"

/* Life: from nvJitLinkCreate to nvJitLinkDestroy. Used by one thread at a time, as nvJitLink
 * requires. */
struct nvJitLink {
    struct cdp_linker linker;
    bool is_lto, wants_ptx;
    bool is_complete;
};

nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor)
{
    if (major == NULL || minor == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    *major = 12;
    *minor = 9;
    return NVJITLINK_SUCCESS;
}

/* ---- Options ---- */

/* The options without a meaning on a CPU; one that ends with "=" has a value. */
static bool has_no_effect(const char *option)
{
    static const char *const known[] = {
        "-maxrregcount=",
        "-time",
        "-verbose",
        "-g",
        "-lineinfo",
        "-ftz=",
        "-prec-div=",
        "-prec-sqrt=",
        "-fma=",
        "-kernels-used=",
        "-variables-used=",
        "-Xptxas=",
        "-Xptxas",
        "-optimize-unused-variables",
        "-O0",
        "-O1",
        "-O2",
        "-O3",
        "-split-compile=",
        "-split-compile-extended=",
        "-no-cache",
        "-device-stack-protector=",
        "-jump-table-density=",
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i]);
        bool has_value = known[i][length - 1] == '=';
        if (strncmp(option, known[i], length) == 0 && (has_value || option[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static nvJitLinkResult read_options(struct nvJitLink *link, uint32_t count, const char **options)
{
    bool has_arch = false;
    for (uint32_t i = 0; i < count; i++) {
        const char *option = options[i];
        if (option == NULL) {
            return NVJITLINK_ERROR_NULL_INPUT;
        }
        if (strncmp(option, "-arch=", 6) == 0) {
            if (strncmp(option + 6, "sm_", 3) != 0 && strncmp(option + 6, "compute_", 8) != 0) {
                return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
            }
            has_arch = true;
        } else if (strcmp(option, "-lto") == 0) {
            link->is_lto = true;
        } else if (strcmp(option, "-ptx") == 0) {
            link->wants_ptx = true;
        } else if (!has_no_effect(option)) {
            return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
        }
    }
    if (link->wants_ptx && !link->is_lto) {
        return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
    }
    return has_arch ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_MISSING_ARCH;
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t count, const char **options)
{
    if (handle == NULL || (count > 0 && options == NULL)) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    struct nvJitLink *link = cdp_alloc_zero(sizeof *link);
    if (link == NULL) {
        return NVJITLINK_ERROR_INTERNAL;
    }
    *handle = link; /* also after an error, so that the program can read the log */
    return read_options(link, count, options);
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle)
{
    if (handle == NULL || *handle == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    cdp_linker_finish(&(*handle)->linker);
    cdp_free(*handle);
    *handle = NULL;
    return NVJITLINK_SUCCESS;
}

/* ---- Inputs ---- */

static nvJitLinkResult result_of(enum cdp_link_result linked)
{
    switch (linked) {
    case CDP_LINK_OK:
        return NVJITLINK_SUCCESS;
    case CDP_LINK_FOR_GPU:
    case CDP_LINK_NO_IMAGE:
        return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
    case CDP_LINK_FAILED:
        return NVJITLINK_ERROR_INVALID_INPUT;
    case CDP_LINK_NO_MEMORY:
    case CDP_LINK_NO_TOOL:
        return NVJITLINK_ERROR_INTERNAL;
    }
    return NVJITLINK_ERROR_INTERNAL;
}

static nvJitLinkResult check_type(const struct nvJitLink *link, nvJitLinkInputType type)
{
    bool exists = (type > NVJITLINK_INPUT_NONE && type < NVJITLINK_INPUT_INDEX) ||
                  type == NVJITLINK_INPUT_ANY;
    if (!exists) {
        return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
    }
    return type == NVJITLINK_INPUT_LTOIR && !link->is_lto ? NVJITLINK_ERROR_LTO_NOT_ENABLED
                                                          : NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void *data,
                                 size_t size, const char *name)
{
    if (handle == NULL || data == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    nvJitLinkResult result = check_type(handle, type);
    if (result != NVJITLINK_SUCCESS) {
        return result;
    }
    if (handle->is_complete) {
        return NVJITLINK_ERROR_INVALID_INPUT;
    }
    return result_of(cdp_linker_add(&handle->linker, data, size, name));
}

/* The runtime is in the program already. */
static bool is_runtime(const char *path)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    return strncmp(name, "libcudadevrt", 12) == 0;
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char *path)
{
    if (handle == NULL || path == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    nvJitLinkResult result = check_type(handle, type);
    if (result != NVJITLINK_SUCCESS) {
        return result;
    }
    if (handle->is_complete || access(path, R_OK) != 0) {
        return NVJITLINK_ERROR_INVALID_INPUT;
    }
    if (type == NVJITLINK_INPUT_LIBRARY) {
        return is_runtime(path) ? NVJITLINK_SUCCESS
                                : result_of(cdp_linker_add_file(&handle->linker, path));
    }
    size_t size;
    char *bytes = cdp_tool_read(path, &size);
    if (bytes == NULL) {
        return NVJITLINK_ERROR_INTERNAL;
    }
    result = result_of(cdp_linker_add(&handle->linker, bytes, size, path));
    cdp_free(bytes);
    return result;
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle)
{
    if (handle == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    if (handle->is_complete) {
        return NVJITLINK_SUCCESS;
    }
    nvJitLinkResult result = result_of(cdp_linker_complete(&handle->linker));
    handle->is_complete = result == NVJITLINK_SUCCESS;
    return result;
}

/* ---- Results ---- */

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size)
{
    if (handle == NULL || size == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    if (!handle->is_complete) {
        return NVJITLINK_ERROR_INVALID_INPUT;
    }
    *size = handle->linker.image_size;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin)
{
    size_t size;
    nvJitLinkResult result = nvJitLinkGetLinkedCubinSize(handle, &size);
    if (result != NVJITLINK_SUCCESS || cubin == NULL) {
        return result != NVJITLINK_SUCCESS ? result : NVJITLINK_ERROR_NULL_INPUT;
    }
    memcpy(cubin, handle->linker.image, size);
    return NVJITLINK_SUCCESS;
}

/* A link makes a library; only cdpcc makes text. */
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size)
{
    return handle == NULL || size == NULL ? NVJITLINK_ERROR_NULL_INPUT
                                          : NVJITLINK_ERROR_INVALID_INPUT;
}

nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx)
{
    return handle == NULL || ptx == NULL ? NVJITLINK_ERROR_NULL_INPUT
                                         : NVJITLINK_ERROR_INVALID_INPUT;
}

/* ---- Logs ---- */

static const char *error_log(nvJitLinkHandle handle)
{
    return handle->linker.log != NULL ? handle->linker.log : "";
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size)
{
    if (handle == NULL || size == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    *size = strlen(error_log(handle)) + 1;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log)
{
    if (handle == NULL || log == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    memcpy(log, error_log(handle), strlen(error_log(handle)) + 1);
    return NVJITLINK_SUCCESS;
}

/* It is always empty. */
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size)
{
    if (handle == NULL || size == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    *size = 1;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log)
{
    if (handle == NULL || log == NULL) {
        return NVJITLINK_ERROR_NULL_INPUT;
    }
    *log = '\0';
    return NVJITLINK_SUCCESS;
}
