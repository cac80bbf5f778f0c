/* The addresses of functions and variables, from the symbol tables of the loaded files. */
#include "os/code.h"
#include "os/os.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* The state of a search in one file. */
struct search {
    int type; /* of the symbols: STT_FUNC, STT_OBJECT */
    bool (*wanted)(const char *name);
    struct cdp_os_symbols *found;
    size_t capacity;
    /* The name of the symbol that contains an address is copied; address 0: none. */
    uintptr_t address;
    char *name;
    size_t name_size;
};

static void add(struct search *search, uintptr_t low, uintptr_t high)
{
    struct cdp_os_symbols *found = search->found;
    if (found->count == search->capacity) {
        size_t capacity = search->capacity != 0 ? 2 * search->capacity : 64;
        struct cdp_os_range *more = cdp_realloc(found->ranges, capacity * sizeof *more);
        if (more == NULL) {
            return; /* the rest will not be known */
        }
        found->ranges = more;
        search->capacity = capacity;
    }
    found->ranges[found->count++] = (struct cdp_os_range){.low = low, .high = high};
}

static void see(struct search *search, const char *name, uintptr_t low, size_t size)
{
    if (search->address == 0 && search->wanted(name)) {
        add(search, low, low + size);
    } else if (search->address - low < size) {
        snprintf(search->name, search->name_size, "%s", name);
    }
}

static void read_symbols(struct search *search, const char *file, const Elf64_Shdr *sections,
                         const Elf64_Shdr *table, uintptr_t base)
{
    const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(file + table->sh_offset);
    const char *names = file + sections[table->sh_link].sh_offset;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const Elf64_Sym *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) == search->type && symbol->st_size != 0 &&
            symbol->st_shndx != SHN_UNDEF) {
            see(search, names + symbol->st_name, base + symbol->st_value, symbol->st_size);
        }
    }
}

/* Reads the full symbol table if the file was not stripped, else the exported symbols. */
static void read_file(struct search *search, const char *file, size_t size, uintptr_t base)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)file;
    if (size < sizeof *header || memcmp(file, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr) ||
        header->e_shoff > size || header->e_shnum > (size - header->e_shoff) / sizeof(Elf64_Shdr)) {
        return;
    }
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(const void *)(file + header->e_shoff);
    const Elf64_Shdr *table = NULL;
    for (size_t i = 0; i < header->e_shnum; i++) {
        bool full = sections[i].sh_type == SHT_SYMTAB;
        if (full || (sections[i].sh_type == SHT_DYNSYM && table == NULL)) {
            table = &sections[i];
        }
    }
    if (table != NULL && table->sh_link < header->e_shnum && table->sh_offset <= size &&
        table->sh_size <= size - table->sh_offset) {
        read_symbols(search, file, sections, table, base);
    }
}

static int read_module(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    const char *path = info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0) {
        return 0; /* the vdso, for example */
    }
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        char *file = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (file != MAP_FAILED) {
            read_file(arg, file, bytes, info->dlpi_addr);
            munmap(file, bytes);
        }
    }
    close(descriptor);
    return 0;
}

static int compare(const void *left, const void *right)
{
    const struct cdp_os_range *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low;
}

static void find(struct search *search)
{
    struct cdp_os_symbols *out = search->found;
    *out = (struct cdp_os_symbols){.count = 0};
    dl_iterate_phdr(read_module, search);
    if (out->count != 0) {
        qsort(out->ranges, out->count, sizeof *out->ranges, compare);
    }
}

void cdp_os_find_functions(bool (*wanted)(const char *name), struct cdp_os_symbols *out)
{
    find(&(struct search){.type = STT_FUNC, .wanted = wanted, .found = out});
}

void cdp_os_find_variables(bool (*wanted)(const char *name), struct cdp_os_symbols *out)
{
    find(&(struct search){.type = STT_OBJECT, .wanted = wanted, .found = out});
}

static bool find_name(int type, const void *address, char *out, size_t size)
{
    struct search search = {
        .type = type, .address = (uintptr_t)address, .name = out, .name_size = size};
    *out = '\0';
    if (address != NULL) {
        dl_iterate_phdr(read_module, &search);
    }
    return *out != '\0';
}

bool cdp_os_variable_name(const void *address, char *out, size_t size)
{
    return find_name(STT_OBJECT, address, out, size);
}

bool cdp_os_function_name(const void *address, char *out, size_t size)
{
    return find_name(STT_FUNC, address, out, size);
}
