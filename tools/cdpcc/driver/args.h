/* The parsed command line. The parser opens no file and prints only errors.
 *
 * nvcc's options are the model. An option that has no meaning on a CPU is accepted without effect,
 * or refused with a reason; args_take.c has the table of all of them. */
#ifndef CDPCC_ARGS_H
#define CDPCC_ARGS_H
#include "ir/options.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>

/* If there are several, the last in this order counts: "-shared -c" compiles. */
enum output_kind {
    OUTPUT_PROGRAM,
    OUTPUT_SHARED,
    OUTPUT_ARCHIVE,      /* -lib */
    OUTPUT_DEVICE_LINK,  /* -dlink */
    OUTPUT_OBJECT,       /* -c, -dc */
    OUTPUT_MODULE,       /* -ptx, -cubin, -fatbin: device code for cuModuleLoad */
    OUTPUT_BITCODE,      /* -emit-llvm -c */
    OUTPUT_ASSEMBLY,     /* -S */
    OUTPUT_IR,           /* -emit-llvm -S */
    OUTPUT_PREPROCESSED, /* -E */
    OUTPUT_DEPENDENCIES, /* -M, -MM */
    OUTPUT_NONE,         /* -fsyntax-only */
};

/* By the extension of the file, or by -x. LANGUAGE_LINK is for files that only the linker reads. */
enum language { LANGUAGE_CUDA, LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_ASSEMBLY, LANGUAGE_LINK };

/* The compilation that -E, -S and -emit-llvm are about: --cuda-host-only and the like. */
enum side { SIDE_BOTH, SIDE_HOST, SIDE_DEVICE };

/* One file of the command line, in its order. Strings are borrowed. */
struct input {
    const char *path;
    enum language language;
    const char *cuid; /* set by probe: makes the names of this unit's static symbols unique */
};

/* One word or file of the link command, in the user's order.
 *
 * Objects of sources take the place of the source on the command line, because the order of
 * libraries and objects matters to the linker. */
struct link_item {
    const char *text; /* a word for the linker; NULL for a source file's object */
    size_t input;     /* index of that source file */
};

/* --entry; without the option, the default for the kind of output. */
enum args_entry { ENTRY_AUTO, ENTRY_THREAD, ENTRY_BLOCK };

/* Words for clang, in the user's order. Each list is for the compilations that its name says. */
struct args_clang {
    struct vec front;         /* every compilation */
    struct vec front_host;    /* host side, and C and C++ files */
    struct vec front_device;  /* device side */
    bool no_host_headers;     /* --rtc: only our own headers, and those that NVRTC finds */
    struct vec depend;        /* -MD and the like: one compilation only */
    const char *depend_file;  /* -MF */
    bool depend_target_given; /* -MT or -MQ */
    const char *standard;     /* value of -std; may be NULL */
    const char *optimize;     /* "0".."3", "s", "fast"; NULL = not given */
    const char *debug;        /* -g...; NULL = not given */
};

/* How device code is lowered.
 *
 * Defaults are set by args_parse: sm_90, both generations, block entries where they are
 * possible. */
struct args_device {
    enum cdp_mode mode;
    unsigned arch; /* like __CUDA_ARCH__: 900 = sm_90 */
    bool debug, line_info, fast_math, no_device_launch;
    bool position_independent; /* false: -no-pie, -fno-pie */
    bool pic;                  /* -fPIC: for a shared library */
    enum args_entry entry;
    enum lower_explain explain;
    const char *names;        /* --rtc-names: the file for lower/names.c; may be NULL */
    const char *contract;     /* -fmad: "fast" or "off" */
    const char *cpu;          /* -march; NULL = the machine's own for device code */
    struct checks checks;     /* --check */
    struct warnings warnings; /* cdpcc's own */
};

/* The requested action.
 *
 * What cdpcc itself does beside the compilation. */
struct args_action {
    bool show_plan, verbose, keep, run, help, version, time;
    bool as_nvcc;                    /* called under the name nvcc, see nvcc.h */
    bool list_codes, list_arches;    /* --list-gpu-code, --list-gpu-arch */
    const char *keep_directory;      /* --keep-dir; may be NULL */
    const char *init;                /* --init: "clangd" or "vscode"; may be NULL */
    bool lab;                        /* --lab; its other effects are options of their own */
    bool shared_runtime, no_runtime; /* -cudart=shared, =none */
    bool loads_modules;              /* -lcuda: the driver API */
    const char *program;             /* --run of a program that exists; may be NULL */
    struct vec run_arguments;
    unsigned threads; /* compilations at once */
};

/* -fsanitize; any is set with each of the others. others: "undefined" and the like. */
struct args_sanitize {
    bool address, thread, others, any;
};

/* A command line. Filled by args_parse(), const afterwards, but for what probe finds of the
 * inputs. */
struct args {
    enum output_kind output;
    const char *output_path;      /* -o; NULL = by the input's name */
    const char *output_directory; /* -odir; may be NULL */
    const char *module_extension; /* of OUTPUT_MODULE: ".ptx" */
    struct input *inputs;
    size_t input_count;
    struct link_item *link_items;
    size_t link_count;
    const char *target; /* --target, with target.h's name; NULL = this machine */
    enum side side;     /* for -E, -S and -emit-llvm */
    struct args_clang clang;
    struct args_device device;
    struct args_sanitize sanitize;
    struct args_action action;
};

/* Whether the inputs become objects that a last step joins. */
bool args_joins_objects(const struct args *args);

/* Fills args from argv[1..argc-1]. Returns 0, or 1 after printing an error. args keeps pointers
 * into argv. */
int args_parse(struct args *args, int argc, const char *const *argv);

/* The text of --help. */
void args_print_help(void);

#endif
