/* A short list, because a program often makes the same mistake many times. */
#include "api/unread.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "api/error.h"
#include "api/unread_call.h"
#include "base/lock.h"
#include "exec/report/finding.h"
#include "os/code.h"

enum { MOST_LISTED = 10 };

/* Launches of one thread with the same request and the same error. */
struct entry {
    struct cdp_unread_launch launch; /* the first of them */
    uint32_t thread;                 /* its number; 0: unused */
    uint64_t count;
};

static struct {
    struct cdp_lock lock;
    struct entry entries[MOST_LISTED] CDP_GUARDED_BY(&lock);
    uint64_t others CDP_GUARDED_BY(&lock); /* launches for which there was no free entry */
} list = {.lock = CDP_LOCK_INITIAL(CDP_RANK_OUTPUT)};

static _Atomic uint32_t threads;
static __thread uint32_t my_number; /* 0: this thread has nothing in the list */

static bool is_same_dim(dim3 a, dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_same(const struct cdp_unread_launch *a, const struct cdp_unread_launch *b)
{
    return a->kernel == b->kernel && a->error == b->error &&
           is_same_dim(a->shape.grid, b->shape.grid) &&
           is_same_dim(a->shape.block, b->shape.block) &&
           a->shape.dynamic_shared == b->shape.dynamic_shared;
}

static struct entry *find(const struct cdp_unread_launch *launch) CDP_NEEDS(&list.lock)
{
    struct entry *unused = NULL;
    for (int i = 0; i < MOST_LISTED; i++) {
        struct entry *entry = &list.entries[i];
        if (entry->thread == my_number && is_same(&entry->launch, launch)) {
            return entry;
        }
        if (entry->thread == 0 && unused == NULL) {
            unused = entry;
        }
    }
    return unused;
}

void cdp_unread_add(const struct cdp_unread_launch *launch)
{
    if (cdp_finding_is_on(CDP_CHECKS_API)) {
        cdp_unread_keep_launch(launch);
        return;
    }
    if (cdp_unread_is_sticky(launch->error)) {
        return;
    }
    if (my_number == 0) {
        my_number = atomic_fetch_add(&threads, 1) + 1;
    }
    cdp_lock_acquire(&list.lock);
    struct entry *entry = find(launch);
    if (entry == NULL) {
        list.others++;
    } else if (entry->thread == 0) {
        *entry = (struct entry){.launch = *launch, .thread = my_number, .count = 1};
    } else {
        entry->count++;
    }
    cdp_lock_release(&list.lock);
}

void cdp_unread_clear(void)
{
    cdp_unread_drop();
    if (my_number == 0) {
        return;
    }
    cdp_lock_acquire(&list.lock);
    for (int i = 0; i < MOST_LISTED; i++) {
        if (list.entries[i].thread == my_number) {
            list.entries[i].thread = 0;
        }
    }
    cdp_lock_release(&list.lock);
    my_number = 0;
}

static void tell(const struct entry *entry)
{
    const struct cdp_unread_launch *launch = &entry->launch;
    const struct cdp_shape *s = &launch->shape;
    char name[256] = "a kernel", place[512];
    if (launch->kernel != NULL) {
        cdp_os_demangle(launch->kernel->name, name, sizeof name);
    }
    cdp_os_symbolize((const char *)launch->site - 1, place, sizeof place);
    fprintf(stderr,
            "cdp: the launch of %s by %ux%ux%u blocks of %ux%ux%u threads, with %zu bytes of "
            "dynamic shared memory, at %s failed with error %d (%s), which was never read by "
            "cudaGetLastError(): the kernel did not run",
            name, s->grid.x, s->grid.y, s->grid.z, s->block.x, s->block.y, s->block.z,
            s->dynamic_shared, place, (int)launch->error, cdp_error_name(launch->error));
    if (entry->count > 1) {
        fprintf(stderr, ", %" PRIu64 " times", entry->count);
    }
    fputc('\n', stderr);
}

bool cdp_unread_tell(void)
{
    bool any = cdp_unread_report();
    cdp_lock_acquire(&list.lock);
    for (int i = 0; i < MOST_LISTED; i++) {
        if (list.entries[i].thread != 0) {
            tell(&list.entries[i]);
            any = true;
        }
    }
    if (list.others != 0) {
        fprintf(stderr, "cdp: %" PRIu64 " more launches failed\n", list.others);
    }
    cdp_lock_release(&list.lock);
    return any;
}
