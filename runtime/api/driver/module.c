/* Modules: device code that is loaded while the program runs.
 *
 * `cdpcc -ptx`, `-cubin` and `-fatbin` write a shared library with device code alone, which is text
 * for -ptx (jit/image.h). It calls the
 * runtime of the program that loads it, so the program must have the runtime as a shared library,
 * which a program has that was linked with -lcuda. Each load is a library of its own, with
 * variables of its own. It stays mapped when the module is unloaded, because the registry and
 * reports refer to it. */
#include "api/driver/driver.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/driver/jit.h"
#include "api/driver/module.h"
#include "api/register.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "jit/image.h"
#include "os/code.h"

enum { MODULE_TAG = 0x4d /* 'M' */ };

/* Life: from a load to cuModuleUnload, or to the unload of its library. Owned by the table. */
struct module {
    struct module *next;                 /* in the list */
    const struct cdp_abi_module *tables; /* of the registry */
    CUmodule handle;
    bool is_of_library; /* the program must not unload it */
};

static struct {
    struct cdp_lock lock; /* guards the table and the list */
    struct cdp_handle_table handles;
    struct module *first CDP_GUARDED_BY(&lock);
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_DRIVER), .handles = {.tag = MODULE_TAG}};

static CUmodule module_of_handle(uint64_t handle)
{
    return (CUmodule)(void *)(uintptr_t)handle;
}

/* ---- Images ---- */

/* The reason is printed, and put into the log of errors if the program has one. */
static CUresult refuse(struct cdp_jit *jit, CUresult result, const char *what)
{
    fprintf(stderr, "cdp: device code cannot be loaded: %s\n", what);
    cdp_jit_say(jit, "error: ");
    cdp_jit_say(jit, what);
    cdp_jit_say(jit, "\n");
    return result;
}

/* At least 4 bytes of an image of unknown size can be read. */
static CUresult open_image(struct cdp_jit *jit, struct cdp_image *image, const char *bytes,
                           size_t size)
{
    switch (cdp_image_kind(bytes, size)) {
    case CDP_IMAGE_GPU:
        return refuse(jit, CUDA_ERROR_NO_BINARY_FOR_GPU,
                      "the image is code for a GPU, and there is none here. Make it with "
                      "cdpcc -ptx, -cubin or -fatbin from the CUDA source");
    case CDP_IMAGE_NONE:
        return CUDA_ERROR_INVALID_IMAGE;
    case CDP_IMAGE_BINARY:
    case CDP_IMAGE_TEXT:
        break;
    }
    switch (cdp_image_open(image, bytes, size)) {
    case CDP_IMAGE_NO_MEMORY:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case CDP_IMAGE_BROKEN:
        return refuse(jit, CUDA_ERROR_INVALID_IMAGE, "a part of the image is missing");
    case CDP_IMAGE_OK:
        break;
    }
    return CUDA_SUCCESS;
}

/* Device code that another source defines must have been linked. */
static CUresult check_complete(struct cdp_jit *jit, const struct cdp_image *image)
{
    const char *missing = cdp_image_undefined(image);
    if (missing == NULL) {
        return CUDA_SUCCESS;
    }
    char text[256];
    snprintf(text, sizeof text,
             "the image needs %.*s, which another source defines. Link the images of both with "
             "cuLinkAddData",
             (int)(strrchr(missing, '.') - missing), missing);
    return refuse(jit, image->owned != NULL ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE,
                  text);
}

/* ---- Loading ---- */

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written <= 0) {
            return false;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* dlopen gives the library that it has opened by the same path, and the number of a closed file is
 * used again. So each path is another one: "//" and "/./" before the last directory are the digits
 * of a number. */
static void write_path(char path[128], int fd)
{
    static _Atomic uint32_t count;
    char *at = path + snprintf(path, 128, "/proc/self/");
    for (uint32_t number = atomic_fetch_add(&count, 1); number > 0; number /= 2) {
        at = stpcpy(at, number % 2 == 0 ? "/" : "./");
    }
    snprintf(at, 32, "fd/%d", fd);
}

static void *open_copy(const struct cdp_image *image)
{
    int fd = memfd_create("module", MFD_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    char path[128];
    write_path(path, fd);
    void *library =
        write_all(fd, image->bytes, image->size) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    close(fd);
    return library;
}

/* The tables of a shared library; NULL: dlopen has failed. */
static CUresult find_tables(void *library, const struct cdp_abi_module **out)
{
    if (library == NULL) {
        const char *reason = dlerror();
        fprintf(stderr,
                "cdp: device code cannot be loaded: %s\n"
                "  help: link the program with cdpcc and -lcuda, so that the module can use the "
                "program's runtime\n",
                reason != NULL ? reason : "the module cannot be mapped");
        return CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
    }
    struct link_map *map;
    const struct cdp_abi_module *tables = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) {
        tables = cdp_registry_find_module(cdp_os_module_of(map->l_ld));
    }
    if (tables == NULL) {
        return CUDA_ERROR_INVALID_IMAGE;
    }
    (void)cdp_registry_find_variable(tables); /* joins: copies must know the module's variables */
    *out = tables;
    return CUDA_SUCCESS;
}

CUresult cdp_module_load_image(struct cdp_jit *jit, const char *bytes, size_t size,
                               const struct cdp_abi_module **out)
{
    struct cdp_image image;
    CUresult result = open_image(jit, &image, bytes, size);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    result = check_complete(jit, &image);
    if (result == CUDA_SUCCESS) {
        result = find_tables(open_copy(&image), out);
    }
    cdp_image_close(&image);
    return result;
}

/* The first load of a file maps the file itself, so that a debugger knows its name. */
static CUresult load_mapped(const char *path, const char *bytes, size_t size,
                            const struct cdp_abi_module **out)
{
    struct cdp_jit none;
    CUresult result = cdp_jit_begin(&none, 0, NULL, NULL);
    char absolute[4096];
    if (result != CUDA_SUCCESS || realpath(path, absolute) == NULL) {
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    void *loaded = dlopen(absolute, RTLD_NOW | RTLD_NOLOAD);
    if (loaded != NULL) {
        dlclose(loaded);
    }
    if (loaded != NULL || cdp_image_kind(bytes, size) != CDP_IMAGE_BINARY) {
        return cdp_module_load_image(&none, bytes, size, out);
    }
    struct cdp_image image;
    result = open_image(&none, &image, bytes, size);
    if (result == CUDA_SUCCESS) {
        result = check_complete(&none, &image);
    }
    return result == CUDA_SUCCESS ? find_tables(dlopen(absolute, RTLD_NOW | RTLD_LOCAL), out)
                                  : result;
}

CUresult cdp_module_load_file(const char *path, const struct cdp_abi_module **out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        if (fd >= 0) {
            close(fd);
        }
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    size_t size = (size_t)info.st_size;
    void *image = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (image == MAP_FAILED) {
        return CUDA_ERROR_INVALID_IMAGE;
    }
    CUresult result = load_mapped(path, image, size, out);
    munmap(image, size);
    return result;
}

/* ---- Modules ---- */

CUresult cdp_module_add(const struct cdp_abi_module *tables, bool is_of_library, CUmodule *out)
{
    struct module *module = cdp_alloc_zero(sizeof *module);
    if (module == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    module->tables = tables;
    module->is_of_library = is_of_library;
    cdp_lock_acquire(&all.lock);
    uint64_t handle = cdp_handle_create(&all.handles, module);
    if (handle != 0) {
        module->handle = module_of_handle(handle);
        module->next = all.first;
        all.first = module;
    }
    cdp_lock_release(&all.lock);
    if (handle == 0) {
        cdp_free(module);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = module_of_handle(handle);
    return CUDA_SUCCESS;
}

static void take_off(const struct module *module) CDP_NEEDS(&all.lock)
{
    struct module **at = &all.first;
    while (*at != module) {
        at = &(*at)->next;
    }
    *at = module->next;
}

CUresult cdp_module_remove(CUmodule handle, bool by_library)
{
    uint64_t number = (uintptr_t)(void *)handle;
    cdp_lock_acquire(&all.lock);
    struct module *module = cdp_handle_find(&all.handles, number);
    CUresult result = module == NULL                         ? CUDA_ERROR_INVALID_HANDLE
                      : module->is_of_library && !by_library ? CUDA_ERROR_NOT_PERMITTED
                                                             : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) {
        take_off(module);
        (void)cdp_handle_remove(&all.handles, number);
        cdp_free(module);
    }
    cdp_lock_release(&all.lock);
    return result;
}

CUmodule cdp_module_of_kernel(const struct cdp_abi_kernel *kernel)
{
    CUmodule found = NULL;
    cdp_lock_acquire(&all.lock);
    for (const struct module *m = all.first; m != NULL && found == NULL; m = m->next) {
        if (kernel >= m->tables->kernels && kernel < m->tables->kernels_end) {
            found = m->handle;
        }
    }
    cdp_lock_release(&all.lock);
    return found;
}

static CUresult add_loaded(CUresult result, const struct cdp_abi_module *tables, CUmodule *out)
{
    return result != CUDA_SUCCESS ? result : cdp_module_add(tables, false, out);
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || module == NULL || path == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    const struct cdp_abi_module *tables = NULL;
    result = cdp_module_load_file(path, &tables);
    return add_loaded(result, tables, module);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                            CUjit_option *options, void **values)
{
    struct cdp_driver_call call;
    struct cdp_jit jit;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || module == NULL || image == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    const struct cdp_abi_module *tables = NULL;
    result = cdp_jit_begin(&jit, count, options, values);
    if (result == CUDA_SUCCESS) {
        result = cdp_module_load_image(&jit, image, CDP_IMAGE_ANY_SIZE, &tables);
    }
    return add_loaded(result, tables, module);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return cuModuleLoadData(module, image);
}

/* ---- Loaded modules ---- */

/* NULL: no such module. */
static const struct cdp_abi_module *tables_of(CUmodule handle)
{
    cdp_lock_acquire(&all.lock);
    const struct module *module = cdp_handle_find(&all.handles, (uintptr_t)(const void *)handle);
    const struct cdp_abi_module *tables = module != NULL ? module->tables : NULL;
    cdp_lock_release(&all.lock);
    return tables;
}

CUresult cuModuleUnload(CUmodule handle)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    return result != CUDA_SUCCESS ? result : cdp_module_remove(handle, false);
}

/* The start of a look-up in a module. */
static CUresult begin(CUmodule handle, const char *name, const struct cdp_abi_module **tables)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || name == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *tables = tables_of(handle);
    return *tables != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

struct cdp_abi_kernel *cdp_module_find_kernel(const struct cdp_abi_module *tables, const char *name)
{
    for (struct cdp_abi_kernel *k = tables->kernels; k < tables->kernels_end; k++) {
        if (strcmp(k->name, name) == 0) {
            return k;
        }
    }
    return NULL;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
    const struct cdp_abi_module *tables;
    CUresult result = begin(handle, name, &tables);
    if (result != CUDA_SUCCESS || function == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    struct cdp_abi_kernel *kernel = cdp_module_find_kernel(tables, name);
    *function = kernel != NULL ? (CUfunction)(void *)kernel : *function;
    return kernel != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* Whether a symbol is that of a static variable outside of namespaces: _ZL3abc. nvcc does not
 * mangle such names. */
static bool is_static_named(const char *symbol, const char *name)
{
    char mangled[512];
    snprintf(mangled, sizeof mangled, "_ZL%zu%s", strlen(name), name);
    return strcmp(symbol, mangled) == 0;
}

const struct cdp_abi_variable *cdp_module_find_variable(const struct cdp_abi_module *tables,
                                                        const char *name)
{
    for (const struct cdp_abi_variable *v = tables->variables; v < tables->variables_end; v++) {
        if (strcmp(v->name, name) == 0 || is_static_named(v->name, name)) {
            return v;
        }
    }
    return NULL;
}

CUresult cdp_module_global(const struct cdp_abi_module *tables, const char *name, CUdeviceptr *ptr,
                           size_t *size)
{
    if (name == NULL || (ptr == NULL && size == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const struct cdp_abi_variable *v = cdp_module_find_variable(tables, name);
    if (v == NULL) {
        return cdp_module_find_kernel(tables, name) != NULL ? CUDA_ERROR_INVALID_VALUE
                                                            : CUDA_ERROR_NOT_FOUND;
    }
    if (ptr != NULL) {
        *ptr = (uintptr_t)v->address;
    }
    if (size != NULL) {
        *size = v->size;
    }
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *ptr, size_t *size, CUmodule handle, const char *name)
{
    const struct cdp_abi_module *tables;
    CUresult result = begin(handle, name, &tables);
    return result != CUDA_SUCCESS ? result : cdp_module_global(tables, name, ptr, size);
}

CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule handle)
{
    const struct cdp_abi_module *tables;
    CUresult result = begin(handle, count != NULL ? "" : NULL, &tables);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    *count = cdp_module_kernel_count(tables);
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int most, CUmodule handle)
{
    const struct cdp_abi_module *tables;
    CUresult result = begin(handle, handle != NULL ? "" : NULL, &tables);
    if (result != CUDA_SUCCESS || functions == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < most && i < cdp_module_kernel_count(tables); i++) {
        functions[i] = (CUfunction)(void *)(tables->kernels + i);
    }
    return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin_any(&call);
    if (result != CUDA_SUCCESS || mode == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
}
