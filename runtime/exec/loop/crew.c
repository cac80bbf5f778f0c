/* The calling thread and the workers claim parts with an atomic counter.  The caller waits only for
 * parts that were claimed.  It never waits for a worker to start, because all workers may be busy
 * for long.  A worker that starts late finds no parts left. */
#include "exec/loop/crew.h"

#include "base/alloc.h"
#include "exec/state/engine.h"
#include "os/os.h"

enum { MOST_HELPERS = 64 };

/* Life: reference-counted, by the caller and each queued task. */
struct crew {
    void (*run)(void *data, size_t part);
    void *data; /* the caller's; not accessed after all parts are done */
    size_t parts;
    _Atomic size_t claimed;
    _Atomic size_t done;
    _Atomic uint32_t over; /* 1: all parts are done; futex */
    _Atomic uint32_t references;
    struct member {
        struct cdp_engine_task task; /* first */
        struct crew *crew;
    } members[];
};

static void unref(struct crew *crew)
{
    /* Release and acquire: all accesses of other threads are before the free. */
    if (atomic_fetch_sub_explicit(&crew->references, 1, memory_order_acq_rel) == 1) {
        cdp_free(crew);
    }
}

static void work(struct crew *crew)
{
    size_t part;
    /* Relaxed: the counter only distributes parts. done publishes the effects of a part. */
    while ((part = atomic_fetch_add_explicit(&crew->claimed, 1, memory_order_relaxed)) <
           crew->parts) {
        crew->run(crew->data, part);
        if (atomic_fetch_add_explicit(&crew->done, 1, memory_order_acq_rel) + 1 == crew->parts) {
            /* Release pairs with the acquire in cdp_crew_run. */
            atomic_store_explicit(&crew->over, 1, memory_order_release);
            cdp_os_wake(&crew->over, 1);
        }
    }
}

static void join_in(struct cdp_engine_task *task)
{
    struct crew *crew = ((struct member *)task)->crew;
    work(crew);
    unref(crew);
}

/* NULL: the caller runs all parts. */
static struct crew *gather(struct cdp_engine *engine, size_t parts)
{
    size_t helpers = engine->pool.count - 1;
    helpers = helpers < parts - 1 ? helpers : parts - 1;
    helpers = helpers < MOST_HELPERS ? helpers : MOST_HELPERS;
    if (helpers == 0 || engine->schedule->repeats) {
        return NULL;
    }
    struct crew *crew = cdp_alloc_zero(sizeof *crew + helpers * sizeof crew->members[0]);
    if (crew != NULL) {
        atomic_init(&crew->references, (uint32_t)helpers + 1);
    }
    return crew;
}

void cdp_crew_run(struct cdp_engine *engine, size_t parts, void (*run)(void *data, size_t part),
                  void *data)
{
    struct crew *crew = parts > 1 ? gather(engine, parts) : NULL;
    if (crew == NULL) {
        for (size_t part = 0; part < parts; part++) {
            run(data, part);
        }
        return;
    }
    crew->run = run;
    crew->data = data;
    crew->parts = parts;
    uint32_t helpers = atomic_load_explicit(&crew->references, memory_order_relaxed) - 1;
    for (uint32_t i = 0; i < helpers; i++) {
        crew->members[i] = (struct member){.task = {.run = join_in}, .crew = crew};
        cdp_engine_run_task(engine, &crew->members[i].task);
    }
    work(crew);
    while (atomic_load_explicit(&crew->over, memory_order_acquire) == 0) {
        cdp_os_wait(&crew->over, 0);
    }
    unref(crew);
}
