/* The sums of --count at the end of the program. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/count.h"
#include "exec/report/json.h"
#include "exec/report/sites.h"

/* One line of the output. Lives while it is printed. */
struct row {
    const struct cdp_abi_site *site;
    enum cdp_count_space space;
    uint64_t requests, lanes, bytes, parts, conflicts, same_address;
};

struct rows {
    struct row *items;
    size_t count;
};

static uint64_t get(const _Atomic uint64_t *sum)
{
    return atomic_load_explicit(sum, memory_order_relaxed);
}

static void add_row(struct rows *rows, const struct row *row)
{
    struct row *items = cdp_realloc(rows->items, (rows->count + 1) * sizeof *items);
    if (items != NULL) {
        rows->items = items;
        rows->items[rows->count++] = *row;
    }
}

static void add_site(struct rows *rows, const struct cdp_abi_site *site,
                     const struct cdp_count_sums *sums)
{
    for (int space = 0; space < CDP_COUNT_SPACES; space++) {
        const struct row row = {.site = site,
                                .space = (enum cdp_count_space)space,
                                .requests = get(&sums->in[space].requests),
                                .lanes = get(&sums->in[space].lanes),
                                .bytes = get(&sums->in[space].bytes),
                                .parts = get(&sums->in[space].parts),
                                .conflicts = get(&sums->in[space].conflicts),
                                .same_address = get(&sums->in[space].same_address)};
        if (row.requests != 0 && site->file != NULL) {
            add_row(rows, &row);
        }
    }
}

static int by_place(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int files = strcmp(a->site->file, b->site->file);
    if (files != 0) {
        return files;
    }
    if (a->site->line != b->site->line) {
        return a->site->line < b->site->line ? -1 : 1;
    }
    if (a->site->column != b->site->column) {
        return a->site->column < b->site->column ? -1 : 1;
    }
    return a->site->number < b->site->number ? -1 : a->site->number > b->site->number;
}

static struct rows all_rows(void)
{
    struct rows rows = {.items = NULL};
    uint32_t last = cdp_sites_last();
    for (uint32_t number = 1; number <= last; number++) {
        const struct cdp_abi_site *site = cdp_sites_find(number); /* NULL: its module is unloaded */
        const struct cdp_count_sums *sums = cdp_count_sums_of(number);
        if (site != NULL && sums != NULL) {
            add_site(&rows, site, sums);
        }
    }
    if (rows.count != 0) {
        qsort(rows.items, rows.count, sizeof *rows.items, by_place);
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

static void print_path(FILE *file, const struct cdp_abi_site *site)
{
    char path[4096];
    bool is_absolute = site->file[0] == '/' || site->folder == NULL;
    snprintf(path, sizeof path, "%s%s%s", is_absolute ? "" : site->folder, is_absolute ? "" : "/",
             site->file);
    cdp_json_print_text(file, path);
}

static void print_metric(FILE *file, const char *name, const struct row *row, uint64_t value)
{
    fprintf(file, ", \"%s%s.sum\": %" PRIu64, name, operation_of(row), value);
}

static void print_metrics(FILE *file, const struct row *row)
{
    if (row->space == CDP_COUNT_GLOBAL) {
        print_metric(file, "l1tex__t_requests_pipe_lsu_mem_global_op_", row, row->requests);
        print_metric(file, "l1tex__t_sectors_pipe_lsu_mem_global_op_", row, row->parts);
    } else if (row->space == CDP_COUNT_SHARED) {
        print_metric(file, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_", row, row->parts);
        print_metric(file, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_", row,
                     row->conflicts);
    } else {
        fprintf(file, ", \"divergent_branches\": %" PRIu64, row->parts);
    }
    if ((row->site->flags & CDP_SITE_ATOMIC) != 0) {
        fprintf(file, ", \"atomic_conflicts\": %" PRIu64, row->same_address);
    }
}

static void print_json_row(FILE *file, const struct row *row)
{
    fputs("{\"file\": ", file);
    print_path(file, row->site);
    fprintf(file, ", \"line\": %u, \"column\": %u, \"function\": ", row->site->line,
            row->site->column);
    cdp_json_print_text(file, row->site->function != NULL ? row->site->function : "");
    fprintf(file,
            ", \"operation\": \"%s\", \"space\": \"%s\", \"smsp__inst_executed.sum\": %" PRIu64
            ", \"smsp__thread_inst_executed.sum\": %" PRIu64 ", \"bytes\": %" PRIu64,
            operation_of(row), spaces[row->space], row->requests, row->lanes, row->bytes);
    print_metrics(file, row);
    fputc('}', file);
}

static void print_json(FILE *file, const struct rows *rows)
{
    fputs("{\"version\": 1, \"sites\": [\n", file);
    for (size_t i = 0; i < rows->count; i++) {
        print_json_row(file, &rows->items[i]);
        fputs(i + 1 < rows->count ? ",\n" : "\n", file);
    }
    fputs("]}\n", file);
}

static void write_json(const char *path, const struct rows *rows)
{
    FILE *file = fopen(path, "we");
    if (file != NULL) {
        print_json(file, rows);
    }
    if (file == NULL || fclose(file) != 0) {
        fprintf(stderr, "cdp: the file '%s' of CDP_COUNT cannot be written: %s\n", path,
                strerror(errno));
    }
}

/* ---- The table ---- */

static void print_table_row(const struct row *row)
{
    const char *name = strrchr(row->site->file, '/');
    fprintf(stderr, "%12" PRIu64 "%7.2f  %-6s %-6s", row->requests,
            (double)row->lanes / (double)row->requests, operation_of(row), spaces[row->space]);
    fprintf(stderr, "%12" PRIu64 "%12" PRIu64 "%12" PRIu64, row->parts, row->conflicts,
            row->same_address);
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

void cdp_count_print(const char *path)
{
    struct rows rows = all_rows();
    if (rows.count != 0 && path != NULL) {
        write_json(path, &rows);
    } else if (rows.count != 0) {
        print_table(&rows);
    }
    cdp_free(rows.items);
}
