/* The C embedding API: kernels called through libffi.
 *
 * The descriptor of such a kernel is like a compiled one's. All of them share one thread entry,
 * which finds the signature through the running block. */
#include "cdp/embed.h"

#include <ffi.h>
#include <string.h>

#include "api/check.h"
#include "api/embed_internal.h"
#include "api/error.h"
#include "api/register.h"
#include "api/runtime.h"
#include "base/alloc.h"

enum { MOST_PARAMS = 64 };

struct embedded {
    struct cdp_embedded_kernel common; /* first: both have one address */
    ffi_cif cif;
    void (*function)(void);
    void (*block_function)(const void *params, unsigned thread_count); /* NULL: none */
    struct cdp_abi_shared_variable shared; /* all shared memory, as one variable */
    ffi_type *types[MOST_PARAMS];
    struct cdp_abi_param params[MOST_PARAMS];
};

static void run_thread(const void *params)
{
    struct embedded *embedded = cdp_abi_self->block->kernel->runtime;
    void *values[MOST_PARAMS];
    for (uint32_t i = 0; i < embedded->common.kernel.param_count; i++) {
        values[i] = (char *)(uintptr_t)params + embedded->params[i].offset;
    }
    ffi_call(&embedded->cif, embedded->function, NULL, values);
}

static uint32_t run_block(const void *params, struct cdp_abi_block *block, uint32_t count)
{
    (void)count;
    struct embedded *embedded = block->kernel->runtime;
    embedded->block_function(params, block->thread_count);
    return 1;
}

/* Lays the parameters out as compiled launches do: each at the next multiple of its alignment. */
static bool lay_out(struct embedded *embedded)
{
    size_t offset = 0;
    for (uint32_t i = 0; i < embedded->common.kernel.param_count; i++) {
        const ffi_type *type = embedded->types[i];
        size_t alignment = type->alignment;
        offset = (offset + alignment - 1) & ~(alignment - 1);
        embedded->params[i] =
            (struct cdp_abi_param){.offset = (uint32_t)offset, .size = (uint32_t)type->size};
        offset += type->size;
        if (offset > CDP_MOST_PARAM_BYTES) {
            return false;
        }
    }
    embedded->common.kernel.param_size = (uint32_t)offset;
    return true;
}

static bool is_possible(const struct cdp_embed_kernel *spec)
{
    return spec != NULL && spec->name != NULL && spec->function != NULL &&
           spec->type_count <= MOST_PARAMS && (spec->type_count == 0 || spec->types != NULL) &&
           spec->shared_size <= CDP_MOST_SHARED && spec->max_threads <= CDP_MOST_THREADS;
}

static bool fill(struct embedded *embedded, const struct cdp_embed_kernel *spec)
{
    char *name = (char *)(embedded + 1);
    memcpy(name, spec->name, strlen(spec->name) + 1);
    for (size_t i = 0; i < spec->type_count; i++) {
        embedded->types[i] = spec->types[i];
    }
    embedded->function = spec->function;
    embedded->block_function = spec->block_function;
    embedded->shared = (struct cdp_abi_shared_variable){.name = "static shared memory",
                                                        .size = (uint32_t)spec->shared_size};
    embedded->common.kernel = (struct cdp_abi_kernel){
        .abi_version = CDP_ABI_VERSION,
        .flags = CDP_KERNEL_FFI | CDP_KERNEL_WARP_OPS,
        .name = name,
        .thread_entry = run_thread,
        .block_entry = spec->block_function != NULL ? run_block : NULL,
        .params = embedded->params,
        .param_count = (uint32_t)spec->type_count,
        .shared_variables = &embedded->shared,
        .shared_count = spec->shared_size > 0,
        .shared_size = (uint32_t)spec->shared_size,
        .shared_extent = (uint32_t)spec->shared_size,
        .max_threads = spec->max_threads,
        .runtime = embedded,
    };
    return ffi_prep_cif(&embedded->cif, FFI_DEFAULT_ABI, (unsigned)spec->type_count, &ffi_type_void,
                        embedded->types) == FFI_OK &&
           lay_out(embedded);
}

const void *cdp_embed_register(const struct cdp_embed_kernel *spec)
{
    if (!is_possible(spec)) {
        (void)cdp_api_fail(cudaErrorInvalidValue);
        return NULL;
    }
    struct embedded *embedded = cdp_alloc_zero(sizeof *embedded + strlen(spec->name) + 1);
    if (embedded == NULL) {
        (void)cdp_api_fail(cudaErrorMemoryAllocation);
        return NULL;
    }
    if (!fill(embedded, spec)) {
        cdp_free(embedded);
        (void)cdp_api_fail(cudaErrorInvalidValue);
        return NULL;
    }
    struct cdp_registry *registry = cdp_runtime_registry();
    cdp_lock_acquire(&registry->lock);
    embedded->common.next = registry->embedded;
    registry->embedded = &embedded->common;
    cdp_lock_release(&registry->lock);
    cdp_registry_invalidate();
    return &embedded->common.kernel;
}

/* ---- In a kernel ---- */

void cdp_embed_index(struct cdp_embed_index *out)
{
    const struct cdp_abi_thread *thread = cdp_abi_self;
    const struct cdp_abi_block *block = thread->block;
    *out = (struct cdp_embed_index){
        .thread = {thread->thread_idx[0], thread->thread_idx[1], thread->thread_idx[2]},
        .block = {block->block_idx[0], block->block_idx[1], block->block_idx[2]},
        .block_dim = {block->block_dim[0], block->block_dim[1], block->block_dim[2]},
        .grid_dim = {block->grid_dim[0], block->grid_dim[1], block->grid_dim[2]},
    };
}

void *cdp_embed_shared(void)
{
    return cdp_abi_self->block->shared;
}

void *cdp_embed_dynamic_shared(void)
{
    return cdp_abi_self->block->dynamic_shared;
}
