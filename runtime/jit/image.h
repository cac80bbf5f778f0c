/* Images of modules: what a program passes to cuModuleLoadData, cuLinkAddData or nvJitLinkAddData.
 * abi/cdp_image.h describes them. */
#ifndef CDP_JIT_IMAGE_H
#define CDP_JIT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

enum cdp_image_kind {
    CDP_IMAGE_NONE,   /* anything else */
    CDP_IMAGE_GPU,    /* code of a GPU, or PTX for one */
    CDP_IMAGE_BINARY, /* a shared library, or an object: ELF for a processor */
    CDP_IMAGE_TEXT,   /* cdpcc's PTX */
};

/* The size of an image whose size the caller does not know. */
#define CDP_IMAGE_ANY_SIZE ((size_t)-1)

/* At least 4 bytes can be read, and a text ends with a zero or at the size. */
enum cdp_image_kind cdp_image_kind(const char *bytes, size_t size);

/* A library or object in memory. On the stack of a caller. */
struct cdp_image {
    const char *bytes;
    size_t size;
    char *owned; /* a text that was decoded; else NULL, and bytes are borrowed */
};

enum cdp_image_result { CDP_IMAGE_OK, CDP_IMAGE_BROKEN, CDP_IMAGE_NO_MEMORY };

/* Opens an image of the last two kinds. */
enum cdp_image_result cdp_image_open(struct cdp_image *image, const char *bytes,
                                     size_t size) CDP_MUST_CHECK;
void cdp_image_close(struct cdp_image *image);

/* The object from which the library was linked; NULL if the library does not hold it. An object
 * itself is what it was linked from. */
const char *cdp_image_object(const struct cdp_image *image, size_t *size);

/* The symbol of a device function, kernel or variable that the library uses and does not define;
 * NULL if it has all. The runtime's own functions do not count. After the last dot there is cdpcc's
 * suffix. */
const char *cdp_image_undefined(const struct cdp_image *image);

#endif
