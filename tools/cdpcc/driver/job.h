/* One step of a plan, and the runner of all steps: children run in parallel, their messages appear
 * in order, and nothing is left when one fails or a signal arrives. */
#ifndef CDPCC_JOB_H
#define CDPCC_JOB_H
#include "ir/options.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stddef.h>

/* All but the first are functions of cdpcc that run in a forked child, so that they are parallel,
 * and a crash is a failed job. */
enum job_kind {
    JOB_COMMAND,     /* runs argv, with a precompiled header if there is one (precompiled.h) */
    JOB_LOWER,       /* lower_device in a child */
    JOB_MANAGED,     /* lower_host_managed in a child */
    JOB_HOST_CALLS,  /* instrument_host_calls in a child */
    JOB_PTX_TEXT,    /* ptx_asm_rewrite in a child */
    JOB_MODULE_TEXT, /* module_text_write in a child */
    JOB_DEPEND,      /* depend_rewrite in a child */
};

/* Some jobs are only for code of a kind that is known after the device compilation.
 *
 * A job whose condition does not hold is skipped, and counts as successful for the jobs that need
 * it. */
enum job_when {
    JOB_ALWAYS,
    JOB_IF_MANAGED, /* the device object `evidence` shows that it has managed variables */
    JOB_IF_PTX,     /* the job `condition` failed for constraints of PTX assembly */
};

/* The kind of a job's messages.
 *
 * clang's two compilations of one source say much the same, so their messages are merged. */
enum job_says {
    JOB_SAYS_AS_PASS, /* clang's messages about a source that other jobs of the unit also compile */
    JOB_SAYS_MORE,    /* in clang's form, after those */
    JOB_SAYS_RAW,     /* messages of another tool, shown unchanged */
};

/* Indexes of jobs in the plan; always smaller than the index of the job that has the list. */
struct job_list {
    size_t *items;
    size_t count;
};

/* One step of a plan. Made by the planner, const while the plan runs. Fields that the kind does
 * not use are zero. */
struct job {
    enum job_kind kind;
    enum job_when when;
    struct vec argv;
    const char *first_try; /* a word of argv for the first try alone: if that fails, the job runs
                              once more without it; may be NULL */
    const char *in_parts;  /* a word of argv that separately lowered parts replace; may be NULL */
    struct lower_options lower;
    const char *from,
        *to;              /* files of all kinds but the first two; to may be NULL with JOB_DEPEND */
    const char *evidence; /* see JOB_IF_MANAGED */
    const char *output;   /* the user's file, removed if the job fails; may be NULL */
    const char *about;    /* the subject of the message if the job fails */
    const char *step;     /* the row of --time; NULL: about */
    bool reads_source;    /* reads the unit's source, so it uses a respelled source */
    size_t unit;          /* the source that it compiles, from 1; 0 = no single source */
    enum job_says says;
    bool may_be_ptx;       /* a failure for PTX assembly is settled by later jobs */
    size_t condition;      /* see JOB_IF_PTX */
    struct job_list needs; /* must have succeeded or been skipped */
};

/* All jobs in an order in which they could run one by one. In the arena. */
struct plan {
    struct job *jobs;
    size_t count;
    size_t units; /* the highest unit of a job */
};

/* How to run a plan. Borrowed while job_run_all runs. */
struct job_runner {
    const char *temporary; /* directory for captured messages */
    const char *headers;   /* directory of cdpcc's own */
    unsigned limit;        /* children at once */
    const char *trace;     /* printed before each command as it starts; NULL = print none */
};

/* Blocks the signals that the runner waits for; to be called once, before any child. */
void job_prepare(void);
/* Returns 0 if all jobs succeeded; else 1, or 128 + n if signal n arrived. */
int job_run_all(const struct plan *plan, const struct job_runner *runner);
/* Runs the finished program and waits. Returns its exit status, or 128 + its signal. */
int job_run_program(const struct vec *argv);

/* The job as a shell command line, for -###. */
const char *job_text(const struct job *job);

#endif
