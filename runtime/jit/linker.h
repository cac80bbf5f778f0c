/* Linking images to one module: what cuLinkAddData and nvJitLinkAddData have in common.
 *
 * A single image stays as it is. Of several ones, cdpcc links the objects that they hold. */
#ifndef CDP_JIT_LINKER_H
#define CDP_JIT_LINKER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

enum cdp_link_result {
    CDP_LINK_OK,
    CDP_LINK_NO_MEMORY, /* or a temporary file could not be written */
    CDP_LINK_FOR_GPU,   /* the input is code for a GPU */
    CDP_LINK_NO_IMAGE,  /* the input is none that cdpcc wrote */
    CDP_LINK_FAILED,    /* undefined or repeated symbols */
    CDP_LINK_NO_TOOL,   /* cdpcc is missing */
};

/* One link. Zero is an empty one. The caller locks. */
struct cdp_linker {
    char *directory; /* for the objects; NULL before the first input */
    size_t count;    /* inputs */
    char *only;      /* the first input's library, or NULL; used if there is no other */
    size_t only_size;
    bool is_alone; /* the first input holds no object */
    char *image;   /* the result; NULL before cdp_linker_complete */
    size_t image_size;
    char *log; /* a line for each mistake; NULL if there was none */
};

/* Adds an image, which the caller may change afterwards. name is for messages, and may be NULL. */
enum cdp_link_result cdp_linker_add(struct cdp_linker *linker, const void *bytes, size_t size,
                                    const char *name) CDP_MUST_CHECK;
/* Adds an object of cdpcc -c, or an archive of such objects, by its path. */
enum cdp_link_result cdp_linker_add_file(struct cdp_linker *linker,
                                         const char *path) CDP_MUST_CHECK;
/* Sets image and image_size. */
enum cdp_link_result cdp_linker_complete(struct cdp_linker *linker) CDP_MUST_CHECK;
void cdp_linker_finish(struct cdp_linker *linker);

#endif
