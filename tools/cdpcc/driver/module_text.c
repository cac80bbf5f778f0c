/* A module as text, for -ptx. abi/cdp_image.h describes the form.
 *
 * The library is in comments, so the text is valid PTX: its entries are the kernels' names, which
 * programs read there. A GPU that got the text would stop at the first instruction. */
#include "driver/module_text.h"

#include "abi/cdp_image.h"
#include "driver/diag.h"
#include "support/arena.h"
#include "support/str.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A library that the linker has just written. In the arena. */
struct image {
    const unsigned char *bytes;
    size_t size;
};

/* False after printing an error. */
static bool read_image(const char *path, struct image *image)
{
    FILE *file = fopen(path, "r");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0) {
        diag_error("cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    image->size = (size_t)info.st_size;
    unsigned char *bytes = arena_alloc(image->size + 1);
    image->bytes = bytes;
    bool complete = fread(bytes, 1, image->size, file) == image->size;
    fclose(file);
    if (!complete || image->size < sizeof(Elf64_Ehdr)) {
        diag_error("cannot read '%s': it is too short", path);
        return false;
    }
    return true;
}

static Elf64_Shdr section_at(const struct image *image, size_t index)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    memcpy(&header, image->bytes, sizeof header);
    memcpy(&section, image->bytes + header.e_shoff + index * header.e_shentsize, sizeof section);
    return section;
}

/* One entry for each defined symbol of a kernel. */
static void write_entries_of(const struct image *image, const Elf64_Shdr *symbols, FILE *out)
{
    const char *names = (const char *)image->bytes + section_at(image, symbols->sh_link).sh_offset;
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, image->bytes + symbols->sh_offset + at, sizeof symbol);
        const char *name = names + symbol.st_name;
        if (symbol.st_shndx != SHN_UNDEF && str_ends(name, CDP_IMAGE_KERNEL_SUFFIX)) {
            size_t length = strlen(name) - strlen(CDP_IMAGE_KERNEL_SUFFIX);
            fprintf(out, ".visible .entry %.*s()\n{\n\ttrap;\n}\n\n", (int)length, name);
        }
    }
}

static void write_entries(const struct image *image, FILE *out)
{
    Elf64_Ehdr header;
    memcpy(&header, image->bytes, sizeof header);
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section = section_at(image, i);
        if (section.sh_type == SHT_DYNSYM) {
            write_entries_of(image, &section, out);
        }
    }
}

static void write_bytes(const struct image *image, FILE *out)
{
    static const char digits[] = CDP_IMAGE_DIGITS;
    size_t column = 0;
    fprintf(out, "%s%zu", CDP_IMAGE_START, image->size);
    for (size_t i = 0; i < image->size; i += 3) {
        size_t left = image->size - i;
        unsigned group = (unsigned)image->bytes[i] << 16;
        group |= left > 1 ? (unsigned)image->bytes[i + 1] << 8 : 0;
        group |= left > 2 ? image->bytes[i + 2] : 0;
        if (column % CDP_IMAGE_LINE == 0) {
            fputs("\n" CDP_IMAGE_COMMENT, out);
        }
        for (int digit = 0; digit < 4; digit++) {
            fputc(digit <= (int)left ? digits[group >> (18 - 6 * digit) & 63] : '=', out);
        }
        column += 4;
    }
    fputs(CDP_IMAGE_END, out);
}

int module_text_write(const char *from, const char *to, unsigned arch)
{
    struct image image;
    if (!read_image(from, &image)) {
        return 1;
    }
    FILE *out = fopen(to, "w");
    if (out == NULL) {
        diag_error("cannot write '%s': %s", to, strerror(errno));
        return 1;
    }
    fprintf(out,
            "// Device code by cdpcc, for this kind of processor: a shared library in base64.\n"
            "// cuModuleLoadData of cdpcc's runtime loads it. A GPU cannot run it.\n\n"
            ".version 8.8\n.target sm_%u\n.address_size 64\n\n",
            arch / 10);
    write_entries(&image, out);
    write_bytes(&image, out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        diag_error("cannot write '%s': %s", to, strerror(errno));
        return 1;
    }
    return 0;
}
