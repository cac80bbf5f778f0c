/* A plan's jobs as shell command lines, for -### and -v.
 *
 * A job that cdpcc does itself has a word in parentheses instead of a program: (lower), (managed),
 * (calls), (ptx), (text), (depend). The words after it are for readers and tests; no program takes
 * them. */
#include "driver/job.h"
#include "support/str.h"

static struct vec lower_words(const struct lower_options *lower)
{
    static const char *const kinds[] = {"object", "module", "assembly", "bitcode", "ir"};
    static const char *const modes[] = {"auto", "1", "2"};
    struct vec words = {.items = NULL};
    VEC_PUSH(&words, "(lower)", lower->files.input, "-o", lower->files.output,
             str_format("--kind=%s", kinds[lower->kind]),
             str_format("--cdp=%s", modes[lower->mode]), str_format("-O%d", lower->optimize));
    const struct {
        bool on;
        const char *word;
    } flags[] = {
        {lower->debug_device, "-G"},
        {lower->position_independent, "--pic"},
        {lower->math.fast, "-use_fast_math"},
        {lower->math.no_contraction, "-fmad=false"},
        {lower->no_device_launch, "-rdc=false"},
        {lower->block_entries, "--entry=block"},
        {lower->explain == EXPLAIN_KERNELS, "--explain"},
        {lower->explain == EXPLAIN_PLAN, "--explain=plan"},
        {lower->explain == EXPLAIN_JSON, "--explain=json"},
        {lower->strip_debug, "-g0"},
        {lower->sanitize.address, "-fsanitize=address"},
        {lower->sanitize.thread, "-fsanitize=thread"},
        {lower->checks.is_strict, "--race=strict"},
        {lower->checks.counts, "--count"},
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (flags[i].on) {
            vec_push(&words, flags[i].word);
        }
    }
    if (lower->files.host != NULL) {
        VEC_PUSH(&words, "--host", lower->files.host);
    }
    if (lower->files.parts != NULL) {
        VEC_PUSH(&words, "--parts", lower->files.parts);
    }
    if (check_mask(&lower->checks) != 0) {
        vec_push(&words, str_format("--check=%s", check_names(&lower->checks)));
    }
    for (int i = 0; i < WARNING_COUNT; i++) {
        const char *word = warning_word(&lower->warnings, (enum warning)i);
        if (word != NULL) {
            vec_push(&words, word);
        }
    }
    if (lower->target.triple != NULL) {
        vec_push(&words, str_format("--target=%s", lower->target.triple));
    }
    if (lower->target.cpu != NULL) {
        vec_push(&words, str_format("-march=%s", lower->target.cpu));
    }
    return words;
}

/* What stands for the command of our own work. */
static const char *word_of(enum job_kind kind)
{
    switch (kind) {
    case JOB_MANAGED:
        return "(managed)";
    case JOB_HOST_CALLS:
        return "(calls)";
    case JOB_DEPEND:
        return "(depend)";
    case JOB_MODULE_TEXT:
        return "(text)";
    case JOB_PTX_TEXT:
    case JOB_COMMAND:
    case JOB_LOWER:
        break;
    }
    return "(ptx)";
}

const char *job_text(const struct job *job)
{
    struct vec words = job->argv;
    if (job->kind == JOB_LOWER) {
        words = lower_words(&job->lower);
    } else if (job->kind != JOB_COMMAND) {
        words = (struct vec){.items = NULL};
        VEC_PUSH(&words, word_of(job->kind), job->from);
        if (job->to != NULL) {
            VEC_PUSH(&words, "-o", job->to);
        }
    }
    const char *text = "";
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.items[i];
        text = str_format("%s%s%s", text, i == 0 ? "" : " ",
                          word[0] == '(' ? word : str_shell_quote(word));
    }
    return text;
}
