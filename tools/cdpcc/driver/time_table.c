/* Prints the lines of --time as three tables: steps, passes of device code, and functions.
 *
 * Lines of one name are added up. Most functions of device code are versions of kernels, and are
 * listed under their kernels. Rows are sorted by time, and short ones are added up in a last row,
 * so that each table's sum is right. */
#include "driver/time_table.h"

#include "support/arena.h"
#include "support/str.h"
#include "support/timing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a function's row, by the names of its lines. */
enum column { VERSIONS, OPTIMIZER, CODE, INSTRUCTIONS, COLUMNS };
static const char *const column_names[COLUMNS] = {"versions", "optimizer", "code", "instructions"};

/* A row. Of a step or a pass, only the first column is used. */
struct row {
    enum timing_section section;
    const char *name, *kernel; /* kernel: of a function, else "" */
    int64_t columns[COLUMNS];
    int64_t total;   /* microseconds */
    int64_t sort_by; /* the kernel's total, so that its versions stay together */
};

/* The rows of the file, in the arena. */
struct table {
    struct row *rows;
    size_t count;
};

/* "cdp.fixed1.NAME.UNIT": the name; of another function, such as "cdp.wide.17", "other functions".
 */
static const char *kernel_of(const char *function)
{
    const char *name = str_starts(function, "cdp.") ? strchr(function + 4, '.') : NULL;
    bool is_other = name == NULL || (name[1] >= '0' && name[1] <= '9');
    return is_other ? "other functions" : str_copy(name + 1, strcspn(name + 1, "."));
}

static struct row *find(struct table *table, enum timing_section section, const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        if (table->rows[i].section == section && str_equals(table->rows[i].name, name)) {
            return &table->rows[i];
        }
    }
    size_t old = table->count * sizeof *table->rows;
    table->rows = arena_grow(table->rows, old, old + sizeof *table->rows);
    struct row *row = &table->rows[table->count++];
    *row = (struct row){.section = section, .name = name, .kernel = ""};
    row->kernel = section == TIMING_VERSION ? kernel_of(name) : "";
    return row;
}

/* The part of the line up to the tab; moves behind it. */
static const char *field(char **at)
{
    return strsep(at, "\t\n");
}

static void add_line(struct table *table, char *line)
{
    const char *section = field(&line), *time = field(&line);
    const char *name = field(&line), *about = field(&line);
    if (about == NULL) {
        return;
    }
    enum timing_section of = (enum timing_section)atoi(section);
    int64_t number = strtoll(time, NULL, 10);
    const char *title = of == TIMING_VERSION ? about : name;
    struct row *row = find(table, of, str_copy(title, strlen(title)));
    unsigned column = 0;
    while (of == TIMING_VERSION && !str_equals(column_names[column], name)) {
        column++;
    }
    row->columns[column] += number;
    row->total += column == INSTRUCTIONS ? 0 : number;
}

static struct table read_table(const char *path)
{
    struct table table = {.count = 0};
    FILE *in = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    while (in != NULL && getline(&line, &room, in) > 0) {
        add_line(&table, line);
    }
    free(line); /* it is getline's */
    if (in != NULL) {
        fclose(in);
    }
    return table;
}

static int64_t sum_of(const struct table *table, enum timing_section section, const char *kernel)
{
    int64_t sum = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        bool is_in = row->section == section && (kernel == NULL || str_equals(row->kernel, kernel));
        sum += is_in ? row->total : 0;
    }
    return sum;
}

static int compare(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->sort_by != b->sort_by) {
        return a->sort_by > b->sort_by ? -1 : 1;
    }
    int kernels = strcmp(a->kernel, b->kernel);
    if (kernels != 0) {
        return kernels;
    }
    return a->total != b->total ? (a->total > b->total ? -1 : 1) : strcmp(a->name, b->name);
}

static void sort(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        struct row *row = &table->rows[i];
        row->sort_by =
            row->section == TIMING_VERSION ? sum_of(table, row->section, row->kernel) : row->total;
    }
    if (table->count != 0) {
        qsort(table->rows, table->count, sizeof *table->rows, compare);
    }
}

/* Milliseconds with one digit after the point. */
static double ms(int64_t microseconds)
{
    return (double)microseconds / 1000;
}

/* Rows of less than this are added up. */
static bool is_short(const struct row *row, int64_t all)
{
    return row->total * 200 < all;
}

static void print_simple(FILE *out, const struct table *table, enum timing_section section,
                         const char *title)
{
    int64_t all = sum_of(table, section, NULL), rest = 0;
    fprintf(out, "%10s  %s\n", "ms", title);
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        if (row->section != section || row->total == 0) {
            continue;
        }
        if (section == TIMING_PASS && is_short(row, all)) {
            rest += row->total;
        } else {
            fprintf(out, "%10.1f  %s\n", ms(row->total), row->name);
        }
    }
    if (rest != 0) {
        fprintf(out, "%10.1f  other passes\n", ms(rest));
    }
    fprintf(out, "%10.1f  all\n", ms(all));
}

static void print_version(FILE *out, const char *name, const struct row *row)
{
    fprintf(out, "%10.1f %9.1f %9.1f %9.1f %12" PRId64 "  %s\n", ms(row->total),
            ms(row->columns[VERSIONS]), ms(row->columns[OPTIMIZER]), ms(row->columns[CODE]),
            row->columns[INSTRUCTIONS], name);
}

static void add(struct row *sum, const struct row *row)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        sum->columns[i] += row->columns[i];
    }
    sum->total += row->total;
}

/* A kernel's versions are those of the rows after its own that have its name. */
static void print_kernel(FILE *out, const struct table *table, size_t first)
{
    const char *kernel = table->rows[first].kernel;
    struct row sum = {.name = kernel};
    for (size_t i = first; i < table->count && str_equals(table->rows[i].kernel, kernel); i++) {
        add(&sum, &table->rows[i]);
    }
    print_version(out, kernel, &sum);
    for (size_t i = first; i < table->count && str_equals(table->rows[i].kernel, kernel); i++) {
        const char *name = table->rows[i].name;
        bool is_version = str_starts(name, "cdp.");
        int length = is_version ? (int)strcspn(name + 4, ".") : (int)strlen(name);
        print_version(out, str_format("  %.*s", length, is_version ? name + 4 : name),
                      &table->rows[i]);
    }
}

static void print_versions(FILE *out, const struct table *table)
{
    struct row all = {.name = "all"};
    fprintf(out, "%10s %9s %9s %9s %12s  %s\n", "ms", column_names[VERSIONS],
            column_names[OPTIMIZER], column_names[CODE], column_names[INSTRUCTIONS],
            "kernel, its functions");
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        if (row->section != TIMING_VERSION) {
            continue;
        }
        add(&all, row);
        if (i == 0 || !str_equals(row->kernel, table->rows[i - 1].kernel)) {
            print_kernel(out, table, i);
        }
    }
    print_version(out, "all", &all);
}

void time_table_print(FILE *out, const char *path)
{
    struct table table = read_table(path);
    sort(&table);
    fprintf(out, "cdpcc: processor time\n");
    print_simple(out, &table, TIMING_STEP, "step");
    if (sum_of(&table, TIMING_PASS, NULL) != 0) {
        fprintf(out, "\n");
        print_simple(out, &table, TIMING_PASS, "pass of device code");
    }
    if (sum_of(&table, TIMING_VERSION, NULL) != 0) {
        fprintf(out, "\n");
        print_versions(out, &table);
    }
}
