/* What lines and kernels executed: how often each basic block ran, times what it consists of. */
#include "exec/report/count_kernels.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi/cdp_abi.h"
#include "base/alloc.h"
#include "exec/report/count_sums.h"
#include "exec/report/json.h"
#include "exec/report/sites.h"
#include "os/code.h"

static const char *const class_names[] = {
#define CDP_ABI_COUNT_CLASS(name, text) text,
    CDP_ABI_COUNT_CLASSES(CDP_ABI_COUNT_CLASS)
#undef CDP_ABI_COUNT_CLASS
};

/* ---- Sums ---- */

static void add_work(struct cdp_count_work *work, const struct cdp_abi_count_line *line,
                     struct cdp_count_runs runs)
{
    for (int i = 0; i < CDP_COUNT_CLASSES; i++) {
        work->warps += line->of[i] * runs.warps;
        work->threads += line->of[i] * runs.lanes;
        work->of[i] += line->of[i] * runs.lanes;
    }
}

/* NULL without memory. */
static struct cdp_count_kernel_row *kernel_row(struct cdp_count_summary *summary,
                                               const char *function)
{
    for (size_t i = 0; i < summary->kernel_count; i++) {
        if (strcmp(summary->kernels[i].function, function) == 0) {
            return &summary->kernels[i];
        }
    }
    struct cdp_count_kernel_row *rows =
        cdp_realloc(summary->kernels, (summary->kernel_count + 1) * sizeof *rows);
    if (rows == NULL) {
        return NULL;
    }
    summary->kernels = rows;
    rows[summary->kernel_count] =
        (struct cdp_count_kernel_row){.function = function, .name = function, .occupancy = -1};
    return &rows[summary->kernel_count++];
}

static void add_line(struct cdp_count_summary *summary, const struct cdp_abi_count_line *line,
                     struct cdp_count_runs runs)
{
    struct cdp_count_line_row *rows =
        line->file != NULL ? cdp_realloc(summary->lines, (summary->line_count + 1) * sizeof *rows)
                           : NULL;
    if (rows != NULL) {
        summary->lines = rows;
        rows[summary->line_count] = (struct cdp_count_line_row){.line = line};
        add_work(&rows[summary->line_count++].work, line, runs);
    }
}

static void add_code(struct cdp_count_summary *summary, const struct cdp_count_code *code)
{
    struct cdp_count_runs runs = cdp_count_runs_of(code->number);
    struct cdp_count_kernel_row *kernel = kernel_row(summary, code->function);
    if (kernel != NULL && code->is_entry) {
        kernel->warps += runs.warps;
        kernel->threads += runs.lanes;
    }
    if (kernel != NULL && code->branch != 0) {
        kernel->branches += runs.warps;
    }
    for (uint32_t i = 0; runs.warps != 0 && i < code->line_count; i++) {
        add_line(summary, &code->lines[i], runs);
        if (kernel != NULL) {
            add_work(&kernel->work, &code->lines[i], runs);
        }
    }
}

static int by_line(const void *left, const void *right)
{
    const struct cdp_abi_count_line *a = ((const struct cdp_count_line_row *)left)->line;
    const struct cdp_abi_count_line *b = ((const struct cdp_count_line_row *)right)->line;
    int files = cdp_sites_order(a->file, a->folder, b->file, b->folder);
    return files != 0 ? files : a->line < b->line ? -1 : a->line > b->line;
}

/* A line is in several blocks, and in several kernels if it is of an inlined function. */
static void merge_lines(struct cdp_count_summary *summary)
{
    size_t count = 0;
    if (summary->line_count != 0) {
        qsort(summary->lines, summary->line_count, sizeof *summary->lines, by_line);
    }
    for (size_t i = 0; i < summary->line_count; i++) {
        struct cdp_count_line_row *last = count != 0 ? &summary->lines[count - 1] : NULL;
        const struct cdp_count_line_row *row = &summary->lines[i];
        if (last == NULL || by_line(last, row) != 0) {
            summary->lines[count++] = *row;
            continue;
        }
        last->work.warps += row->work.warps;
        last->work.threads += row->work.threads;
        for (int class = 0; class < CDP_COUNT_CLASSES; class++) {
            last->work.of[class] += row->work.of[class];
        }
    }
    summary->line_count = count;
}

/* A branch's site names its function as its variable. */
static void add_branches(struct cdp_count_summary *summary)
{
    uint32_t last = cdp_sites_last();
    for (uint32_t number = 1; number <= last; number++) {
        const struct cdp_abi_site *site = cdp_sites_find(number);
        bool is_branch =
            site != NULL && (site->flags & CDP_SITE_BRANCH) != 0 && site->variable != NULL;
        struct cdp_count_kernel_row *kernel =
            is_branch ? kernel_row(summary, site->variable) : NULL;
        if (kernel != NULL) {
            const struct cdp_count_sums sums = cdp_count_total(number);
            kernel->divergent_branches += sums.in[CDP_COUNT_BRANCH].parts;
        }
    }
}

struct gathering {
    struct cdp_count_summary *summary;
    cdp_count_occupancy *occupancy;
};

static void take_kernel(const struct cdp_count_kernel *kernel, void *arg)
{
    const struct gathering *gathering = arg;
    struct cdp_count_kernel_row *row = kernel_row(gathering->summary, kernel->function);
    if (row == NULL) {
        return;
    }
    row->name = kernel->name;
    row->launches += kernel->launches;
    if (kernel->largest >= row->largest) {
        row->largest = kernel->largest;
    }
    if (cdp_os_module_of(kernel->kernel) == kernel->module) {
        row->occupancy = gathering->occupancy(kernel->kernel, (uint32_t)(row->largest >> 32),
                                              (uint32_t)row->largest);
    }
}

static int by_work(const void *left, const void *right)
{
    const struct cdp_count_kernel_row *a = left, *b = right;
    return a->work.warps != b->work.warps ? (a->work.warps > b->work.warps ? -1 : 1)
                                          : strcmp(a->name, b->name);
}

/* Functions that did not run are not reported. */
static void drop_idle(struct cdp_count_summary *summary)
{
    size_t count = 0;
    for (size_t i = 0; i < summary->kernel_count; i++) {
        if (summary->kernels[i].work.warps != 0 || summary->kernels[i].launches != 0) {
            summary->kernels[count++] = summary->kernels[i];
        }
    }
    summary->kernel_count = count;
}

struct cdp_count_summary cdp_count_summarize(cdp_count_occupancy *occupancy)
{
    struct cdp_count_summary summary = {.lines = NULL};
    struct gathering gathering = {.summary = &summary, .occupancy = occupancy};
    for (const struct cdp_count_code *code = cdp_count_codes(); code != NULL; code = code->next) {
        add_code(&summary, code);
    }
    merge_lines(&summary);
    add_branches(&summary);
    cdp_count_each_kernel(take_kernel, &gathering);
    drop_idle(&summary);
    if (summary.kernel_count != 0) {
        qsort(summary.kernels, summary.kernel_count, sizeof *summary.kernels, by_work);
    }
    return summary;
}

void cdp_count_free(struct cdp_count_summary *summary)
{
    cdp_free(summary->lines);
    cdp_free(summary->kernels);
    *summary = (struct cdp_count_summary){.lines = NULL};
}

/* ---- Output ---- */

/* A kernel's name, or the symbol of another function. */
static void print_name(FILE *file, const struct cdp_count_kernel_row *row, bool is_json)
{
    char name[512];
    cdp_os_demangle(row->name, name, sizeof name);
    if (is_json) {
        cdp_json_print_text(file, name);
    } else {
        fputs(name, file);
    }
}

static void print_work(FILE *file, const struct cdp_count_work *work)
{
    fprintf(file,
            "\"smsp__inst_executed.sum\": %" PRIu64 ", \"smsp__thread_inst_executed.sum\": %" PRIu64
            ", \"instructions\": {",
            work->warps, work->threads);
    for (int i = 0; i < CDP_COUNT_CLASSES; i++) {
        fprintf(file, "%s\"%s\": %" PRIu64, i != 0 ? ", " : "", class_names[i], work->of[i]);
    }
    fputc('}', file);
}

static void print_line(FILE *file, const struct cdp_count_line_row *row)
{
    fputs("{\"file\": ", file);
    cdp_json_print_path(file, row->line->folder, row->line->file);
    fprintf(file, ", \"line\": %u, ", row->line->line);
    print_work(file, &row->work);
    fputc('}', file);
}

static void print_kernel(FILE *file, const struct cdp_count_kernel_row *row)
{
    fputs("{\"kernel\": ", file);
    print_name(file, row, true);
    fprintf(file,
            ", \"launches\": %" PRIu64 ", \"warps\": %" PRIu64 ", \"threads\": %" PRIu64
            ", \"block\": %" PRIu32,
            row->launches, row->warps, row->threads, (uint32_t)(row->largest >> 32));
    if (row->occupancy >= 0) {
        fprintf(file, ", \"occupancy\": %.4f", row->occupancy);
    }
    fprintf(file, ", \"branches\": %" PRIu64 ", \"divergent_branches\": %" PRIu64 ", ",
            row->branches, row->divergent_branches);
    print_work(file, &row->work);
    fputc('}', file);
}

void cdp_count_print_json(FILE *file, const struct cdp_count_summary *summary)
{
    fputs(", \"lines\": [\n", file);
    for (size_t i = 0; i < summary->line_count; i++) {
        print_line(file, &summary->lines[i]);
        fputs(i + 1 < summary->line_count ? ",\n" : "\n", file);
    }
    fputs("], \"kernels\": [\n", file);
    for (size_t i = 0; i < summary->kernel_count; i++) {
        print_kernel(file, &summary->kernels[i]);
        fputs(i + 1 < summary->kernel_count ? ",\n" : "\n", file);
    }
    fputc(']', file);
}

void cdp_count_print_kernels(FILE *file, const struct cdp_count_summary *summary)
{
    fputs("cdp: kernels; instructions of warps, active lanes of 32, branches whose lanes take one"
          " side\n"
          "    launches     threads  occupancy  instructions  lanes  branch efficiency  kernel\n",
          file);
    for (size_t i = 0; i < summary->kernel_count; i++) {
        const struct cdp_count_kernel_row *row = &summary->kernels[i];
        double warps = row->work.warps != 0 ? (double)row->work.warps : 1;
        double branches = row->branches != 0 ? (double)row->branches : 1;
        fprintf(file, "%12" PRIu64 "%12" PRIu64, row->launches, row->threads);
        if (row->occupancy >= 0) {
            fprintf(file, "%10.1f%%", 100 * row->occupancy);
        } else {
            fprintf(file, "%11s", "");
        }
        fprintf(file, "%14" PRIu64 "%7.2f%18.1f%%  ", row->work.warps,
                (double)row->work.threads / warps,
                100 - 100 * (double)row->divergent_branches / branches);
        print_name(file, row, false);
        fputc('\n', file);
    }
}
