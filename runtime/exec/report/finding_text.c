/* Findings as text. */
#include <string.h>

#include "abi/cdp_abi.h"
#include "exec/report/finding_print.h"

/* A report on its way to a file. */
struct text {
    FILE *file;
    bool has_colour;
};

#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define BLUE "\033[1;34m"
#define GREEN "\033[1;32m"
#define CYAN "\033[1;36m"

static void put(const struct text *text, const char *colour, const char *words)
{
    fprintf(text->file, "%s%s%s", text->has_colour ? colour : "", words,
            text->has_colour ? "\033[0m" : "");
}

/* Reads one line of a file. False if there is no such line. */
static bool read_line(const char *path, uint32_t line, char *out, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    bool found = false;
    uint32_t at = 1;
    while (at <= line && fgets(out, (int)size, file) != NULL) {
        size_t length = strlen(out);
        found = at == line;
        bool is_end = length != 0 && out[length - 1] == '\n';
        at += is_end || found;
    }
    fclose(file);
    if (found) { /* else nothing may have been read */
        out[strcspn(out, "\r\n")] = '\0';
    }
    return found;
}

/* Prints what is above the caret: spaces and tabs, one for each character. column is in bytes. */
static void print_indent(FILE *file, const char *line, uint32_t column)
{
    for (uint32_t i = 0; i + 1 < column; i++) {
        bool continues = ((unsigned char)line[i] & 0xc0) == 0x80; /* of a UTF-8 character */
        if (!continues) {
            fputc(line[i] == '\t' ? '\t' : ' ', file);
        }
    }
}

/*     9 |     a[t] = s[255 - t];
 *       |            ^            */
static void print_line(const struct text *text, const struct cdp_os_source *source)
{
    enum { WIDTH = 6, LONGEST = 200 };
    char line[LONGEST];
    if (source->line == 0 || !read_line(source->file, source->line, line, sizeof line)) {
        return;
    }
    fprintf(text->file, "%*u | %s\n", WIDTH, source->line, line);
    if (source->column != 0 && source->column <= strlen(line)) {
        fprintf(text->file, "%*s | ", WIDTH, "");
        print_indent(text->file, line, source->column);
        put(text, GREEN, "^");
        fputc('\n', text->file);
    }
}

static void print_thread(const struct text *text, const struct cdp_finding_place *place)
{
    if (place->kernel == NULL) {
        return;
    }
    const uint32_t *b = place->block, *t = place->thread;
    fprintf(text->file, ", block (%u,%u,%u)", b[0], b[1], b[2]);
    if (place->has_thread) {
        fprintf(text->file, ", thread (%u,%u,%u)", t[0], t[1], t[2]);
    }
}

/* ", in f, kernel k": the function only if it is not the kernel. */
static void print_code(const struct text *text, const struct cdp_finding_lines *lines)
{
    const char *function = lines->source.function;
    char kernel[256] = "";
    if (lines->place->kernel != NULL) {
        cdp_os_demangle(lines->place->kernel->name, kernel, sizeof kernel);
    }
    bool has_function = *function != '\0' && strcmp(function, kernel) != 0;
    const char *separator = ", in ";
    if (has_function) {
        fprintf(text->file, "%s%s", separator, function);
        separator = ", ";
    }
    if (*kernel != '\0') {
        fprintf(text->file, "%skernel %s", separator, kernel);
    }
}

static void print_place(const struct text *text, const struct cdp_finding_lines *lines)
{
    char position[400];
    cdp_finding_position(&lines->source, lines->code, position, sizeof position);
    put(text, BLUE, "  --> ");
    fputs(position, text->file);
    if (lines->place->what != NULL) {
        fprintf(text->file, ", %s", lines->place->what);
    }
    print_code(text, lines);
    print_thread(text, lines->place);
    fputc('\n', text->file);
    print_line(text, &lines->source);
}

static void print_launch(const struct text *text, const struct cdp_finding_launch *launch,
                         const struct cdp_os_source *source)
{
    char kernel[256], by[256];
    cdp_os_demangle(launch->kernel->name, kernel, sizeof kernel);
    if (launch->by == NULL) {
        fprintf(text->file, "%s by the host", kernel);
    } else {
        const uint32_t *b = launch->block, *t = launch->thread;
        cdp_os_demangle(launch->by->name, by, sizeof by);
        fprintf(text->file, "%s %s kernel %s", kernel,
                launch->is_tail ? "as a tail launch of" : "by", by);
        if (!launch->is_tail) {
            fprintf(text->file, ", block (%u,%u,%u)", b[0], b[1], b[2]);
        }
        if (launch->has_thread) {
            fprintf(text->file, ", thread (%u,%u,%u)", t[0], t[1], t[2]);
        }
    }
    char position[400], code[300] = "";
    if (source->line == 0 && launch->pc != NULL) {
        cdp_os_symbolize(launch->pc, code, sizeof code);
    }
    cdp_finding_position(source, code, position, sizeof position);
    fprintf(text->file, " at %s\n", position);
}

static void print_launches(const struct text *text, const struct cdp_finding_lines *lines)
{
    for (uint32_t i = 0; i < lines->place->launch_count; i++) {
        put(text, CYAN, i == 0 ? "  launched: " : "            ");
        print_launch(text, &lines->place->launches[i], &lines->launches[i]);
    }
}

static bool is_same_launch(const struct cdp_finding_launch *a, const struct cdp_finding_launch *b)
{
    return a->kernel == b->kernel && a->by == b->by && a->pc == b->pc &&
           a->has_thread == b->has_thread && memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->thread, b->thread, sizeof a->thread) == 0;
}

static bool has_same_launches(const struct cdp_finding_place *a, const struct cdp_finding_place *b)
{
    bool is_same = a->launch_count == b->launch_count;
    for (uint32_t i = 0; is_same && i < a->launch_count; i++) {
        is_same = is_same_launch(&a->launches[i], &b->launches[i]);
    }
    return is_same;
}

static void print_words(const struct text *text, const char *label, const char *words)
{
    if (words != NULL && *words != '\0') {
        put(text, CYAN, label);
        fprintf(text->file, "%s\n", words);
    }
}

static void print_title(const struct text *text, const struct cdp_finding *finding)
{
    fputs("cdp: ", text->file);
    put(text, RED, cdp_finding_word(finding->check));
    put(text, RED, ": ");
    put(text, BOLD, finding->title);
    if (finding->error != NULL) {
        fprintf(text->file, " (%s)", finding->error);
    }
    fputc('\n', text->file);
}

void cdp_finding_print_text(FILE *file, const struct cdp_finding_report *report, bool has_colour)
{
    const struct text text = {.file = file, .has_colour = has_colour};
    const struct cdp_finding *finding = report->finding;
    print_title(&text, finding);
    bool has_place =
        finding->at.site != NULL || finding->at.pc != NULL || finding->at.kernel != NULL;
    if (has_place) {
        print_place(&text, &report->at);
    }
    if (finding->other.what != NULL) {
        print_place(&text, &report->other);
    }
    print_words(&text, "  memory: ", finding->memory);
    print_launches(&text, &report->at);
    if (finding->other.what != NULL && !has_same_launches(&finding->at, &finding->other)) {
        print_launches(&text, &report->other);
    }
    print_words(&text, "  help: ", finding->help);
    print_words(&text, "  gdb: ", report->debugger);
}
