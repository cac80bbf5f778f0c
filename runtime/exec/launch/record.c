/* Launch records. */
#include "exec/launch/record.h"

#include "exec/launch/launch_memory.h"
#include "exec/state/engine.h"
#include "fiber/sanitizer.h"
#include "os/os.h"

enum { CHUNK = 1 << 20 };

unsigned cdp_grid_class_of(size_t param_size)
{
    if (CDP_LIKELY(param_size <= CDP_GRID_SMALLEST_PARAMS)) {
        return 0;
    }
    unsigned class = 1;
    while (class < CDP_GRID_CLASSES && ((size_t)CDP_GRID_SMALLEST_PARAMS << class) < param_size) {
        class++;
    }
    return class;
}

static struct cdp_grid *cut(struct cdp_grid_source *source, unsigned class)
{
    size_t bytes =
        sizeof(struct cdp_grid) + ((size_t)CDP_GRID_SMALLEST_PARAMS << class) + source->trailer;
    if ((size_t)(source->end - source->next) < bytes) {
        bool may = source->memory == NULL || cdp_launch_memory_take(source->memory, CHUNK);
        char *chunk = may ? cdp_os_map(CHUNK) : NULL;
        if (chunk == NULL) {
            return NULL;
        }
        cdp_sanitizer_root(chunk, CHUNK); /* the only pointers to blocks may be here */
        source->next = chunk;
        source->end = chunk + CHUNK;
    }
    struct cdp_grid *grid = (struct cdp_grid *)source->next;
    source->next += bytes;
    return grid;
}

static struct cdp_grid *pop(struct cdp_grid_source *source, unsigned class)
{
    struct cdp_grid *grid = source->free[class];
    if (grid == NULL && source->memory != NULL) {
        grid = cdp_spares_take(&source->memory->spares, class);
    }
    if (grid != NULL) {
        source->free[class] = cdp_grid_linked(grid);
    }
    return grid;
}

struct cdp_grid *cdp_grid_source_find(struct cdp_grid_source *source, size_t param_size)
{
    unsigned class = cdp_grid_class_of(param_size);
    if (CDP_UNLIKELY(class == CDP_GRID_CLASSES)) {
        return NULL;
    }
    struct cdp_grid *grid = pop(source, class);
    if (grid != NULL) {
        return grid;
    }
    grid = cut(source, class);
    if (CDP_LIKELY(grid != NULL)) {
        grid->size_class = (uint8_t)class;
        return grid;
    }
    /* A larger record of an earlier launch also fits. */
    while (grid == NULL && ++class < CDP_GRID_CLASSES) {
        grid = pop(source, class);
    }
    return grid;
}

static bool has_too_many(const struct cdp_grid *list)
{
    unsigned count = 0;
    while (list != NULL && count < CDP_SPARE_KEPT) {
        list = cdp_grid_linked(list);
        count++;
    }
    return count == CDP_SPARE_KEPT;
}

void cdp_grids_spare(struct cdp_executor *executor)
{
    struct cdp_grid_source *source = &executor->records.source;
    for (unsigned class = 0; class < CDP_GRID_CLASSES; class++) {
        while (has_too_many(source->free[class])) {
            void *list = source->free[class];
            cdp_spares_give(&source->memory->spares, class, &list);
            source->free[class] = list;
        }
    }
}
