/* The steps of one block.
 *
 * Only the worker that runs the block adds steps. The end of the program may read them meanwhile,
 * so the number of steps is stored after the step. */
#include "exec/report/steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/json.h"
#include "exec/state/block.h"
#include "os/code.h"
#include "os/os.h"
#include "os/report_file.h"

enum { MOST_STEPS = 1 << 16, MOST_SITES = 256, MOST_NAME = 512 };

/* A place in the source at which threads wait. */
struct site {
    const void *address;
    const char *operation;
};

/* A step as it is stored. Without a site: MOST_SITES. */
struct stored {
    uint64_t time;
    uint32_t thread, lanes;
    uint16_t site;
    uint8_t kind;
};

enum state { WAITING, TAKEN, HAS_STEPS };

/* What is recorded. The worker of the block writes all but name and index. */
static struct {
    char name[MOST_NAME]; /* of the kernel that is sought; const after the library is loaded */
    uint32_t index[3];
    _Atomic int state; /* enum state; steps and the block's sizes are published by HAS_STEPS */
    _Atomic(const struct cdp_abi_kernel *) kernel, other; /* the sought one, and the latest other */
    char taken[MOST_NAME]; /* the whole name of the block's kernel; published as the steps are */
    uint32_t block_idx[3], block_dim[3], grid_dim[3];
    struct stored *steps;   /* owned; MOST_STEPS */
    _Atomic uint32_t count; /* the store pairs with the load in cdp_steps_write */
    _Atomic uint64_t dropped;
    uint64_t began;
    struct site sites[MOST_SITES];
    uint32_t site_count;
} record;

bool cdp_steps_is_on;
_Atomic(const struct cdp_block *) cdp_steps_block;

/* "x", "x,y" or "x,y,z". */
static bool read_index(const char *text)
{
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (end == text || *text < '0' || *text > '9' || number > UINT32_MAX) {
            return false;
        }
        record.index[i] = (uint32_t)number;
        if (*end == '\0') {
            return true;
        }
        if (*end != ',') {
            return false;
        }
        text = end + 1;
    }
    return false;
}

/* "kernel" or "kernel:x,y,z". A name has single colons only in "::". */
__attribute__((constructor)) static void set(void)
{
    const char *value = secure_getenv("CDP_STEPS"), *log = secure_getenv("CDP_STEPS_LOG");
    if (value == NULL || value[0] == '\0') {
        return;
    }
    if (log == NULL || log[0] == '\0') {
        fputs("cdp: CDP_STEPS needs CDP_STEPS_LOG, the file for the steps; nothing is recorded\n",
              stderr);
        return;
    }
    const char *colon = strrchr(value, ':');
    bool has_index = colon != NULL && colon != value && colon[-1] != ':' && colon[1] != '\0';
    size_t length = has_index ? (size_t)(colon - value) : strlen(value);
    if ((has_index && !read_index(colon + 1)) || length >= sizeof record.name) {
        fprintf(stderr, "cdp: CDP_STEPS=%s: must be KERNEL or KERNEL:X,Y,Z; nothing is recorded\n",
                value);
        return;
    }
    memcpy(record.name, value, length);
    cdp_steps_is_on = true;
}

/* ---- The choice ---- */

/* A template's name may come without its arguments. */
static bool is_named(const struct cdp_abi_kernel *kernel)
{
    char name[MOST_NAME];
    size_t length = strlen(record.name);
    cdp_os_demangle(kernel->name, name, sizeof name);
    return strncmp(name, record.name, length) == 0 &&
           (name[length] == '\0' || name[length] == '<' || name[length] == '(');
}

/* Demangling takes long: the latest kernel of each kind is kept. */
static bool is_sought(const struct cdp_abi_kernel *kernel)
{
    if (kernel == NULL || atomic_load(&record.other) == kernel) {
        return false;
    }
    if (atomic_load(&record.kernel) == kernel) {
        return true;
    }
    bool is = kernel->thread_entry != NULL && is_named(kernel);
    atomic_store(is ? &record.kernel : &record.other, kernel);
    return is;
}

bool cdp_steps_need_threads(const struct cdp_block *block)
{
    return cdp_steps_has(block) ||
           (atomic_load(&record.state) == WAITING && is_sought(block->grid->kernel));
}

void cdp_steps_block_starts(const struct cdp_block *block)
{
    int waiting = WAITING;
    if (memcmp(block->view.block_idx, record.index, sizeof record.index) != 0 ||
        atomic_load(&record.state) != WAITING || !is_sought(block->grid->kernel) ||
        !atomic_compare_exchange_strong(&record.state, &waiting, TAKEN)) {
        return;
    }
    /* The kernel may be gone with its library when the file is written. */
    cdp_os_demangle(block->grid->kernel->name, record.taken, sizeof record.taken);
    record.steps = cdp_alloc(MOST_STEPS * sizeof *record.steps);
    if (record.steps == NULL) {
        return;
    }
    memcpy(record.block_idx, block->view.block_idx, sizeof record.block_idx);
    memcpy(record.block_dim, block->view.block_dim, sizeof record.block_dim);
    memcpy(record.grid_dim, block->view.grid_dim, sizeof record.grid_dim);
    record.began = cdp_os_now();
    atomic_store(&record.state, HAS_STEPS);
    atomic_store_explicit(&cdp_steps_block, block, memory_order_relaxed);
}

void cdp_steps_block_ends(void)
{
    atomic_store_explicit(&cdp_steps_block, NULL, memory_order_relaxed);
}

/* ---- The steps ---- */

/* MOST_SITES: there is none, or there are too many. */
static uint16_t site_of(const struct cdp_step *step)
{
    uint32_t at = 0;
    if (step->site == NULL) {
        return MOST_SITES;
    }
    while (at < record.site_count && !(record.sites[at].address == step->site &&
                                       record.sites[at].operation == step->operation)) {
        at++;
    }
    if (at == record.site_count && at < MOST_SITES) {
        record.sites[record.site_count++] = (struct site){step->site, step->operation};
    }
    return (uint16_t)at;
}

void cdp_steps_add(const struct cdp_step *step)
{
    uint32_t count = atomic_load_explicit(&record.count, memory_order_relaxed);
    if (count == MOST_STEPS) {
        atomic_fetch_add_explicit(&record.dropped, 1, memory_order_relaxed);
        return;
    }
    record.steps[count] = (struct stored){.time = cdp_os_now() - record.began,
                                          .thread = step->thread,
                                          .lanes = step->lanes,
                                          .site = site_of(step),
                                          .kind = (uint8_t)step->kind};
    atomic_store_explicit(&record.count, count + 1, memory_order_release);
}

void cdp_steps_arrive(uint32_t thread, const void *site)
{
    cdp_steps_add(&(struct cdp_step){.kind = CDP_STEP_BARRIER, .thread = thread, .site = site});
}

/* ---- The file ---- */

static void print_sizes(FILE *file, const char *name, const uint32_t sizes[3])
{
    fprintf(file, "\"%s\": [%u, %u, %u],\n", name, sizes[0], sizes[1], sizes[2]);
}

static void print_site(FILE *file, const struct site *site)
{
    struct cdp_os_source source = {.line = 0};
    /* The byte before the return address is inside the call. */
    (void)cdp_os_source_at((const char *)site->address - 1, &source);
    fprintf(file, "{\"operation\": ");
    cdp_json_print_text(file, site->operation != NULL ? site->operation : "__syncthreads");
    if (source.line != 0) {
        fprintf(file, ", \"file\": ");
        cdp_json_print_text(file, source.file);
        fprintf(file, ", \"line\": %u", source.line);
    }
    fprintf(file, "}");
}

/* Those that the steps have. The worker may add others now. */
static uint32_t sites_of(uint32_t count)
{
    uint32_t sites = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t site = record.steps[i].site;
        sites = site != MOST_SITES && site >= sites ? site + 1 : sites;
    }
    return sites;
}

static void print_steps(FILE *file, uint32_t count)
{
    uint32_t sites = sites_of(count);
    fprintf(file, "\"sites\": [");
    for (uint32_t i = 0; i < sites; i++) {
        fprintf(file, i == 0 ? "\n" : ",\n");
        print_site(file, &record.sites[i]);
    }
    fprintf(file, "],\n\"steps\": [");
    for (uint32_t i = 0; i < count; i++) {
        const struct stored *step = &record.steps[i];
        fprintf(file, "%s[%" PRIu64 ",%u,%u,%d,%u]", i == 0 ? "\n" : ",\n", step->time, step->kind,
                step->thread, step->site == MOST_SITES ? -1 : (int)step->site, step->lanes);
    }
    fprintf(file, "]}\n");
}

/* Steps are [nanoseconds, kind, thread, site, lanes]. */
static void print_all(FILE *file)
{
    uint32_t count = atomic_load_explicit(&record.count, memory_order_acquire);
    fprintf(file, "{\"kernel\": ");
    cdp_json_print_text(file, record.taken);
    fprintf(file, ",\n");
    print_sizes(file, "block", record.block_idx);
    print_sizes(file, "block_dim", record.block_dim);
    print_sizes(file, "grid_dim", record.grid_dim);
    fprintf(file, "\"left_out\": %" PRIu64 ",\n",
            atomic_load_explicit(&record.dropped, memory_order_relaxed));
    print_steps(file, count);
}

void cdp_steps_write(void)
{
    if (!cdp_steps_is_on) {
        return;
    }
    if (atomic_load(&record.state) != HAS_STEPS) {
        fprintf(stderr, "cdp: CDP_STEPS: block (%u,%u,%u) of a kernel '%s' has not run\n",
                record.index[0], record.index[1], record.index[2], record.name);
        return;
    }
    const char *path = secure_getenv("CDP_STEPS_LOG");
    struct cdp_os_report report;
    if (path != NULL && cdp_os_report_open(&report, "CDP_STEPS_LOG", path)) {
        print_all(report.file);
        cdp_os_report_close(&report);
    }
}
