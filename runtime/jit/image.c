/* Images of modules: recognized by their first bytes, decoded, and searched for their object. */
#include "jit/image.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/cdp_image.h"
#include "base/alloc.h"

enum { CUDA_MACHINE = 190 /* EM_CUDA */ };

/* strstr in a text that ends with a zero or at the size. */
static const char *find(const char *text, size_t size, const char *word)
{
    return size == CDP_IMAGE_ANY_SIZE ? strstr(text, word) : memmem(text, size, word, strlen(word));
}

/* PTX begins with comments or a directive, after blank lines. */
static bool begins_as_ptx(const char *start)
{
    const char *text = start + strspn(start, " \t\r\n");
    return strncmp(text, "//", 2) == 0 || strncmp(text, "/*", 2) == 0 ||
           strncmp(text, ".version", 8) == 0;
}

enum cdp_image_kind cdp_image_kind(const char *bytes, size_t size)
{
    static const unsigned char fat[2][4] = {{0x50, 0xed, 0x55, 0xba}, {0xb1, 0x43, 0x62, 0x46}};
    /* The first bytes up to a zero: no more of a short text may be read. */
    char start[64] = "";
    for (size_t i = 0; i < size && i < sizeof start - 1 && bytes[i] != '\0'; i++) {
        start[i] = bytes[i];
    }
    if (memcmp(start, ELFMAG, SELFMAG) == 0) {
        /* A text that only begins like an object ends here: none of these bytes is zero. */
        if (start[EI_CLASS] != ELFCLASS64 || start[EI_DATA] != ELFDATA2LSB ||
            start[EI_VERSION] != EV_CURRENT) {
            return CDP_IMAGE_NONE;
        }
        Elf64_Half machine = EM_NONE;
        if (size >= sizeof(Elf64_Ehdr)) {
            memcpy(&machine, bytes + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
        }
        return machine == EM_NONE        ? CDP_IMAGE_NONE
               : machine == CUDA_MACHINE ? CDP_IMAGE_GPU
                                         : CDP_IMAGE_BINARY;
    }
    if (memcmp(start, fat[0], 4) == 0 || memcmp(start, fat[1], 4) == 0) {
        return CDP_IMAGE_GPU;
    }
    if (!begins_as_ptx(start)) {
        return CDP_IMAGE_NONE;
    }
    return find(bytes, size, CDP_IMAGE_START) != NULL ? CDP_IMAGE_TEXT : CDP_IMAGE_GPU;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static Elf64_Shdr section_at(const char *bytes, size_t index)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    memcpy(&header, bytes, sizeof header);
    memcpy(&section, bytes + header.e_shoff + index * header.e_shentsize, sizeof section);
    return section;
}

/* The bytes of a library in memory: to the end of its last part. */
static size_t size_of(const char *bytes)
{
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    size_t end = larger(header.e_shoff + (size_t)header.e_shnum * header.e_shentsize,
                        header.e_phoff + (size_t)header.e_phnum * header.e_phentsize);
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section = section_at(bytes, i);
        end =
            section.sh_type == SHT_NOBITS ? end : larger(end, section.sh_offset + section.sh_size);
    }
    return end;
}

/* Whether the tables are within the size, so that size_of may read them. */
static bool has_tables(const char *bytes, size_t size)
{
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    return header.e_shentsize >= sizeof(Elf64_Shdr) && header.e_shoff <= size &&
           (size_t)header.e_shnum * header.e_shentsize <= size - header.e_shoff;
}

/* The value of each digit of base64; 64 for other characters. */
static void fill_values(unsigned char values[256])
{
    static const char digits[] = CDP_IMAGE_DIGITS;
    memset(values, 64, 256);
    for (unsigned char i = 0; i < 64; i++) {
        values[(unsigned char)digits[i]] = i;
    }
}

/* Decodes count bytes. Line ends, and the "//" after each, are skipped: a text may have gone
 * through a tool that changes line ends. end is behind the text, or NULL if it ends with a zero.
 * False if the text is too short or has another character. */
static bool decode(char *out, size_t count, const char *text, const char *end)
{
    unsigned char values[256];
    fill_values(values);
    size_t have = 0;
    uint32_t bits = 0;
    unsigned bit_count = 0;
    while (have < count) {
        if (text == end || *text == '\0') {
            return false;
        }
        if (*text == '\r' || *text == '\n') {
            bool comment = end == NULL
                               ? strncmp(text + 1, CDP_IMAGE_COMMENT, 2) == 0
                               : end - text > 2 && memcmp(text + 1, CDP_IMAGE_COMMENT, 2) == 0;
            text += comment ? 3 : 1;
            continue;
        }
        unsigned char value = values[(unsigned char)*text++];
        if (value == 64) {
            return false;
        }
        bits = bits << 6 | value;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            out[have++] = (char)(bits >> bit_count);
        }
    }
    return true;
}

static enum cdp_image_result open_text(struct cdp_image *image, const char *bytes, size_t size)
{
    const char *start = find(bytes, size, CDP_IMAGE_START) + strlen(CDP_IMAGE_START);
    const char *end = size == CDP_IMAGE_ANY_SIZE ? NULL : bytes + size;
    size_t count = 0;
    while (start != end && *start >= '0' && *start <= '9' && count < SIZE_MAX / 100) {
        count = 10 * count + (size_t)(*start++ - '0');
    }
    /* Four digits are three bytes, so a count that the text cannot hold is not allocated. */
    size_t text_size = size == CDP_IMAGE_ANY_SIZE ? strlen(start) : (size_t)(end - start);
    if (count < sizeof(Elf64_Ehdr) || count > text_size / 4 * 3) {
        return CDP_IMAGE_BROKEN;
    }
    char *decoded = cdp_alloc(count);
    if (decoded == NULL) {
        return CDP_IMAGE_NO_MEMORY;
    }
    if (!decode(decoded, count, start, end) || memcmp(decoded, ELFMAG, SELFMAG) != 0 ||
        !has_tables(decoded, count) || size_of(decoded) > count) {
        cdp_free(decoded);
        return CDP_IMAGE_BROKEN;
    }
    *image = (struct cdp_image){.bytes = decoded, .size = count, .owned = decoded};
    return CDP_IMAGE_OK;
}

enum cdp_image_result cdp_image_open(struct cdp_image *image, const char *bytes, size_t size)
{
    if (cdp_image_kind(bytes, size) == CDP_IMAGE_TEXT) {
        return open_text(image, bytes, size);
    }
    size_t own = has_tables(bytes, size) ? size_of(bytes) : SIZE_MAX;
    if (own > size || own == SIZE_MAX) {
        return CDP_IMAGE_BROKEN;
    }
    *image = (struct cdp_image){.bytes = bytes, .size = own};
    return CDP_IMAGE_OK;
}

void cdp_image_close(struct cdp_image *image)
{
    cdp_free(image->owned);
    *image = (struct cdp_image){.bytes = NULL};
}

/* The section of a type; sh_type is SHT_NULL if there is none. */
static Elf64_Shdr section_of(const char *bytes, Elf64_Word type)
{
    Elf64_Ehdr header;
    memcpy(&header, bytes, sizeof header);
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section = section_at(bytes, i);
        if (section.sh_type == type) {
            return section;
        }
    }
    return (Elf64_Shdr){.sh_type = SHT_NULL};
}

/* Whether the symbol is one that cdpcc gives to functions, variables and kernels of the source. */
static bool is_of_source(const char *name)
{
    const char *suffix = strrchr(name, '.');
    return suffix != NULL &&
           (strcmp(suffix, ".cdp") == 0 || strcmp(suffix, CDP_IMAGE_KERNEL_SUFFIX) == 0);
}

const char *cdp_image_undefined(const struct cdp_image *image)
{
    Elf64_Shdr symbols = section_of(image->bytes, SHT_DYNSYM);
    if (symbols.sh_type == SHT_NULL) {
        return NULL;
    }
    const char *names = image->bytes + section_at(image->bytes, symbols.sh_link).sh_offset;
    for (size_t at = sizeof(Elf64_Sym); at + sizeof(Elf64_Sym) <= symbols.sh_size;
         at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, image->bytes + symbols.sh_offset + at, sizeof symbol);
        if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) != STB_WEAK &&
            is_of_source(names + symbol.st_name)) {
            return names + symbol.st_name;
        }
    }
    return NULL;
}

const char *cdp_image_object(const struct cdp_image *image, size_t *size)
{
    Elf64_Ehdr header;
    memcpy(&header, image->bytes, sizeof header);
    if (header.e_type == ET_REL) {
        *size = image->size;
        return image->bytes;
    }
    if (header.e_shnum == 0 || header.e_shstrndx >= header.e_shnum) {
        return NULL;
    }
    const char *names = image->bytes + section_at(image->bytes, header.e_shstrndx).sh_offset;
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section = section_at(image->bytes, i);
        if (strcmp(names + section.sh_name, CDP_IMAGE_OBJECT) == 0) {
            *size = section.sh_size;
            return image->bytes + section.sh_offset;
        }
    }
    return NULL;
}
