/* The addresses of functions, from the symbol tables of the loaded files. */
#include "os/code.h"
#include "os/os.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* The state of a search in one file. */
struct search {
    bool (*wanted)(const char *name);
    struct cdp_os_functions *found;
    size_t capacity;
};

static void add(struct search *search, uintptr_t low, uintptr_t high)
{
    struct cdp_os_functions *found = search->found;
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

static void read_symbols(struct search *search, const char *file, const Elf64_Shdr *sections,
                         const Elf64_Shdr *table, uintptr_t base)
{
    const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(file + table->sh_offset);
    const char *names = file + sections[table->sh_link].sh_offset;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const Elf64_Sym *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_size != 0 &&
            symbol->st_shndx != SHN_UNDEF && search->wanted(names + symbol->st_name)) {
            add(search, base + symbol->st_value, base + symbol->st_value + symbol->st_size);
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

void cdp_os_find_functions(bool (*wanted)(const char *name), struct cdp_os_functions *out)
{
    *out = (struct cdp_os_functions){.count = 0};
    struct search search = {.wanted = wanted, .found = out};
    dl_iterate_phdr(read_module, &search);
    if (out->count != 0) {
        qsort(out->ranges, out->count, sizeof *out->ranges, compare);
    }
}
