/* The clang command lines: each .cu is compiled twice for this machine, once as
 * host code and once as device code. */
#ifndef CDPCC_FRONT_H
#define CDPCC_FRONT_H
#include "driver/args.h"
#include "driver/tools.h"

/* The kind of clang's output. */
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

struct front_job {
    const struct args *args;
    const struct tools *tools;
    const struct input *input;
    enum front_output kind;
    const char *output;        /* NULL = standard output */
    const char *depend_target; /* the target of -MD's rule; NULL = no -MD here */
};

struct vec front_device(const struct front_job *job);
struct vec front_host(const struct front_job *job);
/* C, C++ and assembly files. */
struct vec front_plain(const struct front_job *job);
/* Compiles preprocessed device code in the same way as front_device compiles source. */
struct vec front_device_again(const struct front_job *job, const char *preprocessed);
/* Compiles host bitcode to the object that front_host makes from the source. */
struct vec front_host_finish(const struct front_job *job, const char *bitcode);
/* The same for optimized bitcode. */
struct vec front_host_generate(const struct front_job *job, const char *bitcode);

#endif
