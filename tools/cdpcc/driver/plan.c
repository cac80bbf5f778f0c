/* Plans the jobs that produce what the user requests.
 *
 * For "cdpcc -c a.cu" there are these jobs; an arrow means "needs":
 *
 *     device: clang to a.device.bc      host: clang to optimized bitcode
 *         |  (detour for PTX)               |            |
 *         +---------------> lower <---------+       host object
 *                             |                          |
 *                             +-----> (managed) <--------+
 *                                         |
 *                                    ld -r to a.o
 *
 * The conditional jobs are always in the plan; the runner skips them. Names of temporary files are
 * unique by the number of the source. */
#include "driver/plan.h"

#include "driver/front.h"
#include "driver/link.h"
#include "lower/defer.h"
#include "support/arena.h"
#include "support/str.h"

#include <string.h>

/* The plan under construction, and what it is made from. On the stack of plan_make. */
struct planner {
    const struct args *args;
    const struct tools *tools;
    struct plan plan;
};

/* The new job's index. Jobs are added after the jobs that they need. */
static size_t add(struct planner *planner, struct job job)
{
    struct plan *plan = &planner->plan;
    plan->jobs = arena_grow(plan->jobs, plan->count * sizeof(*plan->jobs),
                            (plan->count + 1) * sizeof(*plan->jobs));
    plan->jobs[plan->count] = job;
    return plan->count++;
}

/* A copy of the indexes, in the arena. */
static struct job_list list(const size_t *items, size_t count)
{
    return (struct job_list){arena_grow(items, count * sizeof(*items), count * sizeof(*items)),
                             count};
}

/* Jobs of one unit that another job needs. */
enum { MOST_NEEDS = 4 };

#define NEEDS(...)                                                                                 \
    list((const size_t[]){__VA_ARGS__}, sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* A source's name may be as long as the file system allows, so that no suffix fits. */
static const char *short_stem(const char *path)
{
    enum { MOST = 64 };
    const char *stem = str_stem(path);
    size_t length = strlen(stem) < MOST ? strlen(stem) : MOST;
    while (length > 0 && (stem[length] & 0xc0) == 0x80) {
        length--; /* not within a character of UTF-8 */
    }
    return str_copy(stem, length);
}

static const char *temporary(const struct planner *planner, size_t unit, const char *suffix)
{
    return str_format("%s/%zu-%s%s", planner->tools->temporary, unit,
                      short_stem(planner->args->inputs[unit].path), suffix);
}

/* The output for one source if no job joins the results. */
static const char *output_of(const struct args *args, const struct input *input,
                             const char *extension)
{
    if (args->output_path != NULL) {
        return args->output_path;
    }
    const char *name = str_format("%s%s", str_stem(input->path), extension);
    return args->output_directory == NULL ? name
                                          : str_format("%s/%s", args->output_directory, name);
}

/* The output of the last job; with --run a program in the temporary directory. */
static const char *final_output(const struct args *args, const struct tools *tools)
{
    if (args->action.run) {
        return str_format("%s/%s", tools->temporary, str_stem(args->inputs[0].path));
    }
    if (args->output_path != NULL) {
        return args->output_path;
    }
    const char *name = "a.out";
    if (args->output == OUTPUT_DEVICE_LINK) {
        name = "a_dlink.o";
    } else if (args->output == OUTPUT_ARCHIVE) {
        name = "a.a";
    }
    return args->output_directory == NULL ? name
                                          : str_format("%s/%s", args->output_directory, name);
}

/* The target of -MD's rule: the user's object or program, never a temporary file. */
static const char *depend_target(const struct planner *planner, const struct input *input)
{
    const struct args *args = planner->args;
    if (args->output == OUTPUT_PROGRAM && args->output_path != NULL && args->input_count == 1) {
        return args->output_path;
    }
    return args_joins_objects(args) ? str_format("%s.o", str_stem(input->path))
                                    : output_of(args, input, ".o");
}

/* The subject of a message: "compiling the device side of 'a.cu'". */
static const char *about(const char *what, const struct input *input)
{
    return str_format("%s '%s'", what, input->path);
}

/* A job for one source alone. */
static struct job unit_job(const struct planner *planner, const char *what,
                           const struct input *input)
{
    size_t unit = (size_t)(input - planner->args->inputs) + 1;
    return (struct job){.about = about(what, input), .unit = unit, .says = JOB_SAYS_MORE};
}

/* Compiles the source itself, or its preprocessed form. */
static struct job front_job(const struct planner *planner, struct vec argv, const char *what,
                            const struct input *input)
{
    struct job job = unit_job(planner, what, input);
    job.argv = argv;
    job.says = JOB_SAYS_AS_PASS;
    job.step = str_starts(what, "compiling the device") ? "device code: front end"
                                                        : "host code: front end, optimizer";
    job.reads_source = input->language == LANGUAGE_CUDA;
    return job;
}

/* The level of LLVM's pipeline for device code, 0 to 3. Without -O it is 3, as in nvcc. */
static int optimization(const struct args *args)
{
    const char *level = args->clang.optimize;
    if (args->device.debug) {
        return 0;
    }
    if (level == NULL || str_equals(level, "fast")) {
        return 3;
    }
    if (level[0] >= '0' && level[0] <= '3') {
        return level[0] - '0';
    }
    return level[0] == 'g' ? 1 : 2;
}

/* A debugger shows each thread separately, unless block entries are requested.  AddressSanitizer is
 * used with -g for the lines of its reports, and thread entries take far more time there.
 *
 * Sanitizers look at single accesses of single threads, so they need thread entries.  Only
 * AddressSanitizer has tests for the lanes of a vector (instrument/address.c). */
static bool has_block_entries(const struct args *args)
{
    bool is_debugged = args->device.debug || (args->clang.debug != NULL && !args->sanitize.address);
    bool are_wanted =
        args->device.entry == ENTRY_BLOCK || (args->device.entry == ENTRY_AUTO && !is_debugged);
    return are_wanted && !args->sanitize.thread && !args->sanitize.others && optimization(args) > 0;
}

/* The commands that compile a unit again whose constants have no value in C++; see defer.h. */
static const struct defer_commands *plan_defer(const struct planner *planner,
                                               const struct input *input)
{
    size_t unit = (size_t)(input - planner->args->inputs);
    struct defer_commands *defer = arena_alloc(sizeof *defer);
    defer->source = temporary(planner, unit, ".defer.ii");
    defer->ptx = temporary(planner, unit, ".ptx.ii");
    defer->plain = temporary(planner, unit, ".plain.ii");
    defer->warnings = temporary(planner, unit, ".defer.messages");
    defer->rewritten = temporary(planner, unit, ".deferred.ii");
    defer->bitcode = temporary(planner, unit, ".deferred.bc");
    struct front_job front = {.args = planner->args, .tools = planner->tools, .input = input};
    front.kind = FRONT_PREPROCESSED;
    front.output = defer->source;
    defer->preprocess = front_device(&front);
    front.kind = FRONT_BITCODE;
    front.output = defer->bitcode;
    defer->compile = front_device_again(&front, defer->rewritten);
    front.kind = FRONT_UNDEFINED;
    front.output = NULL;
    defer->find = front_device_again(&front, defer->plain);
    return defer;
}

static struct job lower_job(const struct planner *planner, const struct input *input,
                            const char *bitcode, const char *output, enum lower_output kind)
{
    const struct args *args = planner->args;
    struct job job = unit_job(planner, "lowering of", input);
    job.kind = JOB_LOWER;
    job.step = "device code: passes, optimizer, code generation";
    job.lower = (struct lower_options){
        .files = {.input = bitcode, .output = output, .names = args->device.names},
        .defer = plan_defer(planner, input),
        .kind = kind,
        .mode = args->device.mode,
        .arch = args->device.arch,
        .optimize = optimization(args),
        .debug_device = args->device.debug,
        .position_independent = args->device.pic || args->device.position_independent,
        .math = {.fast = args->device.fast_math,
                 .no_contraction = strcmp(args->device.contract, "off") == 0},
        .block_entries = has_block_entries(args),
        .explain = args->device.explain,
        .no_device_launch = args->device.no_device_launch,
        .sanitize = {.address = args->sanitize.address, .thread = args->sanitize.thread},
        .target = {.triple = args->target, .cpu = args->device.cpu},
        .strip_debug = args->clang.debug == NULL && !args->device.debug &&
                       !args->device.line_info &&
                       !check_any(&args->device.checks), /* reports name lines */
        .strong_canaries =
            args->clang.debug != NULL || args->device.debug || check_any(&args->device.checks),
        .checks = args->device.checks,
        .warnings = args->device.warnings,
        .colours = planner->tools->colours,
    };
    return job;
}

/* The jobs from the device side to bitcode: the usual job, and the last one of the detour for PTX
 * assembly. One of them writes the bitcode. */
struct device_jobs {
    size_t direct, detour;
};

/* depend_target: of -MD's rule, or NULL if another job writes it. */
static struct device_jobs plan_device(struct planner *planner, size_t unit, const char *bitcode,
                                      const char *depend_target)
{
    const struct input *input = &planner->args->inputs[unit];
    struct front_job front = {planner->args, planner->tools, input,
                              FRONT_BITCODE, bitcode,        depend_target};
    struct job job =
        front_job(planner, front_device(&front), "compiling the device side of", input);
    job.may_be_ptx = true;
    struct device_jobs jobs = {.direct = add(planner, job)};

    front.depend_target = NULL;
    front.kind = FRONT_PREPROCESSED;
    front.output = temporary(planner, unit, ".device.ii");
    job = unit_job(planner, "preprocessing", input);
    job.argv = front_device(&front);
    job.reads_source = true;
    job.when = JOB_IF_PTX;
    job.condition = jobs.direct;
    job.needs = NEEDS(jobs.direct);
    size_t text = add(planner, job);

    job = unit_job(planner, "reading the assembly of", input);
    job.kind = JOB_PTX_TEXT;
    job.when = JOB_IF_PTX;
    job.condition = jobs.direct;
    job.from = front.output;
    job.to = temporary(planner, unit, ".ptx.ii");
    job.needs = NEEDS(text);
    size_t rewritten = add(planner, job);

    front.kind = FRONT_BITCODE;
    front.output = bitcode;
    job = front_job(planner, front_device_again(&front, job.to), "compiling the device side of",
                    input);
    job.reads_source = false;
    job.when = JOB_IF_PTX;
    job.condition = jobs.direct;
    job.needs = NEEDS(rewritten);
    jobs.detour = add(planner, job);
    return jobs;
}

/* A job that is a function of cdpcc, from one file of host bitcode to another. */
static struct job host_pass(const struct planner *planner, size_t unit, enum job_kind kind,
                            const char *from)
{
    struct job job = unit_job(planner, "compiling the host side of", &planner->args->inputs[unit]);
    job.kind = kind;
    job.from = from;
    job.to = temporary(planner, unit, kind == JOB_MANAGED ? ".managed.bc" : ".calls.bc");
    return job;
}

/* Whether the host side is bitcode first, which a pass of cdpcc changes. */
static bool has_host_pass(const struct args *args)
{
    const struct checks *checks = &args->device.checks;
    return checks->on[CHECK_API] || checks->on[CHECK_MEMORY] || checks->on[CHECK_RACE];
}

/* The host side as bitcode that is not optimized. */
static struct job host_bitcode(const struct planner *planner, size_t unit)
{
    const struct input *input = &planner->args->inputs[unit];
    struct front_job front = {
        planner->args, planner->tools, input, FRONT_BITCODE, temporary(planner, unit, ".host.bc"),
        NULL};
    struct job job = unit_job(planner, "compiling the host side of", input);
    job.argv = front_host(&front);
    job.reads_source = true;
    return job;
}

/* From the bitcode to the object. */
static struct job host_finish(const struct planner *planner, size_t unit, const char *bitcode,
                              const char *object)
{
    const struct input *input = &planner->args->inputs[unit];
    struct front_job front = {planner->args, planner->tools, input, FRONT_OBJECT, object, NULL};
    struct job job = unit_job(planner, "compiling the host side of", input);
    job.argv = front_host_finish(&front, bitcode);
    return job;
}

/* Compiles the host side again, as bitcode, if there are __managed__ variables: in it the host's
 * copies become references to the device's variables. */
static size_t plan_managed(struct planner *planner, size_t unit, const char *device,
                           const char *object, struct job_list needs)
{
    const char *raw = temporary(planner, unit, ".host.bc");
    struct job job;
    if (has_host_pass(planner->args)) {
        raw = temporary(planner, unit, ".calls.bc"); /* plan_host has made it */
    } else {
        job = host_bitcode(planner, unit);
        job.when = JOB_IF_MANAGED;
        job.evidence = device;
        job.needs = needs;
        size_t first = add(planner, job);
        needs = NEEDS(first);
    }
    job = host_pass(planner, unit, JOB_MANAGED, raw);
    job.when = JOB_IF_MANAGED;
    job.evidence = device;
    job.needs = needs;
    size_t second = add(planner, job);

    job = host_finish(planner, unit, job.to, object);
    job.when = JOB_IF_MANAGED;
    job.evidence = device;
    job.needs = NEEDS(second);
    return add(planner, job);
}

/* Block entries are specialized for the block sizes that the host launches. The lowering reads them
 * in the host's optimized code. Returns its path, or NULL if it is not available. */
static const char *plan_host_hints(struct planner *planner, size_t unit)
{
    const struct args *args = planner->args;
    bool is_optimized = args->clang.optimize == NULL ? args->clang.debug == NULL
                                                     : !str_equals(args->clang.optimize, "0");
    return is_optimized && has_block_entries(args) ? temporary(planner, unit, ".hints.bc") : NULL;
}

/* The job that writes the hints for the lowering, and the one that writes the host's object.
 * Without hints both are the same job. */
struct host_jobs {
    size_t hints, object; /* the same job without hints */
};

/* With --check=api, memory or race: see instrument/host_calls.h. The source is CUDA, C or C++. The
 * hints, if they are wanted, are made of the code without these calls. */
static struct host_jobs plan_host_calls(struct planner *planner, size_t unit, const char *hints,
                                        const char *object)
{
    const struct input *input = &planner->args->inputs[unit];
    const char *raw = temporary(planner, unit, ".host.bc");
    struct front_job front = {
        planner->args, planner->tools, input, FRONT_BITCODE, raw, depend_target(planner, input)};
    bool is_cuda = input->language == LANGUAGE_CUDA;
    const char *what = is_cuda ? "compiling the host side of" : "compiling";
    size_t first =
        add(planner,
            front_job(planner, is_cuda ? front_host(&front) : front_plain(&front), what, input));
    struct job job = host_pass(planner, unit, JOB_HOST_CALLS, raw);
    job.lower.checks = planner->args->device.checks;
    job.needs = NEEDS(first);
    size_t second = add(planner, job);
    job = host_finish(planner, unit, job.to, object);
    job.needs = NEEDS(second);
    struct host_jobs jobs = {.object = add(planner, job)};
    jobs.hints = jobs.object;
    if (hints != NULL) {
        front.kind = FRONT_OPTIMIZED_BITCODE;
        front.output = hints;
        job = unit_job(planner, "compiling the host side of", input);
        job.argv = front_host_finish(&front, raw);
        job.needs = NEEDS(first);
        jobs.hints = add(planner, job);
    }
    return jobs;
}

static struct host_jobs plan_host(struct planner *planner, size_t unit, const char *hints,
                                  const char *object)
{
    const struct input *input = &planner->args->inputs[unit];
    struct front_job front = {planner->args, planner->tools, input,
                              FRONT_OBJECT,  object,         depend_target(planner, input)};
    struct host_jobs jobs;
    if (has_host_pass(planner->args)) {
        return plan_host_calls(planner, unit, hints, object);
    }
    if (hints == NULL) {
        jobs.object = jobs.hints = add(
            planner, front_job(planner, front_host(&front), "compiling the host side of", input));
        return jobs;
    }
    front.kind = FRONT_OPTIMIZED_BITCODE;
    front.output = hints;
    jobs.hints =
        add(planner, front_job(planner, front_host(&front), "compiling the host side of", input));
    front.kind = FRONT_OBJECT;
    front.output = object;
    struct job job = unit_job(planner, "compiling the host side of", input);
    job.argv = front_host_generate(&front, hints);
    job.step = "host code: code generation";
    job.needs = NEEDS(jobs.hints);
    jobs.object = add(planner, job);
    return jobs;
}

/* The objects that a .cu becomes: its host half, its device half in one or two objects, and the
 * registration. */
struct cuda_parts {
    struct vec objects;
    const char *in_parts; /* stands for the separately compiled block entries (job.h); or NULL */
    struct job_list jobs; /* that write the objects */
};

static struct cuda_parts plan_cuda_parts(struct planner *planner, size_t unit)
{
    const struct input *input = &planner->args->inputs[unit];
    const char *bitcode = temporary(planner, unit, ".device.bc");
    const char *device = temporary(planner, unit, ".device.o");
    const char *host = temporary(planner, unit, ".host.o");

    struct device_jobs bit = plan_device(planner, unit, bitcode, NULL);
    const char *hints = plan_host_hints(planner, unit);
    struct host_jobs host_jobs = plan_host(planner, unit, hints, host);

    struct job job = lower_job(planner, input, bitcode, device, LOWER_OBJECT);
    job.needs = NEEDS(bit.direct, bit.detour);
    if (hints != NULL) {
        job.lower.files.host = hints;
        job.needs = NEEDS(bit.direct, bit.detour, host_jobs.hints);
    }
    /* Several processes take no longer than one, but --threads 1 requests one. */
    bool may_part =
        job.lower.block_entries && job.lower.strip_debug && planner->args->action.threads > 1;
    struct cuda_parts parts = {.in_parts = may_part ? temporary(planner, unit, ".blocks.o") : NULL};
    job.lower.files.parts = parts.in_parts;
    job.lower.files.unit = input->cuid;
    size_t lowered = add(planner, job);
    size_t managed = plan_managed(planner, unit, device, host, NEEDS(lowered, host_jobs.object));

    VEC_PUSH(&parts.objects, host, device);
    if (parts.in_parts != NULL) {
        vec_push(&parts.objects, parts.in_parts);
    }
    vec_push(&parts.objects, planner->tools->registrar);
    parts.jobs = NEEDS(host_jobs.object, lowered, managed);
    return parts;
}

/* A .cu to one object.
 *
 * Returns the index of the job that writes the object. */
static size_t plan_cuda_object(struct planner *planner, size_t unit, const char *output)
{
    struct cuda_parts parts = plan_cuda_parts(planner, unit);
    struct job job = unit_job(planner, "joining the halves of", &planner->args->inputs[unit]);
    job.says = JOB_SAYS_RAW;
    job.argv = link_parts(planner->tools, &parts.objects, output);
    job.in_parts = parts.in_parts;
    job.output = output;
    job.needs = parts.jobs;
    return add(planner, job);
}

/* The shared library as the user's file, which is text for -ptx. linked writes the library. */
static void plan_module_output(struct planner *planner, struct job linked, const char *output)
{
    if (!str_equals(planner->args->module_extension, ".ptx")) {
        linked.output = output;
        add(planner, linked);
        return;
    }
    struct job text = {.kind = JOB_MODULE_TEXT, .about = linked.about, .unit = linked.unit};
    text.says = JOB_SAYS_RAW;
    text.from = linked.argv.items[linked.argv.count - 1];
    text.to = text.output = output;
    text.lower.arch = planner->args->device.arch;
    size_t library = add(planner, linked);
    text.needs = NEEDS(library);
    add(planner, text);
}

/* Where the linker writes a module. */
static const char *module_library(const struct planner *planner, size_t unit, const char *output)
{
    return str_equals(planner->args->module_extension, ".ptx") ? temporary(planner, unit, ".so")
                                                               : output;
}

/* Objects as one file for cuModuleLoad. */
static void plan_linked_module(struct planner *planner)
{
    const struct args *args = planner->args;
    const char *output = output_of(args, &args->inputs[0], args->module_extension);
    struct job job = {.about = str_format("linking '%s'", output), .says = JOB_SAYS_RAW};
    job.argv = link_modules(args, planner->tools, module_library(planner, 0, output));
    plan_module_output(planner, job, output);
}

/* A .cu's device side as a file for cuModuleLoad. */
static void plan_module(struct planner *planner, size_t unit, const char *output)
{
    const struct input *input = &planner->args->inputs[unit];
    const char *bitcode = temporary(planner, unit, ".device.bc");
    const char *device = temporary(planner, unit, ".device.o");
    struct device_jobs bit = plan_device(planner, unit, bitcode, output);
    struct job job = lower_job(planner, input, bitcode, device, LOWER_MODULE);
    job.needs = NEEDS(bit.direct, bit.detour);
    size_t lowered = add(planner, job);
    job = unit_job(planner, "linking the device code of", input);
    job.says = JOB_SAYS_RAW;
    job.argv =
        link_module(planner->args, planner->tools, device, module_library(planner, unit, output));
    job.needs = NEEDS(lowered);
    plan_module_output(planner, job, output);
}

/* A .cu's device side as assembly or LLVM's language. */
static void plan_device_text(struct planner *planner, size_t unit, const char *output,
                             enum lower_output kind)
{
    const struct input *input = &planner->args->inputs[unit];
    const char *bitcode = temporary(planner, unit, ".device.bc");
    struct device_jobs bit = plan_device(planner, unit, bitcode, NULL);
    struct job job = lower_job(planner, input, bitcode, output, kind);
    job.needs = NEEDS(bit.direct, bit.detour);
    job.output = output;
    add(planner, job);
}

/* Outputs that clang alone produces: preprocessed text, dependencies, the host side. */
static void plan_clang_only(struct planner *planner, const struct input *input,
                            enum front_output kind, const char *output)
{
    struct front_job front = {planner->args, planner->tools, input, kind, output, NULL};
    bool is_rewritten = kind == FRONT_DEPENDENCIES && planner->args->action.as_nvcc;
    if (is_rewritten) {
        front.output = temporary(planner, (size_t)(input - planner->args->inputs), ".depend");
        output =
            planner->args->clang.depend_file != NULL ? planner->args->clang.depend_file : output;
    }
    if (kind != FRONT_PREPROCESSED && kind != FRONT_DEPENDENCIES) {
        front.depend_target = output;
    }
    struct vec argv;
    if (input->language != LANGUAGE_CUDA) {
        argv = front_plain(&front);
    } else if (planner->args->side == SIDE_DEVICE) {
        argv = front_device(&front);
    } else {
        argv = front_host(&front);
    }
    struct job job = front_job(planner, argv, "compiling", input);
    job.output = is_rewritten ? NULL : output;
    size_t first = add(planner, job);
    if (is_rewritten) {
        job = unit_job(planner, "writing the dependencies of", input);
        job.kind = JOB_DEPEND;
        job.from = front.output;
        job.to = job.output = output;
        job.needs = NEEDS(first);
        add(planner, job);
    }
}

/* Host code in C or C++ to an object. */
static size_t plan_plain_object(struct planner *planner, size_t unit, const char *object)
{
    const struct input *input = &planner->args->inputs[unit];
    bool is_code = input->language == LANGUAGE_C || input->language == LANGUAGE_CXX;
    if (is_code && has_host_pass(planner->args)) {
        return plan_host_calls(planner, unit, NULL, object).object;
    }
    struct front_job front = {planner->args, planner->tools, input,
                              FRONT_OBJECT,  object,         depend_target(planner, input)};
    return add(planner, front_job(planner, front_plain(&front), "compiling", input));
}

/* Only the front ends run, on both sides of a .cu. */
static void plan_syntax(struct planner *planner, size_t unit)
{
    const struct input *input = &planner->args->inputs[unit];
    if (input->language != LANGUAGE_CUDA) {
        struct front_job front = {
            planner->args, planner->tools, input, FRONT_BITCODE, temporary(planner, unit, ".bc"),
            NULL};
        add(planner, front_job(planner, front_plain(&front), "compiling", input));
        return;
    }
    if (planner->args->side != SIDE_HOST) {
        plan_device(planner, unit, temporary(planner, unit, ".device.bc"), NULL);
    }
    if (planner->args->side != SIDE_DEVICE) {
        add(planner, host_bitcode(planner, unit));
    }
}

/* Plans one source if results are not joined. */
static void plan_single(struct planner *planner, size_t unit)
{
    static const struct {
        enum front_output front;
        enum lower_output lower;
        const char *extension;
    } kinds[] = {
        [OUTPUT_OBJECT] = {FRONT_OBJECT, LOWER_OBJECT, ".o"},
        [OUTPUT_ASSEMBLY] = {FRONT_ASSEMBLY, LOWER_ASSEMBLY, ".s"},
        [OUTPUT_BITCODE] = {FRONT_OPTIMIZED_BITCODE, LOWER_BITCODE, ".bc"},
        [OUTPUT_IR] = {FRONT_IR, LOWER_IR, ".ll"},
        [OUTPUT_PREPROCESSED] = {FRONT_PREPROCESSED, LOWER_IR, ""},
        [OUTPUT_DEPENDENCIES] = {FRONT_DEPENDENCIES, LOWER_IR, ""},
    };
    const struct args *args = planner->args;
    const struct input *input = &args->inputs[unit];
    if (args->output == OUTPUT_NONE) {
        plan_syntax(planner, unit);
        return;
    }
    bool is_module = args->output == OUTPUT_MODULE;
    const char *extension = is_module ? args->module_extension : kinds[args->output].extension;
    const char *output = *extension == '\0' ? args->output_path : output_of(args, input, extension);
    if (is_module) {
        plan_module(planner, unit, output);
    } else if (input->language != LANGUAGE_CUDA && args->output == OUTPUT_OBJECT) {
        size_t last = plan_plain_object(planner, unit, output);
        planner->plan.jobs[last].output = output;
    } else if (input->language != LANGUAGE_CUDA || *extension == '\0' ||
               (args->side == SIDE_HOST && args->output != OUTPUT_OBJECT)) {
        plan_clang_only(planner, input, kinds[args->output].front, output);
    } else if (args->output == OUTPUT_OBJECT) {
        plan_cuda_object(planner, unit, output);
    } else {
        plan_device_text(planner, unit, output, kinds[args->output].lower);
    }
}

/* Compiles a source to a temporary object that the last job joins with others. */
static size_t plan_part(struct planner *planner, size_t unit, const char *object)
{
    const struct input *input = &planner->args->inputs[unit];
    if (input->language == LANGUAGE_CUDA) {
        return plan_cuda_object(planner, unit, object);
    }
    return plan_plain_object(planner, unit, object);
}

/* The command makes a program of one .cu.  Then its parts need not be joined first. */
static bool links_parts(const struct args *args)
{
    size_t count = 0;
    for (size_t i = 0; i < args->input_count; i++) {
        count += args->inputs[i].language == LANGUAGE_CUDA;
    }
    return count == 1 && args->output == OUTPUT_PROGRAM && !args->action.as_nvcc;
}

/* All sources become temporary objects, and the last job needs all of them. */
static void plan_joined(struct planner *planner)
{
    const struct args *args = planner->args;
    struct vec *objects = arena_alloc((args->input_count + 1) * sizeof(*objects));
    size_t *needs = arena_alloc((args->input_count + MOST_NEEDS) * sizeof(*needs));
    const char *in_parts = NULL;
    size_t count = 0;
    for (size_t i = 0; i < args->input_count; i++) {
        if (args->inputs[i].language == LANGUAGE_CUDA && links_parts(args)) {
            struct cuda_parts parts = plan_cuda_parts(planner, i);
            objects[i] = parts.objects;
            in_parts = parts.in_parts;
            for (size_t k = 0; k < parts.jobs.count; k++) {
                needs[count++] = parts.jobs.items[k];
            }
        } else if (args->inputs[i].language != LANGUAGE_LINK) {
            const char *object = temporary(planner, i, ".o");
            vec_push(&objects[i], object);
            needs[count++] = plan_part(planner, i, object);
        }
    }
    const char *output = final_output(args, planner->tools);
    struct job job = {.about = str_format("linking '%s'", output), .says = JOB_SAYS_RAW};
    job.argv = link_all(args, planner->tools, objects, output);
    const char *lld = link_by_lld(planner->tools, output);
    job.first_try = lld != NULL && vec_has(&job.argv, lld) ? lld : NULL;
    job.in_parts = in_parts;
    job.output = output;
    job.needs = list(needs, count);
    add(planner, job);
}

/* Files that only the linker reads have no jobs. */
struct plan plan_make(const struct args *args, const struct tools *tools)
{
    struct planner planner = {.args = args, .tools = tools, .plan.units = args->input_count};
    if (args_joins_objects(args)) {
        plan_joined(&planner);
        return planner.plan;
    }
    if (args->output == OUTPUT_MODULE && args->inputs[0].language == LANGUAGE_LINK) {
        plan_linked_module(&planner);
        return planner.plan;
    }
    for (size_t i = 0; i < args->input_count; i++) {
        if (args->inputs[i].language != LANGUAGE_LINK) {
            plan_single(&planner, i);
        }
    }
    return planner.plan;
}

const char *plan_output(const struct args *args, const struct tools *tools)
{
    return args_joins_objects(args) ? final_output(args, tools) : args->output_path;
}
