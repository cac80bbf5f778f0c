/* Source that nvcc takes and clang does not, spelled as clang takes it.
 *
 * Only where a compilation failed: the files that its messages name are looked at, and those
 * in which something can be spelled otherwise are written anew beside the temporary files.
 * An overlay of file systems shows clang the copy under the file's own name, so that messages,
 * #include, __FILE__ and debug information stay as they are.  Nothing is read twice for
 * sources that need none of this, and headers are found however they were included.
 *
 *   k << <grid, block>> >(...)     as formatters write it: <<< and >>>, in place, so that
 *                                  lines and columns stay
 *   __shared__ T name;             where T's constructor does something, which nvcc only warns
 *                                  of: memory of T's size, and name refers to it
 *   texture<float> name;           texture references are declared for sources that lack them
 *                                  only: others may have a texture of their own */
#ifndef CDPCC_RESPELL_H
#define CDPCC_RESPELL_H
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>

struct respelled; /* one file */

/* What was spelled anew for one source; zero is nothing. */
struct respelling {
    struct respelled *files;
    size_t count;
    const char *overlay; /* the file for clang's -ivfsoverlay; NULL = none */
    bool has_references; /* texture<> or surface<> is meant, which left CUDA in version 12 */
    unsigned version;    /* rises with each change */
};

/* The words for clang that make it read a source so. */
void respell_words(const struct respelling *respelling, struct vec *words);

/* What a compiler wrote, with the columns and lines of the files as the user wrote them. */
const char *respell_in_own_words(const struct respelling *respelling, const char *text);

/* Looks into the files that a failed compilation's messages name, but for the headers in a
 * directory; true if something new was spelled anew.  Copies are named after stem. */
bool respell_after(struct respelling *respelling, const char *messages, const char *headers,
                   const char *stem);

#endif
