/* The sums of --count at the end of the program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/count.h"
#include "exec/report/counters.h"
#include "exec/report/json.h"
#include "exec/report/sites.h"
#include "os/report_file.h"

/* One line of the output. Lives while it is printed. */
struct row {
    const struct cdp_abi_site *site;
    enum cdp_abi_count_space space;
    struct cdp_count_sum sum;
};

struct rows {
    struct row *items;
    size_t count;
};

static void add_row(struct rows *rows, const struct row *row)
{
    struct row *items = cdp_realloc(rows->items, (rows->count + 1) * sizeof *items);
    if (items != NULL) {
        rows->items = items;
        rows->items[rows->count++] = *row;
    }
}

/* Adds how often its basic block was executed: an optimizer may have made several of one branch. */
static void add_runs(struct cdp_count_sum *branch, uint32_t site)
{
    for (const struct cdp_count_code *code = cdp_count_codes(); code != NULL; code = code->next) {
        if (code->branch == site) {
            struct cdp_count_runs runs = cdp_count_runs_of(code->number);
            branch->requests += runs.warps;
            branch->lanes += runs.lanes;
        }
    }
}

static void add_site(struct rows *rows, const struct cdp_abi_site *site)
{
    struct cdp_count_sums sums = cdp_count_total(site->number);
    if ((site->flags & CDP_SITE_BRANCH) != 0) {
        add_runs(&sums.in[CDP_COUNT_BRANCH], site->number);
    }
    for (int space = 0; space < CDP_COUNT_SPACES; space++) {
        const struct row row = {
            .site = site, .space = (enum cdp_abi_count_space)space, .sum = sums.in[space]};
        if (row.sum.requests != 0 && site->file != NULL) {
            add_row(rows, &row);
        }
    }
}

static int by_place(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int files = cdp_sites_order(a->site->file, a->site->folder, b->site->file, b->site->folder);
    if (files != 0) {
        return files;
    }
    if (a->site->line != b->site->line) {
        return a->site->line < b->site->line ? -1 : 1;
    }
    if (a->site->column != b->site->column) {
        return a->site->column < b->site->column ? -1 : 1;
    }
    if (a->space != b->space) {
        return a->space < b->space ? -1 : 1;
    }
    return a->site->number < b->site->number ? -1 : a->site->number > b->site->number;
}

static bool is_same_place(const struct row *a, const struct row *b)
{
    const struct cdp_abi_site *left = a->site, *right = b->site;
    return cdp_sites_order(left->file, left->folder, right->file, right->folder) == 0 &&
           left->line == right->line && left->column == right->column && left->function != NULL &&
           right->function != NULL && strcmp(left->function, right->function) == 0;
}

/* A branch of an inlined function has a site for each kernel. They follow each other. */
static void merge_rows(struct rows *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct row *last = count != 0 ? &rows->items[count - 1] : NULL;
        const struct row *row = &rows->items[i];
        if (last != NULL && last->space == CDP_COUNT_BRANCH && row->space == CDP_COUNT_BRANCH &&
            is_same_place(last, row)) {
            last->sum.requests += row->sum.requests;
            last->sum.lanes += row->sum.lanes;
            last->sum.parts += row->sum.parts;
        } else {
            rows->items[count++] = *row;
        }
    }
    rows->count = count;
}

static struct rows all_rows(void)
{
    struct rows rows = {.items = NULL};
    uint32_t last = cdp_sites_last();
    for (uint32_t number = 1; number <= last; number++) {
        const struct cdp_abi_site *site = cdp_sites_find(number); /* NULL: its module is unloaded */
        if (site != NULL) {
            add_site(&rows, site);
        }
    }
    if (rows.count != 0) {
        qsort(rows.items, rows.count, sizeof *rows.items, by_place);
        merge_rows(&rows);
    }
    return rows;
}

/* As in the names of Nsight Compute's metrics. */
static const char *operation_of(const struct row *row)
{
    uint32_t flags = row->site->flags;
    return row->space == CDP_COUNT_BRANCH   ? "branch"
           : (flags & CDP_SITE_ATOMIC) != 0 ? "atom"
           : (flags & CDP_SITE_WRITE) != 0  ? "st"
                                            : "ld";
}

static const char *const spaces[] = {
    [CDP_COUNT_GLOBAL] = "global", [CDP_COUNT_SHARED] = "shared", [CDP_COUNT_BRANCH] = ""};

/* ---- JSON ---- */

static void print_metric(FILE *file, const char *name, const struct row *row, uint64_t value)
{
    fprintf(file, ", \"%s%s.sum\": %" PRIu64, name, operation_of(row), value);
}

static void print_metrics(FILE *file, const struct row *row)
{
    if (row->space == CDP_COUNT_GLOBAL) {
        print_metric(file, "l1tex__t_requests_pipe_lsu_mem_global_op_", row, row->sum.requests);
        print_metric(file, "l1tex__t_sectors_pipe_lsu_mem_global_op_", row, row->sum.parts);
    } else if (row->space == CDP_COUNT_SHARED) {
        print_metric(file, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", row, row->sum.parts);
        print_metric(file, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_", row,
                     row->sum.conflicts);
    } else {
        fprintf(file, ", \"divergent_branches\": %" PRIu64, row->sum.parts);
    }
    if ((row->site->flags & CDP_SITE_ATOMIC) != 0) {
        fprintf(file, ", \"atomic_conflicts\": %" PRIu64, row->sum.same_address);
    }
}

static void print_json_row(FILE *file, const struct row *row)
{
    fputs("{\"file\": ", file);
    cdp_json_print_path(file, row->site->folder, row->site->file);
    fprintf(file, ", \"line\": %u, \"column\": %u, \"function\": ", row->site->line,
            row->site->column);
    cdp_json_print_text(file, row->site->function != NULL ? row->site->function : "");
    fprintf(file,
            ", \"operation\": \"%s\", \"space\": \"%s\", \"smsp__inst_executed.sum\": %" PRIu64
            ", \"smsp__thread_inst_executed.sum\": %" PRIu64 ", \"bytes\": %" PRIu64,
            operation_of(row), spaces[row->space], row->sum.requests, row->sum.lanes,
            row->sum.bytes);
    print_metrics(file, row);
    fputc('}', file);
}

static void print_json(FILE *file, const struct rows *rows, const struct cdp_count_summary *summary)
{
    fputs("{\"version\": 1, \"sites\": [\n", file);
    for (size_t i = 0; i < rows->count; i++) {
        print_json_row(file, &rows->items[i]);
        fputs(i + 1 < rows->count ? ",\n" : "\n", file);
    }
    fputc(']', file);
    cdp_count_print_json(file, summary);
    fputs("}\n", file);
}

static void write_json(const char *path, const struct rows *rows,
                       const struct cdp_count_summary *summary)
{
    struct cdp_os_report report;
    if (cdp_os_report_open(&report, "CDP_COUNT", path)) {
        print_json(report.file, rows, summary);
        cdp_os_report_close(&report);
    }
}

/* ---- The table ---- */

static void print_table_row(const struct row *row)
{
    const char *name = strrchr(row->site->file, '/');
    fprintf(stderr, "%12" PRIu64 "%7.2f  %-6s %-6s", row->sum.requests,
            (double)row->sum.lanes / (double)row->sum.requests, operation_of(row),
            spaces[row->space]);
    fprintf(stderr, "%12" PRIu64 "%12" PRIu64 "%12" PRIu64, row->sum.parts, row->sum.conflicts,
            row->sum.same_address);
    fprintf(stderr, "  %s:%u:%u %s\n", name != NULL ? name + 1 : row->site->file, row->site->line,
            row->site->column, row->site->function != NULL ? row->site->function : "");
}

static void print_table(const struct rows *rows)
{
    fputs("cdp: requests of warps; parts: sectors of global memory, wavefronts of shared memory,"
          " divergent branches\n"
          "    requests  lanes  what               parts   conflicts  same addr.  where\n",
          stderr);
    for (size_t i = 0; i < rows->count; i++) {
        print_table_row(&rows->items[i]);
    }
}

void cdp_count_print(const char *path, cdp_count_occupancy *occupancy)
{
    cdp_counters_add_all();
    struct rows rows = all_rows();
    struct cdp_count_summary summary = cdp_count_summarize(occupancy);
    if (summary.kernel_count != 0 && path != NULL) {
        write_json(path, &rows, &summary);
    } else if (summary.kernel_count != 0) {
        print_table(&rows);
        cdp_count_print_kernels(stderr, &summary);
    }
    cdp_count_free(&summary);
    cdp_free(rows.items);
}
