/* Tables for people, lines for spreadsheets, JSON for programs. */
#include "exec/report/profile_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "exec/report/json.h"
#include "exec/report/profile_table.h"
#include "os/code.h"

enum { NAME = 512, SHORT = 64 };

static const char *const titles[] = {[CDP_PROFILE_KERNEL] = "kernels",
                                     [CDP_PROFILE_CHILD] = "device launches",
                                     [CDP_PROFILE_COPY] = "copies and fills",
                                     [CDP_PROFILE_CALL] = "API calls",
                                     [CDP_PROFILE_RANGE] = "NVTX ranges"};

/* What one line is about. */
struct line {
    const struct cdp_profile_entry *entry;
    char name[NAME], parent[NAME]; /* parent: of a device launch, else "" */
    const char *entry_kind;        /* of a kernel */
    double share;                  /* of the time of its section, in percent */
};

/* name: NULL if there was no memory for it. */
static void name_kernel(const char *name, char out[NAME])
{
    cdp_os_demangle(name != NULL ? name : "?", out, NAME);
}

static void describe(struct line *line, const struct cdp_profile_entry *entry, bool by_thread,
                     uint64_t total)
{
    *line = (struct line){.entry = entry, .entry_kind = ""};
    line->share = total != 0 ? 100.0 * (double)entry->total / (double)total : 0;
    if (entry->kind != CDP_PROFILE_KERNEL && entry->kind != CDP_PROFILE_CHILD) {
        snprintf(line->name, NAME, "%s", entry->name);
        return;
    }
    by_thread |= entry->prefers_threads;
    bool by_block = entry->has_block_entry && (!by_thread || !entry->has_thread_entry);
    line->entry_kind = by_block ? "block" : "thread";
    name_kernel(entry->name, line->name);
    if (entry->parent != NULL) {
        name_kernel(entry->parent_name, line->parent);
    }
}

/* ---- The table ---- */

/* "12.3 us": three or four digits and the unit, as nvprof writes times. */
static const char *time_text(double ns, char out[SHORT])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    int unit = 0;
    while (ns >= 1000 && unit < 3) {
        ns /= 1000;
        unit++;
    }
    snprintf(out, SHORT, "%.*f %s", ns >= 100 || unit == 0 ? 0 : ns >= 10 ? 1 : 2, ns, units[unit]);
    return out;
}

static const char *size_text(double bytes, char out[SHORT])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        unit++;
    }
    snprintf(out, SHORT, "%.*f %s", unit == 0 ? 0 : 1, bytes, units[unit]);
    return out;
}

/* "(4,1,1)", or "(1-64,1,1)" if sizes differ. */
static const char *dims_text(const struct cdp_profile_dims *dims, char out[SHORT])
{
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        at += (size_t)snprintf(out + at, SHORT - at, i == 0 ? "(%u" : ",%u", dims->least[i]);
        if (dims->most[i] != dims->least[i]) {
            at += (size_t)snprintf(out + at, SHORT - at, "-%u", dims->most[i]);
        }
    }
    snprintf(out + at, SHORT - at, ")");
    return out;
}

static void print_heading(FILE *file, enum cdp_profile_kind kind)
{
    fprintf(file, "cdp: %s\n%7s  %10s %9s %10s %10s %10s  ", titles[kind], "share", "time", "calls",
            "average", "least", "most");
    switch ((int)kind) {
    case CDP_PROFILE_KERNEL:
        fprintf(file, "%-7s %-17s %-15s kernel\n", "entry", "grid", "block");
        break;
    case CDP_PROFILE_CHILD:
        fprintf(file, "kernel that launches -> kernel; the time from the launch to the start\n");
        break;
    case CDP_PROFILE_COPY:
        fprintf(file, "%10s %12s  kind\n", "bytes", "rate");
        break;
    case CDP_PROFILE_RANGE:
        fprintf(file, "range\n");
        break;
    default:
        fprintf(file, "call\n");
    }
}

static void print_row(FILE *file, const struct line *line)
{
    const struct cdp_profile_entry *e = line->entry;
    char a[SHORT], b[SHORT], c[SHORT], d[SHORT];
    fprintf(file, "%6.1f%%  %10s %9" PRIu64 " %10s %10s %10s  ", line->share,
            time_text((double)e->total, a), e->count,
            time_text((double)e->total / (double)e->count, b), time_text((double)e->least, c),
            time_text((double)e->most, d));
    switch ((int)e->kind) {
    case CDP_PROFILE_KERNEL:
        fprintf(file, "%-7s %-17s %-15s ", line->entry_kind, dims_text(&e->grid, a),
                dims_text(&e->block, b));
        break;
    case CDP_PROFILE_CHILD:
        fprintf(file, "%s -> ", line->parent);
        break;
    case CDP_PROFILE_COPY:
        fprintf(file, "%10s %10s/s  ", size_text((double)e->bytes, a),
                size_text(e->total != 0 ? 1e9 * (double)e->bytes / (double)e->total : 0, b));
        break;
    default:
        break;
    }
    fprintf(file, "%s\n", line->name);
}

/* ---- Lines with commas, and JSON ---- */

/* A quote within the text is doubled. */
static void print_csv_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', file);
        }
        fputc(*text, file);
    }
    fputc('"', file);
}

static void print_csv(FILE *file, const struct line *line)
{
    const struct cdp_profile_entry *e = line->entry;
    char grid[SHORT], block[SHORT];
    bool is_kernel = e->kind == CDP_PROFILE_KERNEL;
    fprintf(file, "\"%s\",", titles[e->kind]);
    print_csv_text(file, line->name);
    fputc(',', file);
    print_csv_text(file, line->parent);
    fprintf(file, ",%.2f,%" PRIu64 ",%" PRIu64 ",%.1f,%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            line->share, e->total, e->count, (double)e->total / (double)e->count, e->least, e->most,
            e->bytes);
    fprintf(file, ",\"%s\",\"%s\",\"%s\"\n", is_kernel ? line->entry_kind : "",
            is_kernel ? dims_text(&e->grid, grid) : "",
            is_kernel ? dims_text(&e->block, block) : "");
}

static void print_json(FILE *file, const struct line *line, bool is_first)
{
    const struct cdp_profile_entry *e = line->entry;
    char grid[SHORT], block[SHORT];
    fprintf(file, "%s\n    {\"name\": ", is_first ? "" : ",");
    cdp_json_print_text(file, line->name);
    fprintf(file,
            ", \"calls\": %" PRIu64 ", \"total_ns\": %" PRIu64 ", \"min_ns\": %" PRIu64
            ", \"max_ns\": %" PRIu64,
            e->count, e->total, e->least, e->most);
    switch ((int)e->kind) {
    case CDP_PROFILE_KERNEL:
        fprintf(file, ", \"entry\": \"%s\", \"grid\": \"%s\", \"block\": \"%s\"", line->entry_kind,
                dims_text(&e->grid, grid), dims_text(&e->block, block));
        break;
    case CDP_PROFILE_CHILD:
        fprintf(file, ", \"parent\": ");
        cdp_json_print_text(file, line->parent);
        break;
    case CDP_PROFILE_COPY:
        fprintf(file, ", \"bytes\": %" PRIu64, e->bytes);
        break;
    default:
        break;
    }
    fputc('}', file);
}

/* ---- Sections ---- */

static void print_section(const struct cdp_profile_order *order, enum cdp_profile_kind kind)
{
    FILE *file = order->file;
    enum cdp_profile_form form = order->form;
    const struct cdp_profile_entry **sorted;
    size_t count = cdp_profile_sorted(order->sum, kind, &sorted);
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += sorted[i]->total;
    }
    if (form == CDP_PROFILE_TABLE && count != 0) {
        print_heading(file, kind);
    } else if (form == CDP_PROFILE_JSON) {
        fprintf(file, "%s\n  \"%s\": [", kind == 0 ? "{" : ",", titles[kind]);
    }
    for (size_t i = 0; i < count; i++) {
        struct line line;
        describe(&line, sorted[i], order->by_thread, total);
        if (form == CDP_PROFILE_TABLE) {
            print_row(file, &line);
        } else if (form == CDP_PROFILE_CSV) {
            print_csv(file, &line);
        } else {
            print_json(file, &line, i == 0);
        }
    }
    if (form == CDP_PROFILE_JSON) {
        fprintf(file, "%s]", count != 0 ? "\n  " : "");
    }
    cdp_free(sorted);
}

void cdp_profile_print_table(const struct cdp_profile_order *order)
{
    if (order->form == CDP_PROFILE_CSV) {
        fprintf(order->file, "section,name,parent,share,total_ns,calls,average_ns,min_ns,max_ns,"
                             "bytes,entry,grid,block\n");
    }
    for (int kind = 0; kind < CDP_PROFILE_KINDS; kind++) {
        print_section(order, (enum cdp_profile_kind)kind);
    }
    if (order->form == CDP_PROFILE_JSON) {
        fprintf(order->file, "\n}\n");
    }
}
