/* Findings as JSON. What is not known is left out. */
#include "abi/cdp_abi.h"
#include "exec/report/finding_print.h"
#include "exec/report/json.h"

/* A list of members on its way to a file. */
struct members {
    FILE *file;
    bool has_any;
};

static void print_name(struct members *members, const char *name)
{
    fprintf(members->file, "%s\"%s\": ", members->has_any ? ", " : "", name);
    members->has_any = true;
}

static void print_string(struct members *members, const char *name, const char *text)
{
    if (text != NULL && *text != '\0') {
        print_name(members, name);
        cdp_json_print_text(members->file, text);
    }
}

static void print_number(struct members *members, const char *name, uint32_t number)
{
    if (number != 0) {
        print_name(members, name);
        fprintf(members->file, "%u", number);
    }
}

static void print_index(struct members *members, const char *name, const uint32_t index[3])
{
    print_name(members, name);
    fprintf(members->file, "[%u, %u, %u]", index[0], index[1], index[2]);
}

static void print_kernel(struct members *members, const char *name,
                         const struct cdp_abi_kernel *kernel)
{
    if (kernel != NULL) {
        char text[256];
        cdp_os_demangle(kernel->name, text, sizeof text);
        print_string(members, name, text);
    }
}

static void print_source(struct members *members, const struct cdp_os_source *source)
{
    print_string(members, "file", source->file);
    print_number(members, "line", source->line);
    print_number(members, "column", source->column);
    print_string(members, "function", source->function);
}

static void print_launch(FILE *file, const struct cdp_finding_launch *launch,
                         const struct cdp_os_source *source)
{
    struct members members = {.file = file};
    fputc('{', file);
    print_kernel(&members, "kernel", launch->kernel);
    print_kernel(&members, "by", launch->by);
    if (launch->by != NULL && !launch->is_tail) {
        print_index(&members, "block", launch->block);
    }
    if (launch->has_thread) {
        print_index(&members, "thread", launch->thread);
    }
    print_source(&members, source);
    fputc('}', file);
}

static void print_place(FILE *file, const struct cdp_finding_lines *lines)
{
    const struct cdp_finding_place *place = lines->place;
    struct members members = {.file = file};
    fputc('{', file);
    print_string(&members, "what", place->what);
    print_source(&members, &lines->source);
    print_string(&members, "code", lines->code);
    print_kernel(&members, "kernel", place->kernel);
    if (place->kernel != NULL) {
        print_index(&members, "block", place->block);
    }
    if (place->has_thread) {
        print_index(&members, "thread", place->thread);
    }
    print_name(&members, "launches");
    fputc('[', file);
    for (uint32_t i = 0; i < place->launch_count; i++) {
        fputs(i != 0 ? ", " : "", file);
        print_launch(file, &place->launches[i], &lines->launches[i]);
    }
    fputs("]}", file);
}

void cdp_finding_print_json(FILE *file, const struct cdp_finding_report *report)
{
    const struct cdp_finding *finding = report->finding;
    struct members members = {.file = file};
    fputc('{', file);
    print_string(&members, "check", cdp_finding_word(finding->check));
    print_string(&members, "title", finding->title);
    print_string(&members, "error", finding->error);
    print_name(&members, "places");
    fputc('[', file);
    print_place(file, &report->at);
    if (finding->other.what != NULL) {
        fputs(", ", file);
        print_place(file, &report->other);
    }
    fputc(']', file);
    print_string(&members, "memory", finding->memory);
    print_string(&members, "help", finding->help);
    print_string(&members, "gdb", report->debugger);
    fputc('}', file);
}
