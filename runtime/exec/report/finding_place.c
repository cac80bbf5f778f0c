/* The places of a finding: the thread and its launches, their lines in the source, and the command
 * that stops in a debugger there. */
#include "exec/report/finding_print.h"

#include <stdlib.h>
#include <string.h>

#include "exec/report/finding.h"
#include "exec/state/block.h"
#include "exec/state/grid.h"
#include "os/os.h"

const char *cdp_finding_word(enum cdp_abi_checks check)
{
    static const char *const words[] = {
#define CDP_CHECK(name, word, text) word,
#include "abi/cdp_check.def"
#undef CDP_CHECK
    };
    return words[__builtin_ctz((unsigned)check) % (int)(sizeof words / sizeof *words)];
}

static void resolve_site(const struct cdp_abi_site *site, struct cdp_os_source *out)
{
    if (site->file != NULL) {
        bool is_whole = site->file[0] == '/' || site->folder == NULL;
        snprintf(out->file, sizeof out->file, "%s%s%s", is_whole ? "" : site->folder,
                 is_whole ? "" : "/", site->file);
    }
    if (site->function != NULL) {
        snprintf(out->function, sizeof out->function, "%s", site->function);
    }
    out->line = site->line;
    out->column = site->column;
}

/* The position of a barrier has no folder, but the line table of its call has. */
static void find_folder(const void *pc, struct cdp_os_source *source)
{
    struct cdp_os_source call = {.line = 0};
    bool is_relative = *source->file != '\0' && *source->file != '/';
    if (is_relative && pc != NULL && cdp_os_source_at(pc, &call) &&
        strcmp(cdp_os_base_name(call.file), cdp_os_base_name(source->file)) == 0) {
        memcpy(source->file, call.file, sizeof source->file);
    }
}

static void resolve_place(const struct cdp_finding_place *place, struct cdp_finding_lines *out)
{
    out->place = place;
    out->source = (struct cdp_os_source){.line = 0};
    out->code[0] = '\0';
    if (place->site != NULL) {
        resolve_site(place->site, &out->source);
        find_folder(place->pc, &out->source);
    } else if (place->pc != NULL && !cdp_os_source_at(place->pc, &out->source)) {
        cdp_os_symbolize(place->pc, out->code, sizeof out->code);
    }
}

static void resolve_launches(struct cdp_finding_lines *out)
{
    for (uint32_t i = 0; i < out->place->launch_count; i++) {
        out->launches[i] = (struct cdp_os_source){.line = 0};
        (void)cdp_os_source_at(out->place->launches[i].pc, &out->launches[i]);
    }
}

void cdp_finding_position(const struct cdp_os_source *source, const char *code, char *out,
                          size_t size)
{
    const char *file = cdp_os_base_name(source->file);
    if (source->line != 0 && source->column != 0) {
        snprintf(out, size, "%s:%u:%u", file, source->line, source->column);
    } else if (source->line != 0) {
        snprintf(out, size, "%s:%u", file, source->line);
    } else {
        snprintf(out, size, "%s", *code != '\0' ? code : "an unknown line");
    }
}

/* " if threadIdx.x == 3 && blockIdx.x == 0". Components y and z are left out if they are zero. */
static void print_condition(const struct cdp_finding_place *place, char *out, size_t size)
{
    const char *const axes = "xyz";
    size_t used = 0;
    *out = '\0';
    for (int i = 0; i < 6 && place->kernel != NULL && used < size; i++) {
        bool is_thread = i < 3;
        uint32_t index = is_thread ? place->thread[i] : place->block[i - 3];
        if ((index != 0 || i % 3 == 0) && (!is_thread || place->has_thread)) {
            used += (size_t)snprintf(out + used, size - used, "%s%sIdx.%c == %u",
                                     used == 0 ? " if " : " && ", is_thread ? "thread" : "block",
                                     axes[i % 3], index);
        }
    }
}

/* cdpcc --run deletes the program: then the command first builds it again. */
static void resolve_debugger(struct cdp_finding_report *report)
{
    const struct cdp_os_source *source = &report->at.source;
    static char command[1000]; /* the caller holds the lock of findings */
    char condition[200];
    report->debugger[0] = '\0';
    if (source->line == 0) {
        return;
    }
    print_condition(report->at.place, condition, sizeof condition);
    const char *build = secure_getenv("CDP_RUN_BUILD"), *program = secure_getenv("CDP_RUN_PROGRAM");
    build = build != NULL && strlen(build) < sizeof report->debugger / 2 ? build : NULL;
    cdp_os_command_line(command, sizeof command, build != NULL ? program : NULL);
    snprintf(report->debugger, sizeof report->debugger,
             "%s%scdp-gdb -ex 'break %s:%u%s' -ex run --args %s", build != NULL ? build : "",
             build != NULL ? " && " : "", cdp_os_base_name(source->file), source->line, condition,
             command);
}

void cdp_finding_resolve_lines(const struct cdp_finding *finding, struct cdp_finding_report *out)
{
    out->finding = finding;
    resolve_place(&finding->at, &out->at);
    resolve_place(&finding->other, &out->other);
}

void cdp_finding_resolve_rest(struct cdp_finding_report *out)
{
    resolve_launches(&out->at);
    resolve_launches(&out->other);
    resolve_debugger(out);
}

/* ---- Places ---- */

static void copy_index(uint32_t to[3], const uint32_t from[3])
{
    memcpy(to, from, 3 * sizeof *to);
}

/* Adds the launch of a grid. Returns the grid whose launch comes next; NULL at the end. */
static const struct cdp_grid *add_launch(struct cdp_finding_place *place,
                                         const struct cdp_grid *grid)
{
    struct cdp_finding_launch *launch = &place->launches[place->launch_count++];
    *launch = (struct cdp_finding_launch){
        .kernel = grid->kernel,
        /* The site is the return address. The byte before it is inside the call. */
        .pc = grid->site != NULL ? (const char *)grid->site - 1 : NULL};
    if (grid->kind == CDP_GRID_TAIL) { /* its block may have been freed */
        launch->is_tail = true;
        launch->by = grid->owner->kernel;
        return grid->owner;
    }
    if (grid->kind != CDP_GRID_CHILD) {
        return NULL;
    }
    launch->by = grid->parent->grid->kernel;
    copy_index(launch->block, grid->parent->view.block_idx);
    return grid->parent->grid;
}

void cdp_finding_place_of(struct cdp_finding_place *place, const struct cdp_block *block,
                          const uint32_t thread[3])
{
    place->kernel = block->grid->kernel;
    copy_index(place->block, block->view.block_idx);
    copy_index(place->thread, thread);
    place->has_thread = true;
    place->launch_count = 0;
    const struct cdp_grid *grid = block->grid;
    while (grid != NULL && place->launch_count < CDP_FINDING_CHAIN) {
        grid = add_launch(place, grid);
    }
}
