/* Respells source that nvcc accepts and clang does not, as clang accepts it.
 *
 * This happens only after a compilation failed. The files that its messages name are read. If
 * something in them can be spelled in another way, a changed copy is written beside the temporary
 * files. An overlay file system shows clang the copy under the file's own name, so messages,
 * #include, __FILE__ and debug information do not change. Sources that need none of this are read
 * only once, and it does not matter how headers are included.
 *
 *   k << <grid, block>> >(...)     as formatters write it: replaced by <<< and >>> in
 *                                  place, so lines and columns do not change
 *   __shared__ T name;             where T's constructor has an effect, which nvcc only warns
 *                                  of: replaced by memory of T's size; name refers to it
 *   texture<float> name;           texture references are declared only for sources that
 *                                  lack them: other sources may have a texture of their own */
#ifndef CDPCC_RESPELL_H
#define CDPCC_RESPELL_H
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>

struct respelled; /* one file */

/* The changes for one source; zero means none. The runner has one for each unit. It only grows: a
 * file that was respelled once stays so for all later compilations of the unit. */
struct respelling {
    struct respelled *files;
    size_t count;
    const char *overlay; /* the file for clang's -ivfsoverlay; NULL = none */
    bool has_references; /* the source uses texture<> or surface<>, which CUDA 12 removed */
    unsigned version;    /* rises with each change */
};

/* The words that make clang read the changed source. */
void respell_words(const struct respelling *respelling, struct vec *words);

/* A compiler's output, with the columns and lines of the user's files. */
const char *respell_in_own_words(const struct respelling *respelling, const char *text);

/* Reads the files that a failed compilation's messages name, except the headers in a directory.
 * True if something new was respelled: then a new compilation may succeed. Names of copies begin
 * with stem. */
bool respell_after(struct respelling *respelling, const char *messages, const char *headers,
                   const char *stem);

#endif
