/* The options of cuModuleLoadDataEx and cuLinkCreate. */
#include "api/driver/jit.h"

#include <string.h>

/* The program reads the number of bytes as an unsigned int or as a pointer. */
static void store_used(const struct cdp_jit_log *log)
{
    if (log->size_value != NULL) {
        *log->size_value = (void *)log->used;
    }
}

static void start(struct cdp_jit_log *log)
{
    log->capacity = log->text == NULL ? 0 : log->capacity;
    if (log->capacity > 0) {
        log->text[0] = '\0';
    }
    store_used(log);
}

CUresult cdp_jit_begin(struct cdp_jit *jit, unsigned count, const CUjit_option *options,
                       void **values)
{
    *jit = (struct cdp_jit){.wall_time = NULL};
    if (count > 0 && (options == NULL || values == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < count; i++) {
        if ((unsigned)options[i] > CU_JIT_SPLIT_COMPILE) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        if (options[i] == CU_JIT_INFO_LOG_BUFFER) {
            jit->info.text = values[i];
        } else if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
            jit->error.text = values[i];
        } else if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) {
            jit->info.capacity = (unsigned)(uintptr_t)values[i];
            jit->info.size_value = &values[i];
        } else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
            jit->error.capacity = (unsigned)(uintptr_t)values[i];
            jit->error.size_value = &values[i];
        } else if (options[i] == CU_JIT_WALL_TIME) {
            jit->wall_time = &values[i];
        }
    }
    start(&jit->info);
    start(&jit->error);
    if (jit->wall_time != NULL) {
        const float none = 0;
        memcpy(jit->wall_time, &none, sizeof none);
    }
    return CUDA_SUCCESS;
}

void cdp_jit_say(struct cdp_jit *jit, const char *text)
{
    struct cdp_jit_log *log = &jit->error;
    if (log->used + 1 >= log->capacity) {
        return;
    }
    size_t left = log->capacity - log->used - 1, length = strlen(text);
    length = length < left ? length : left;
    memcpy(log->text + log->used, text, length);
    log->used += length;
    log->text[log->used] = '\0';
    store_used(log);
}
