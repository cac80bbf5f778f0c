/* Modules: device code that is loaded while the program runs.
 *
 * `cdpcc -ptx`, `-cubin` and `-fatbin` write a shared library with device code alone. It calls the
 * runtime of the program that loads it, so the program must have the runtime as a shared library,
 * which a program has that was linked with -lcuda. Each load is a library of its own, with
 * variables of its own. It stays mapped when the module is unloaded, because the registry and
 * reports refer to it. */
#include "api/driver/driver.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/register.h"
#include "base/alloc.h"
#include "base/handle.h"
#include "base/lock.h"
#include "os/code.h"

enum { MODULE_TAG = 0x4d /* 'M' */, CUDA_MACHINE = 190 /* EM_CUDA */ };

/* Life: from a load to cuModuleUnload. */
struct module {
    const struct cdp_abi_module *tables; /* of the registry */
};

static struct {
    struct cdp_lock lock; /* guards the table */
    struct cdp_handle_table handles;
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_DRIVER), .handles = {.tag = MODULE_TAG}};

static CUmodule module_of_handle(uint64_t handle)
{
    return (CUmodule)(void *)(uintptr_t)handle;
}

/* ---- Images ---- */

static CUresult refuse(CUresult result, const char *what)
{
    fprintf(stderr, "cdp: cuModuleLoad: %s\n", what);
    return result;
}

/* The code of a GPU, or text that the driver would compile for one. */
static bool is_for_gpu(const char *image)
{
    static const unsigned char fat[2][4] = {{0x50, 0xed, 0x55, 0xba}, {0xb1, 0x43, 0x62, 0x46}};
    Elf64_Half machine = EM_NONE;
    if (memcmp(image, ELFMAG, SELFMAG) == 0) {
        memcpy(&machine, image + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
        return machine == CUDA_MACHINE;
    }
    /* PTX begins with comments or a directive. */
    return memcmp(image, fat[0], 4) == 0 || memcmp(image, fat[1], 4) == 0 ||
           memcmp(image, "//", 2) == 0 || memcmp(image, ".ver", 4) == 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The bytes of a library in memory: to the end of its last part. */
static uint64_t size_of_image(const char *image)
{
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    uint64_t end = larger(header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize,
                          header.e_phoff + (uint64_t)header.e_phnum * header.e_phentsize);
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, image + header.e_shoff + i * header.e_shentsize, sizeof section);
        end =
            section.sh_type == SHT_NOBITS ? end : larger(end, section.sh_offset + section.sh_size);
    }
    return end;
}

/* At least 4 bytes of the image can be read. */
static CUresult check_image(const char *image)
{
    if (is_for_gpu(image)) {
        return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU,
                      "the image is code for a GPU, and there is none here. Make it with "
                      "cdpcc -ptx, -cubin or -fatbin from the CUDA source");
    }
    return memcmp(image, ELFMAG, SELFMAG) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

/* ---- Loading ---- */

static bool write_all(int fd, const char *bytes, uint64_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written <= 0) {
            return false;
        }
        bytes += written;
        size -= (uint64_t)written;
    }
    return true;
}

static void *open_copy(const char *image, uint64_t size)
{
    int fd = memfd_create("module", MFD_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    void *library = write_all(fd, image, size) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    close(fd);
    return library;
}

/* The module of a library; NULL: dlopen has failed. */
static CUresult add_library(void *library, CUmodule *out)
{
    if (library == NULL) {
        const char *reason = dlerror();
        fprintf(stderr,
                "cdp: cuModuleLoad: %s\n"
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
    struct module *module = cdp_alloc_zero(sizeof *module);
    if (module == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    module->tables = tables;
    cdp_lock_acquire(&all.lock);
    uint64_t handle = cdp_handle_create(&all.handles, module);
    cdp_lock_release(&all.lock);
    if (handle == 0) {
        cdp_free(module);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = module_of_handle(handle);
    return CUDA_SUCCESS;
}

static CUresult load_image(CUmodule *out, const char *image)
{
    CUresult result = check_image(image);
    return result != CUDA_SUCCESS ? result
                                  : add_library(open_copy(image, size_of_image(image)), out);
}

/* The first load of a file maps the file itself, so that a debugger knows its name. */
static CUresult load_mapped(CUmodule *out, const char *path, const char *image, size_t size)
{
    CUresult result = size < sizeof(Elf64_Ehdr) ? CUDA_ERROR_INVALID_IMAGE : check_image(image);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    char absolute[4096];
    if (realpath(path, absolute) == NULL) {
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    void *loaded = dlopen(absolute, RTLD_NOW | RTLD_NOLOAD);
    if (loaded != NULL) {
        dlclose(loaded);
        return add_library(open_copy(image, size), out);
    }
    return add_library(dlopen(absolute, RTLD_NOW | RTLD_LOCAL), out);
}

static CUresult load_file(CUmodule *out, const char *path)
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
    CUresult result = load_mapped(out, path, image, size);
    munmap(image, size);
    return result;
}

CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || module == NULL || path == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return load_file(module, path);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    struct cdp_driver_call call;
    CUresult result = cdp_driver_begin(&call);
    if (result != CUDA_SUCCESS || module == NULL || image == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    return load_image(module, image);
}

/* Nothing is compiled, so the logs are empty, and the other options have no effect. */
static void empty_logs(unsigned count, const CUjit_option *options, void **values)
{
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
            options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
            values[i] = NULL;
        } else if ((options[i] == CU_JIT_INFO_LOG_BUFFER ||
                    options[i] == CU_JIT_ERROR_LOG_BUFFER) &&
                   values[i] != NULL) {
            *(char *)values[i] = '\0';
        }
    }
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                            CUjit_option *options, void **values)
{
    if (count > 0 && (options == NULL || values == NULL)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    empty_logs(count, options, values);
    return cuModuleLoadData(module, image);
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
    if (result != CUDA_SUCCESS) {
        return result;
    }
    cdp_lock_acquire(&all.lock);
    struct module *module = cdp_handle_remove(&all.handles, (uintptr_t)(void *)handle);
    cdp_lock_release(&all.lock);
    if (module == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    cdp_free(module);
    return CUDA_SUCCESS;
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

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle, const char *name)
{
    const struct cdp_abi_module *tables;
    CUresult result = begin(handle, name, &tables);
    if (result != CUDA_SUCCESS || function == NULL) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    for (struct cdp_abi_kernel *k = tables->kernels; k < tables->kernels_end; k++) {
        if (strcmp(k->name, name) == 0) {
            *function = (CUfunction)(void *)k;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal(CUdeviceptr *ptr, size_t *size, CUmodule handle, const char *name)
{
    const struct cdp_abi_module *tables;
    CUresult result = begin(handle, name, &tables);
    if (result != CUDA_SUCCESS || (ptr == NULL && size == NULL)) {
        return result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
    }
    const struct cdp_abi_variable *v = tables->variables;
    while (v < tables->variables_end && strcmp(v->name, name) != 0) {
        v++;
    }
    if (v == tables->variables_end) {
        return CUDA_ERROR_NOT_FOUND;
    }
    if (ptr != NULL) {
        *ptr = (uintptr_t)v->address;
    }
    if (size != NULL) {
        *size = v->size;
    }
    return CUDA_SUCCESS;
}
