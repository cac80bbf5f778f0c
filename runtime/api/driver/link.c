/* Linking while the program runs: cuLinkCreate to cuLinkDestroy, on jit/linker.h. */
#include "api/driver/driver.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/driver/jit.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "jit/linker.h"
#include "jit/tool.h"

enum { LINK_TAG = 0x4c /* 'L' */ };

/* Life: from cuLinkCreate to cuLinkDestroy. Used by one thread at a time, as CUDA requires. */
struct link {
    struct cdp_linker linker;
    struct cdp_jit jit;
    bool is_complete;
    size_t said; /* how much of the linker's log is in the program's buffer */
};

static struct {
    struct cdp_lock lock; /* guards the table */
    struct cdp_handle_table handles;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_DRIVER), .handles = {.tag = LINK_TAG}};

/* The start of a call. */
static CUresult begin(CUlinkState state, struct link **link)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    *link = cdp_handle_find(&all.handles, (uintptr_t)(void *)state);
    cdp_lock_release(&all.lock);
    return *link != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* Copies what is new of the linker's log to the program's buffer, or to standard error if the
 * program has none. */
static void show_log(struct link *link)
{
    const char *log = link->linker.log;
    if (log == NULL || strlen(log) <= link->said) {
        return;
    }
    if (link->jit.error.capacity > 0) {
        cdp_jit_say(&link->jit, log + link->said);
    } else {
        fprintf(stderr, "cdp: cuLink: %s", log + link->said);
    }
    link->said = strlen(log);
}

static CUresult end(struct link *link, enum cdp_link_result linked)
{
    show_log(link);
    switch (linked) {
    case CDP_LINK_OK:
        return CUDA_SUCCESS;
    case CDP_LINK_NO_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case CDP_LINK_FOR_GPU:
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    case CDP_LINK_NO_IMAGE:
        return CUDA_ERROR_INVALID_IMAGE;
    case CDP_LINK_FAILED:
        return CUDA_ERROR_INVALID_SOURCE;
    case CDP_LINK_NO_TOOL:
        return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
    }
    return CUDA_ERROR_UNKNOWN;
}

CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || state == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    struct link *link = cdp_alloc_zero(sizeof *link);
    if (link == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    result = cdp_jit_begin(&link->jit, count, options, values);
    if (result == CUDA_SUCCESS) {
        cdp_lock_acquire(&all.lock);
        uint64_t handle = cdp_handle_create(&all.handles, link);
        cdp_lock_release(&all.lock);
        result = handle != 0 ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
        *state = (CUlinkState)(void *)(uintptr_t)handle;
    }
    if (result != CUDA_SUCCESS) {
        cdp_free(link);
    }
    return result;
}

/* The options of a single input have no effect, but must be ones that exist. */
static CUresult check_input(CUjitInputType type, unsigned count, const CUjit_option *options,
                            void **values)
{
    if ((unsigned)type >= CU_JIT_NUM_INPUT_TYPES || (count > 0 && options == NULL) ||
        (count > 0 && values == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int count, CUjit_option *options, void **values)
{
    struct link *link;
    CUresult result = begin(state, &link);
    if (result == CUDA_SUCCESS) {
        result = check_input(type, count, options, values);
    }
    if (result != CUDA_SUCCESS || data == NULL || size == 0 || link->is_complete) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return end(link, cdp_linker_add(&link->linker, data, size, name));
}

/* The runtime is in the program already. */
static bool is_runtime(const char *path)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    return strncmp(name, "libcudadevrt", 12) == 0 || strncmp(name, "libcudart", 9) == 0 ||
           strncmp(name, "libcdprt", 8) == 0;
}

static CUresult add_file(struct link *link, CUjitInputType type, const char *path)
{
    if (type == CU_JIT_INPUT_LIBRARY) {
        return end(link, cdp_linker_add_file(&link->linker, path));
    }
    size_t size;
    char *bytes = cdp_tool_read(path, &size);
    if (bytes == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    CUresult result = end(link, cdp_linker_add(&link->linker, bytes, size, path));
    cdp_free(bytes);
    return result;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
                       CUjit_option *options, void **values)
{
    struct link *link;
    CUresult result = begin(state, &link);
    if (result == CUDA_SUCCESS) {
        result = check_input(type, count, options, values);
    }
    if (result != CUDA_SUCCESS || path == NULL || link->is_complete) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    if (access(path, R_OK) != 0) {
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    return type == CU_JIT_INPUT_LIBRARY && is_runtime(path) ? CUDA_SUCCESS
                                                            : add_file(link, type, path);
}

/* The image belongs to the link. A second call is refused, as on an H100. */
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size)
{
    struct link *link;
    CUresult result = begin(state, &link);
    if (result != CUDA_SUCCESS || image == NULL || size == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    if (link->is_complete) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    result = end(link, cdp_linker_complete(&link->linker));
    link->is_complete = result == CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) {
        *image = link->linker.image;
        *size = link->linker.image_size;
    }
    return result;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    struct link *link;
    CUresult result = begin(state, &link);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    cdp_handle_remove(&all.handles, (uintptr_t)(void *)state);
    cdp_lock_release(&all.lock);
    cdp_linker_finish(&link->linker);
    cdp_free(link);
    return CUDA_SUCCESS;
}
