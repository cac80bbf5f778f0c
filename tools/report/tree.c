/* The launch tree, while the grids are read. */
#include "report/tree.h"

#include "report/memory.h"

static uint32_t new_path(struct trace *trace, uint32_t parent, uint32_t name)
{
    trace->paths =
        memory_room(trace->paths, trace->path_count, &trace->path_room, sizeof *trace->paths);
    trace->paths[trace->path_count] =
        (struct trace_path){.parent = parent, .name = name, .site = TRACE_NONE};
    return (uint32_t)trace->path_count++;
}

void tree_begin(struct trace *trace)
{
    new_path(trace, TRACE_NONE, TRACE_NONE);
    new_path(trace, TRACE_NONE, TRACE_NONE);
}

/* TRACE_NONE: there are too many. */
static uint32_t path_below(struct trace *trace, struct index *paths, uint32_t parent, uint32_t name)
{
    uint64_t key = (uint64_t)parent << 32 | name;
    uint32_t path;
    if (index_find(paths, key, &path)) {
        return path;
    }
    if (trace->path_count == TRACE_MOST_PATHS) {
        return TRACE_NONE;
    }
    path = new_path(trace, parent, name);
    index_add(paths, key, path);
    return path;
}

static void count(struct trace_path *path, const struct trace_grid *grid)
{
    uint64_t lasted = grid->slice.lasted;
    bool is_first = path->count++ == 0;
    path->total += lasted;
    path->waited += grid->waited;
    path->site = is_first || path->site == grid->site ? grid->site : TRACE_SEVERAL;
    path->least = is_first || lasted < path->least ? lasted : path->least;
    path->most = lasted > path->most ? lasted : path->most;
    for (int i = 0; i < TRACE_DIMENSIONS; i++) {
        uint32_t size = grid->size[i];
        path->low[i] = is_first || size < path->low[i] ? size : path->low[i];
        path->high[i] = size > path->high[i] ? size : path->high[i];
    }
}

void tree_add(struct trace *trace, struct index *paths, struct trace_grid *grid, bool is_lost)
{
    uint32_t parent = is_lost                      ? TRACE_PATH_UNKNOWN
                      : grid->parent != TRACE_NONE ? trace->grids[grid->parent].path
                                                   : TRACE_PATH_HOST;
    grid->path = path_below(trace, paths, parent, grid->slice.name);
    if (grid->path == TRACE_NONE) {
        grid->path = parent; /* so what it launches counts there, too */
        trace->paths[parent].others++;
    } else {
        count(&trace->paths[grid->path], grid);
    }
}
