/* The paths of all tools: clang, the linker, our headers and runtime. */
#ifndef CDPCC_TOOLS_H
#define CDPCC_TOOLS_H
#include <stdbool.h>

/* Filled once by tools_find; const afterwards, but for temporary. Strings are in the arena. */
struct tools {
    const char *clang;        /* path of clang 22 or later */
    const char *clangxx;      /* the same as a compiler of C++, beside it; may be NULL */
    const char *linker;       /* for joining objects with -r */
    const char *other_linker; /* GNU's; may be NULL */
    const char *archiver;
    const char *include;       /* our CUDA headers */
    const char *library;       /* directory of the runtime */
    const char *registrar;     /* cdp_register.o, part of each object */
    const char *object_source; /* cdp_object.S, part of each module */
    const char *toolkit;       /* laid out as NVIDIA's toolkit: bin/nvcc, include, lib64 */
    const char *triple;        /* of the target machine, as clang writes it */
    const char *temporary;     /* directory for temporary files */
    bool colours;              /* messages go to a terminal */
};

/* Finds all paths except temporary, for a machine that target.h names, or for this one if NULL.
 * Returns 0, or 1 after printing what is missing. */
int tools_find(struct tools *tools, const char *target);

/* The directory that is laid out as NVIDIA's toolkit; NULL if this program's own path is unknown.
 */
const char *tools_toolkit(void);

#endif
