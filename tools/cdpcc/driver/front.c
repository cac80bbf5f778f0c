/* The clang command lines.
 *
 * Order matters in two places. Our header comes before any header that the user includes with
 * -include, because it must declare device functions before the C++ library is seen. Our directory
 * is searched after the user's.
 *
 * The device side of a .cu, much shortened:
 *
 *     clang -x cuda --cuda-host-only -Xclang -fcuda-is-device -D__CUDA_ARCH__=900
 *           -include cuda_runtime.h (user's words) -isystem include/cdpcc
 *           -O1 -Xclang -disable-llvm-passes -gdwarf-4 -emit-llvm -c a.cu -o a.device.bc
 *
 * The host side is the same without -fcuda-is-device and with the user's optimization. Both use
 * the language and the rules of CUDA, but the types and the ABI of this machine. */
#include "driver/front.h"

#include "support/str.h"
#include "target/target.h"

#include <string.h>

/* The words of all compilations. */
static void add_start(struct vec *words, const struct front_job *job)
{
    /* Without this, clang's crash reports would stay in the parent of the temporary directory. */
    VEC_PUSH(words, job->tools->clang, "-fno-crash-diagnostics");
    if (job->args->target != NULL) {
        vec_push(words, str_format("--target=%s", job->args->target));
    }
    if (job->tools->colours) {
        vec_push(words, "-fcolor-diagnostics");
    }
}

/* What nvcc and GCC only warn of, and clang refuses: in C++ initializers that lose digits, as in
 * dim3 grid = {n, n}, and "%"PRIu64 without a space; in C what was common before C99. */
static void add_leniency(struct vec *words, enum language language)
{
    if (language == LANGUAGE_C) {
        VEC_PUSH(words, "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
                 "-Wno-error=int-conversion", "-Wno-error=incompatible-pointer-types",
                 "-Wno-error=return-mismatch");
    } else if (language != LANGUAGE_ASSEMBLY) {
        VEC_PUSH(words, "-Wno-error=c++11-narrowing", "-Wno-error=reserved-user-defined-literal");
    }
}

/* The words that make clang compile a .cu for this machine alone, without a CUDA toolkit. */
static void add_cuda(struct vec *words, const struct front_job *job)
{
    VEC_PUSH(words, "--cuda-host-only", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib",
             "-fgpu-rdc", "-Xclang", "-target-sdk-version=12.9", "-Wno-unknown-cuda-version");
    /* nvcc only warns of the first two, or does not mention them; the last is about #pragma
     * unroll. */
    VEC_PUSH(words, "-Wno-register", "-Wno-missing-template-arg-list-after-template-kw",
             "-Wno-pass-failed");
    add_leniency(words, LANGUAGE_CUDA);
    vec_push(words, str_format("-cuid=%s", job->input->cuid));
}

/* Our headers come after the user's directories. Those of compat/absent, which say what is not
 * supported, come after the system's, too. */
static void add_include(struct vec *words, const struct front_job *job)
{
    VEC_PUSH(words, "-isystem", job->tools->include, "-idirafter",
             str_format("%s/absent", job->tools->include));
}

/* Definitions and our header come before the user's words, our directory after them. */
static void add_source_words(struct vec *words, const struct front_job *job)
{
    const struct args *args = job->args;
    vec_push(words, str_format("-D__CDP_MODE=%d", (int)args->device.mode));
    /* Libraries use it to choose the code that the host launches. So it must agree with the
     * attributes of kernels (cudaFuncGetAttributes), and with the architecture of device code. */
    VEC_PUSH(words, "-U__CUDA_ARCH_LIST__",
             str_format("-D__CUDA_ARCH_LIST__=%u", args->device.arch));
    if (args->clang.no_host_headers) {
        VEC_PUSH(words, "-nostdinc", "-D__CUDACC_RTC__=1");
    }
    VEC_PUSH(words, "-include", str_format("%s/cuda_runtime.h", job->tools->include));
    vec_append(words, &args->clang.front);
    add_include(words, job);
}

/* -std for C++ must not reach C files, nor the reverse. */
static void add_standard(struct vec *words, const struct args *args, enum language language)
{
    if (args->clang.standard == NULL) {
        return;
    }
    bool for_cxx = strstr(args->clang.standard, "++") != NULL;
    if (language == LANGUAGE_ASSEMBLY || (language == LANGUAGE_C && for_cxx)) {
        return;
    }
    vec_push(words, str_format("-std=%s", args->clang.standard));
}

/* Checked host code calls the runtime before its loads and stores. Clang adds these calls after its
 * optimizer has run, so they cost no optimization. "func" alone emits nothing; without it the two
 * others have no effect. Reports name lines. */
static void add_checks(struct vec *words, const struct args *args)
{
    const struct checks *checks = &args->device.checks;
    if (!check_any(checks)) {
        return;
    }
    if (args->clang.debug == NULL) {
        VEC_PUSH(words, "-gdwarf-4", "-gline-tables-only");
    }
    if (checks->on[CHECK_MEMORY] || checks->on[CHECK_RACE]) {
        vec_push(words, "-fsanitize-coverage=func,trace-loads,trace-stores");
        VEC_PUSH(words, "-mllvm", "-disable-loop-idiom-all"); /* a memset would not be seen */
        /* Clang omits accesses of more than 16 bytes. A loop whose length is a constant becomes
         * one such access, whatever the width of the processor's vectors. */
        VEC_PUSH(words, "-fno-vectorize", "-fno-slp-vectorize");
    }
}

/* Without -O the host's code is -O2, and -O0 with -g. With --lab it is -O1: at -O0 every use of a
 * local variable would be a checked access. */
static void add_host_code(struct vec *words, const struct args *args)
{
    if (args->clang.optimize == NULL && args->action.lab) {
        vec_push(words, "-O1");
    } else if (args->clang.optimize == NULL) {
        vec_push(words, args->clang.debug != NULL ? "-O0" : "-O2");
    } else if (str_equals(args->clang.optimize, "fast")) {
        VEC_PUSH(words, "-O3", "-ffast-math");
    } else {
        vec_push(words, str_format("-O%s", args->clang.optimize));
    }
    if (args->clang.debug != NULL) {
        vec_push(words, "-gdwarf-4"); /* valgrind and old gdbs cannot read 5 */
    }
    if (args->device.pic) {
        vec_push(words, "-fPIC");
    }
    /* (long)(a[i] * 1103515245 + 12345) is computed in 32 bits, as with GCC, nvcc's host compiler:
     * backend/emit.c. */
    VEC_PUSH(words, "-mllvm", "-disable-cgp-ext-ld-promotion");
    add_checks(words, args);
}

/* Device code is written unoptimized: the checks of the lowering need the code of the source, and
 * its passes run before the optimizer's. */
static void add_device_code(struct vec *words, const struct args *args)
{
    VEC_PUSH(words, args->device.debug ? "-O0" : "-O1", "-Xclang", "-disable-llvm-passes");
    /* The lowering reads the layout of parameters from the debug information, and removes it if it
     * is not wanted. */
    VEC_PUSH(words, "-gdwarf-4", "-fstandalone-debug");
    if (args->device.pic) {
        vec_push(words, "-fPIC");
    }
    /* As on a GPU, a loop that never ends is not removed, though C++ allows compilers to assume
     * that it ends or has an effect. */
    vec_push(words, "-fno-finite-loops");
    /* Stacks are small here: a large frame must not skip the guard page. */
    VEC_PUSH(words, "-fstack-clash-protection", "-fno-math-errno",
             str_format("-ffp-contract=%s", args->device.contract));
    if (args->device.fast_math) {
        VEC_PUSH(words, "-fapprox-func", "-freciprocal-math", "-fno-signed-zeros",
                 "-fassociative-math");
    }
}

/* Some code is undefined in C++ but works with nvcc, and programs rely on it: a pointer that wraps
 * around, a store to NULL that faults, a function that ends without its return, a local variable
 * that only some threads set. A conversion that does not fit becomes a call, which lower/convert.c
 * defines, and not poison. lower/front.c does the rest. Larger variables stay uninitialized,
 * because to clear them costs more than to clear a register. */
static void add_defined_behaviour(struct vec *words, const struct args *args)
{
    VEC_PUSH(words, "-fwrapv-pointer", "-fno-delete-null-pointer-checks", "-fno-strict-return",
             "-fno-strict-float-cast-overflow");
    if (args->device.checks.on[CHECK_MEMORY]) {
        vec_push(words, "-fwrapv"); /* an index that overflows is wrong in the same way each time */
    }
    if (!args->device.debug) {
        VEC_PUSH(words, "-ftrivial-auto-var-init=zero", "-ftrivial-auto-var-init-max-size=64");
    }
}

/* What makes a compilation that of the device side: __CUDA_ARCH__ and the rules of device
 * code. */
static void add_device_side(struct vec *words, const struct front_job *job)
{
    VEC_PUSH(words, "-Xclang", "-fcuda-is-device", "-Xclang", "-aux-triple", "-Xclang",
             job->tools->triple);
    VEC_PUSH(words, "-U__CUDA_ARCH__", str_format("-D__CUDA_ARCH__=%u", job->args->device.arch));
    if (target_is_arm(job->args->target)) {
        vec_push(words, "-Wno-asm-operand-widths"); /* a PTX operand "%0" may have any width */
    }
    /* Device code passes values that only some lanes have set, for example the leader's offset,
     * shuffled to the other lanes. If parameters were assumed to be defined, the optimizer would
     * conclude that every lane is the leader. */
    VEC_PUSH(words, "-Xclang", "-no-enable-noundef-analysis");
    /* After some errors the job is tried in another way. They must not hide other errors. */
    vec_push(words, "-ferror-limit=0");
    /* new returns NULL when the heap is full, and programs test this. */
    VEC_PUSH(words, "-fcheck-new");
    add_defined_behaviour(words, job->args);
}

/* Only one compilation of a source writes the dependencies: the one with a depend_target. */
static void add_depend(struct vec *words, const struct front_job *job)
{
    const struct args *args = job->args;
    if (job->kind == FRONT_DEPENDENCIES ||
        (job->depend_target != NULL && args->clang.depend.count != 0)) {
        vec_append(words, &args->clang.depend);
        bool is_rewritten = job->kind == FRONT_DEPENDENCIES && args->action.as_nvcc;
        if (args->clang.depend_file != NULL && !is_rewritten) {
            VEC_PUSH(words, "-MF", args->clang.depend_file);
        }
    }
    if (job->kind == FRONT_DEPENDENCIES || job->depend_target == NULL ||
        args->clang.depend.count == 0) {
        return;
    }
    if (!args->clang.depend_target_given) {
        VEC_PUSH(words, "-MQ", job->depend_target);
    }
    if (args->clang.depend_file == NULL) {
        const char *extension = str_extension(job->depend_target);
        size_t length = strlen(job->depend_target) - strlen(extension);
        VEC_PUSH(words, "-MF", str_format("%.*s.d", (int)length, job->depend_target));
    }
}

/* The kind of the output, the source, and the output file. */
static void add_end(struct vec *words, const struct front_job *job, const char *source)
{
    add_depend(words, job);
    switch (job->kind) {
    case FRONT_OBJECT:
        vec_push(words, "-c");
        break;
    case FRONT_BITCODE:
    case FRONT_OPTIMIZED_BITCODE:
        VEC_PUSH(words, "-emit-llvm", "-c");
        break;
    case FRONT_IR:
        VEC_PUSH(words, "-emit-llvm", "-S");
        break;
    case FRONT_ASSEMBLY:
        vec_push(words, "-S");
        break;
    case FRONT_PREPROCESSED:
        vec_push(words, "-E");
        break;
    case FRONT_DEPENDENCIES:
        break;
    case FRONT_UNDEFINED:
        VEC_PUSH(words, "-fsyntax-only", "-Wno-everything", "-Wshift-count-overflow",
                 "-Wshift-count-negative", "-Wdivision-by-zero",
                 "-fdiagnostics-print-source-range-info", "-fno-caret-diagnostics",
                 "-fno-color-diagnostics", "-ferror-limit=0");
        break;
    }
    vec_push(words, source);
    if (job->output != NULL) {
        VEC_PUSH(words, "-o", job->output);
    }
}

struct vec front_device(const struct front_job *job)
{
    struct vec words = {.items = NULL};
    add_start(&words, job);
    VEC_PUSH(&words, "-x", "cuda");
    add_cuda(&words, job);
    add_device_side(&words, job);
    add_standard(&words, job->args, LANGUAGE_CUDA);
    add_source_words(&words, job);
    vec_append(&words, &job->args->clang.front_device);
    add_device_code(&words, job->args);
    add_end(&words, job, job->input->path);
    return words;
}

/* Omits the words about warnings: the kind of the job decides about these. */
static void add_user_words(struct vec *words, const struct vec *given, const struct front_job *job)
{
    for (size_t i = 0; i < given->count; i++) {
        const char *word = given->items[i];
        bool is_of_warnings = str_equals(word, "-w") || str_starts(word, "-W");
        if (job->kind != FRONT_UNDEFINED || !is_of_warnings) {
            vec_push(words, word);
        }
    }
}

struct vec front_device_again(const struct front_job *job, const char *preprocessed)
{
    struct vec words = {.items = NULL};
    add_start(&words, job);
    VEC_PUSH(&words, "-x", "cuda-cpp-output");
    add_cuda(&words, job);
    /* clang's driver omits -cuid for preprocessed code. Without it, names of static kernels and
     * variables would differ from those of the host side. */
    VEC_PUSH(&words, "-Xclang", str_format("-cuid=%s", job->input->cuid));
    add_device_side(&words, job);
    add_standard(&words, job->args, LANGUAGE_CUDA);
    vec_push(&words, "-Wno-unused-command-line-argument");
    add_user_words(&words, &job->args->clang.front, job);
    add_user_words(&words, &job->args->clang.front_device, job);
    add_device_code(&words, job->args);
    add_end(&words, job, preprocessed);
    return words;
}

/* FRONT_BITCODE is for lower/managed.c and instrument/host_calls.c, which need unoptimized
 * code. */
struct vec front_host(const struct front_job *job)
{
    struct vec words = {.items = NULL};
    add_start(&words, job);
    VEC_PUSH(&words, "-x", "cuda");
    add_cuda(&words, job);
    add_standard(&words, job->args, LANGUAGE_CUDA);
    add_source_words(&words, job);
    vec_append(&words, &job->args->clang.front_host);
    add_host_code(&words, job->args);
    if (job->kind == FRONT_BITCODE) {
        VEC_PUSH(&words, "-Xclang", "-disable-llvm-passes");
    }
    add_end(&words, job, job->input->path);
    return words;
}

/* clang would warn of words that only affect preprocessing.
 *
 * Dependencies were written by the compilation of the source. */
static struct vec host_of_bitcode(const struct front_job *job, const char *bitcode,
                                  bool is_optimized)
{
    struct vec words = {.items = NULL};
    add_start(&words, job);
    VEC_PUSH(&words, "-x", "ir", "-Wno-unused-command-line-argument");
    vec_append(&words, &job->args->clang.front);
    vec_append(&words, &job->args->clang.front_host);
    add_host_code(&words, job->args);
    if (is_optimized) {
        VEC_PUSH(&words, "-Xclang", "-disable-llvm-passes");
    }
    struct front_job rest = *job;
    rest.depend_target = NULL;
    add_end(&words, &rest, bitcode);
    return words;
}

struct vec front_host_finish(const struct front_job *job, const char *bitcode)
{
    return host_of_bitcode(job, bitcode, false);
}

struct vec front_host_generate(const struct front_job *job, const char *bitcode)
{
    return host_of_bitcode(job, bitcode, true);
}

struct vec front_editor(const struct args *args, const struct tools *tools)
{
    struct vec words = {.items = NULL};
    const struct input none = {.cuid = "0"};
    const struct front_job job = {.args = args, .tools = tools, .input = &none};
    VEC_PUSH(&words, "-x", "cuda");
    add_cuda(&words, &job);
    add_standard(&words, args, LANGUAGE_CUDA);
    add_source_words(&words, &job);
    return words;
}

struct vec front_plain(const struct front_job *job)
{
    struct vec words = {.items = NULL};
    add_start(&words, job);
    if (job->input->language == LANGUAGE_C) {
        VEC_PUSH(&words, "-x", "c");
    } else if (job->input->language == LANGUAGE_CXX) {
        VEC_PUSH(&words, "-x", "c++");
    }
    add_leniency(&words, job->input->language);
    add_standard(&words, job->args, job->input->language);
    vec_append(&words, &job->args->clang.front);
    add_include(&words, job);
    vec_append(&words, &job->args->clang.front_host);
    add_host_code(&words, job->args);
    if (job->kind == FRONT_BITCODE) {
        VEC_PUSH(&words, "-Xclang", "-disable-llvm-passes");
    }
    add_end(&words, job, job->input->path);
    return words;
}
