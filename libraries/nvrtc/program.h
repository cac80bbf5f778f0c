/* A program of NVRTC, from its source to its image.
 *
 *     program.c   the calls of nvrtc.h
 *     options.c   NVRTC's options as cdpcc's
 *     compile.c   runs cdpcc
 *     cache.c     results on disk
 *
 * Nothing here uses the runtime: a program may compile without running kernels. */
#ifndef NVRTC_PROGRAM_H
#define NVRTC_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "nvrtc.h"

#include "base/attr.h"

/* A string and its length. Owned: bytes may be NULL, else they end with a zero that is not
 * counted. */
struct nvrtc_text {
    char *bytes;
    size_t size;
};

/* A header that the program includes by the name. Both are owned. */
struct nvrtc_header {
    char *name, *text;
};

/* lowered is NULL before a compilation that succeeded. Both are owned. */
struct nvrtc_name {
    char *expression, *lowered;
};

/* Life: from nvrtcCreateProgram to nvrtcDestroyProgram. Used by one thread at a time, as NVRTC
 * requires. */
struct _nvrtcProgram {
    char *source, *name; /* const after creation */
    struct nvrtc_header *headers;
    size_t header_count;
    struct nvrtc_name *names;
    size_t name_count;
    bool is_tried, is_compiled; /* with options that are right; with success */
    struct nvrtc_text log;      /* of the last compilation */
    struct nvrtc_text ptx;      /* cdpcc's text (abi/cdp_image.h), whatever kind was asked for */
    struct nvrtc_text binary;   /* the same, decoded */
    bool has_cubin, has_ltoir;  /* the kinds that the options ask for; has_ltoir: no PTX */
};

/* An array of strings, which it owns. After a failure for lack of memory, failed is set. */
struct nvrtc_words {
    char **items; /* ends with a NULL */
    size_t count;
    bool failed;
};
/* As printf. */
void nvrtc_words_add(struct nvrtc_words *words, const char *format, ...) CDP_PRINTF(2, 3);
void nvrtc_words_finish(struct nvrtc_words *words);

/* What the options of a compilation say. */
struct nvrtc_options {
    struct nvrtc_words words; /* for cdpcc */
    bool is_real;             /* sm_NN and not compute_NN: there is a CUBIN */
    bool is_lto;
    bool no_cache, no_source_include;
    bool is_default_device; /* what has no word for its place is device code */
    char *time_file;        /* "-" is the log; NULL: none */
};
/* Fills options. An option that NVRTC does not have, or with a wrong value, gives
 * NVRTC_ERROR_INVALID_OPTION and a line for the log in *message, which the caller frees. */
nvrtcResult nvrtc_options_parse(struct nvrtc_options *options, int count, const char *const *given,
                                char **message) CDP_MUST_CHECK;
void nvrtc_options_finish(struct nvrtc_options *options);

/* Compiles: sets the log, and after success the image and the lowered names. */
nvrtcResult nvrtc_compile(nvrtcProgram program, const struct nvrtc_options *options,
                          const char *cdpcc) CDP_MUST_CHECK;

/* ---- The cache ---- */

/* Stands in a list of files for the directory of temporary files, whose texts are in the key. */
#define NVRTC_TEMPORARY "\x01"

/* What a compilation wrote: its messages, image, lowered names, and the files that it read. */
struct nvrtc_result {
    struct nvrtc_text log, ptx, names, depends;
};
void nvrtc_result_finish(struct nvrtc_result *result);

/* One possible entry. */
struct nvrtc_cache_entry {
    char *directory, *path;
    struct nvrtc_text key; /* all that the result depends on but the files that were read */
};
/* False if there is no cache. */
bool nvrtc_cache_open(struct nvrtc_cache_entry *entry, nvrtcProgram program,
                      const struct nvrtc_options *options, const char *cdpcc);
bool nvrtc_cache_load(const struct nvrtc_cache_entry *entry, struct nvrtc_result *result);
/* A failure has no effect. */
void nvrtc_cache_store(const struct nvrtc_cache_entry *entry, const struct nvrtc_result *result);
void nvrtc_cache_close(struct nvrtc_cache_entry *entry);

#endif
