/* The list of recorders. */
#include "exec/report/recorder.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "os/os.h"

static __thread struct cdp_recorder *own;
static _Atomic(struct cdp_recorder *) all;
static _Atomic unsigned threads;

/* A name that a thread got before it had a recorder. Owned by the list, for ever. */
struct thread_name {
    struct thread_name *next;
    uint32_t os_thread;
    const char *name;
};
static _Atomic(struct thread_name *) thread_names;

/* NULL: none. */
static const char *name_given_to(int os_thread)
{
    const struct thread_name *at = atomic_load(&thread_names);
    while (at != NULL && at->os_thread != (uint32_t)os_thread) {
        at = at->next;
    }
    return at != NULL ? at->name : NULL;
}

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
    recorder->os_thread = cdp_os_thread_number();
    atomic_store(&recorder->name, name_given_to(recorder->os_thread));
    recorder->next = atomic_load(&all);
    while (!atomic_compare_exchange_weak(&all, &recorder->next, recorder)) {
    }
    own = recorder;
    return recorder;
}

void cdp_recorder_forget_parent(void)
{
    own = NULL;
    atomic_store(&all, NULL);
}

struct cdp_recorder *cdp_recorder_all(void)
{
    return atomic_load(&all);
}

/* ---- Names ---- */

void cdp_recorder_name_thread(uint32_t os_thread, const char *name)
{
    (void)cdp_recorder_own(); /* it may be the calling thread's name */
    for (struct cdp_recorder *r = cdp_recorder_all(); r != NULL; r = r->next) {
        if ((uint32_t)r->os_thread == os_thread) {
            atomic_store(&r->name, name);
            return;
        }
    }
    struct thread_name *added = cdp_alloc(sizeof *added);
    if (added != NULL) {
        *added = (struct thread_name){atomic_load(&thread_names), os_thread, name};
        while (!atomic_compare_exchange_weak(&thread_names, &added->next, added)) {
        }
    }
}

/* Owned by the list, for ever. */
struct stream_name {
    struct stream_name *next;
    uint64_t handle;
    const char *name;
};
static _Atomic(struct stream_name *) stream_names;

void cdp_recorder_name_stream(uint64_t handle, const char *name)
{
    struct stream_name *added = cdp_alloc(sizeof *added);
    if (added != NULL) {
        *added = (struct stream_name){atomic_load(&stream_names), handle, name};
        while (!atomic_compare_exchange_weak(&stream_names, &added->next, added)) {
        }
    }
}

const char *cdp_recorder_stream_name(uint64_t handle)
{
    const struct stream_name *at = atomic_load(&stream_names);
    while (at != NULL && at->handle != handle) {
        at = at->next;
    }
    return at != NULL ? at->name : NULL;
}
