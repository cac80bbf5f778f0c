/* The last step: linking, joining objects, archives.
 *
 * The functions return commands as argv, in the arena; the runner of jobs executes them. Only the
 * last two open files. */
#ifndef CDPCC_LINK_H
#define CDPCC_LINK_H
#include "driver/args.h"
#include "driver/tools.h"

/* Joins the parts of a .cu to one object. */
struct vec link_parts(const struct tools *tools, const struct vec *parts, const char *output);

/* A file for cuModuleLoad: a shared library with the device half of a .cu alone, and in a section
 * that half itself. The functions that it calls are those of the program that loads it. */
struct vec link_module(const struct args *args, const struct tools *tools, const char *device,
                       const char *output);
/* A file for cuModuleLoad from objects that the command line names: the device halves of several
 * sources, which cuLinkComplete took from their files. */
struct vec link_modules(const struct args *args, const struct tools *tools, const char *output);

/* The program, library, archive or device-link object. objects[i] are the objects of
 * args->inputs[i], none if that is no source. */
struct vec link_all(const struct args *args, const struct tools *tools, const struct vec *objects,
                    const char *output);

/* The word of such a command by which clang takes LLD, which links in a third of the default
 * linker's time; NULL: there is no LLD, or the output's name is too long for it.  A link that fails
 * by LLD is tried by the default linker, which accepts more and whose messages people know. */
const char *link_by_lld(const struct tools *tools, const char *output);
/* Whether the runtime's shared library must be used: for libraries, or because a library on the
 * command line uses it. Reads files. */
bool link_wants_shared_runtime(const struct args *args);
/* Whether an object, archive or source on the command line names the runtime API's calls that load
 * device code (cudaLibraryLoadData). Such programs need not say -lcuda. Reads files. */
bool link_loads_libraries(const struct args *args);

#endif
