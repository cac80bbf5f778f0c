/* The clang command lines: each .cu is compiled twice for this machine, once as
 * host code and once as device code. */
#ifndef CDPCC_FRONT_H
#define CDPCC_FRONT_H
#include "driver/args.h"
#include "driver/tools.h"

/* The kind of clang's output.
 *
 * Each kind is one set of words: -c, -S, -E, -emit-llvm and so on. */
enum front_output {
    FRONT_OBJECT,
    FRONT_BITCODE, /* unoptimized */
    FRONT_IR,      /* optimized, as text */
    FRONT_ASSEMBLY,
    FRONT_OPTIMIZED_BITCODE,
    FRONT_PREPROCESSED,
    FRONT_DEPENDENCIES,
    FRONT_UNDEFINED, /* no file: warnings of constants without a value, with their ranges */
};

/* What one clang command must do. On the stack of the planner; all pointers are borrowed. */
struct front_job {
    const struct args *args;
    const struct tools *tools;
    const struct input *input;
    enum front_output kind;
    const char *output;        /* NULL = standard output */
    const char *depend_target; /* the target of -MD's rule; NULL = no -MD here */
};

/* The command that compiles the device side of a .cu: argv with clang's path first. In the arena,
 * like all commands of this file. */
struct vec front_device(const struct front_job *job);
/* The command that compiles the host side of a .cu. */
struct vec front_host(const struct front_job *job);
/* The words by which clangd reads a .cu and its headers: those of the host side, without the
 * compiler's path, outputs and sources. */
struct vec front_editor(const struct args *args, const struct tools *tools);
/* C, C++ and assembly files. */
struct vec front_plain(const struct front_job *job);
/* Compiles preprocessed device code in the same way as front_device compiles source. */
struct vec front_device_again(const struct front_job *job, const char *preprocessed);
/* Compiles host bitcode to the object that front_host makes from the source. */
struct vec front_host_finish(const struct front_job *job, const char *bitcode);
/* The same for optimized bitcode. */
struct vec front_host_generate(const struct front_job *job, const char *bitcode);

#endif
