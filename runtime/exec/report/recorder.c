/* The list of recorders. */
#include "exec/report/recorder.h"

#include <stdatomic.h>

#include "base/alloc.h"

static __thread struct cdp_recorder *own;
static _Atomic(struct cdp_recorder *) all;
static _Atomic unsigned threads;

struct cdp_recorder *cdp_recorder_own(void)
{
    if (own != NULL) {
        return own;
    }
    struct cdp_recorder *recorder = cdp_alloc_zero(sizeof *recorder);
    if (recorder == NULL) {
        return NULL;
    }
    cdp_lock_init(&recorder->lock, CDP_RANK_RECORDER);
    recorder->index = atomic_fetch_add(&threads, 1);
    recorder->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &recorder->next, recorder)) {
    }
    own = recorder;
    return recorder;
}

struct cdp_recorder *cdp_recorder_all(void)
{
    return atomic_load(&all);
}
