/* Event boards: the files of interprocess events.
 *
 * done[n % RECORDS] is the greatest number of a complete record with this remainder. So records
 * may complete in any order, and no lock is needed, which a process that dies would keep. A wait
 * for a record may only end too early if RECORDS more records were made meanwhile. */
#include "stream/shared_event.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "os/os.h"
#include "os/shared.h"

enum { RECORDS = 64, SLOTS = 4096, PROCESS_BITS = 22 };
/* How often a thread that waits looks whether the recording process lives. */
#define LOOK_NS UINT64_C(50000000)

struct slot {
    _Atomic uint64_t serial; /* 0: never used */
    _Atomic uint64_t users;  /* of all processes; 0: free */
    _Atomic uint64_t latest; /* record */
    _Atomic uint64_t done[RECORDS];
    /* The record, and its process in the lower PROCESS_BITS. */
    _Atomic uint64_t recorder[RECORDS];
};

/* The content of the file. */
struct board {
    _Atomic uint32_t changes; /* grows when a record completes; a futex */
    _Atomic uint32_t sleepers;
    struct slot slots[SLOTS];
};

/* Life: while events of this process are on it; this process's own one: for ever. */
struct cdp_event_board {
    struct cdp_event_board *next;
    struct board *shared; /* owned mapping */
    size_t bytes;
    uint64_t file;
    int fd; /* owned */
    uint32_t process;
    unsigned users;                /* under the lock */
    struct cdp_shared_wait *waits; /* under the lock */
    bool is_watched;               /* under the lock: a thread runs watch() */
};

static struct {
    struct cdp_lock lock;
    struct cdp_event_board *boards CDP_GUARDED_BY(&lock);
    struct cdp_event_board *own CDP_GUARDED_BY(&lock);
    uint64_t serial CDP_GUARDED_BY(&lock); /* of the latest own event */
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_IMPORTS)};

static struct slot *slot_of(const struct cdp_shared_event *event)
{
    return &event->board->shared->slots[event->slot];
}

/* ---- Boards ---- */

static size_t board_bytes(void)
{
    size_t page = cdp_os_page();
    return (sizeof(struct board) + page - 1) & ~(page - 1);
}

/* Takes over the descriptor, also after an error. */
static struct cdp_event_board *add_board(int fd, uint32_t process) CDP_NEEDS(&all.lock)
{
    struct cdp_event_board *board = fd >= 0 ? cdp_alloc_zero(sizeof *board) : NULL;
    void *shared = board != NULL && cdp_os_shared_size(fd) >= board_bytes()
                       ? cdp_os_shared_put(NULL, board_bytes(), fd, 0)
                       : NULL;
    if (shared == NULL) {
        if (fd >= 0) {
            cdp_os_shared_close(fd);
        }
        cdp_free(board);
        return NULL;
    }
    *board = (struct cdp_event_board){.next = all.boards,
                                      .shared = shared,
                                      .bytes = board_bytes(),
                                      .file = cdp_os_shared_number(fd),
                                      .fd = fd,
                                      .process = process};
    all.boards = board;
    return board;
}

static void give_board(struct cdp_event_board *board) CDP_NEEDS(&all.lock)
{
    if (--board->users > 0) {
        return;
    }
    struct cdp_event_board **at = &all.boards;
    while (*at != board) {
        at = &(*at)->next;
    }
    *at = board->next;
    cdp_os_unmap(board->shared, board->bytes);
    cdp_os_shared_close(board->fd);
    cdp_free(board);
}

static struct cdp_event_board *find_board(const struct cdp_event_name *name) CDP_NEEDS(&all.lock)
{
    for (struct cdp_event_board *board = all.boards; board != NULL; board = board->next) {
        if (board->file == name->file) {
            return board;
        }
    }
    return add_board(cdp_os_shared_open(name->process, name->fd, name->file), name->process);
}

/* ---- Events ---- */

static bool take_slot(struct cdp_event_board *board, struct cdp_shared_event *out)
    CDP_NEEDS(&all.lock)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        struct slot *slot = &board->shared->slots[i];
        if (atomic_load(&slot->users) != 0) {
            continue;
        }
        atomic_store(&slot->serial, ++all.serial);
        atomic_store(&slot->latest, 0);
        for (int j = 0; j < RECORDS; j++) {
            atomic_store(&slot->done[j], 0);
            atomic_store(&slot->recorder[j], 0);
        }
        atomic_store(&slot->users, 1);
        board->users++;
        *out = (struct cdp_shared_event){.board = board, .slot = i};
        return true;
    }
    return false;
}

enum cdp_status cdp_shared_event_create(struct cdp_shared_event *out)
{
    cdp_lock_acquire(&all.lock);
    if (all.own == NULL) {
        all.own = add_board(cdp_os_shared_create(board_bytes()), cdp_os_process_number());
        if (all.own != NULL) {
            all.own->users = 1;
        }
    }
    bool good = all.own != NULL && take_slot(all.own, out);
    cdp_lock_release(&all.lock);
    return good ? CDP_OK : CDP_NO_MEMORY;
}

/* One more user of a slot that has some; false if it has none any more. */
static bool join(struct slot *slot, uint64_t serial)
{
    uint64_t users = atomic_load(&slot->users);
    do {
        if (users == 0) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&slot->users, &users, users + 1));
    if (atomic_load(&slot->serial) == serial) {
        return true;
    }
    atomic_fetch_sub(&slot->users, 1);
    return false;
}

enum cdp_status cdp_shared_event_open(const struct cdp_event_name *name,
                                      struct cdp_shared_event *out)
{
    if (name->magic != CDP_EVENT_MAGIC || name->slot >= SLOTS || name->serial == 0) {
        return CDP_INVALID_VALUE;
    }
    cdp_lock_acquire(&all.lock);
    struct cdp_event_board *board = find_board(name);
    bool good = false;
    if (board != NULL) {
        board->users++;
        good = join(&board->shared->slots[name->slot], name->serial);
        if (good) {
            *out = (struct cdp_shared_event){.board = board, .slot = name->slot};
        } else {
            give_board(board);
        }
    }
    cdp_lock_release(&all.lock);
    return good ? CDP_OK : CDP_NOT_REGISTERED;
}

void cdp_shared_event_take(const struct cdp_shared_event *event)
{
    cdp_lock_acquire(&all.lock);
    atomic_fetch_add(&slot_of(event)->users, 1);
    event->board->users++;
    cdp_lock_release(&all.lock);
}

void cdp_shared_event_give(const struct cdp_shared_event *event)
{
    cdp_lock_acquire(&all.lock);
    atomic_fetch_sub(&slot_of(event)->users, 1);
    give_board(event->board);
    cdp_lock_release(&all.lock);
}

void cdp_shared_event_name(const struct cdp_shared_event *event, struct cdp_event_name *out)
{
    *out = (struct cdp_event_name){.magic = CDP_EVENT_MAGIC,
                                   .process = event->board->process,
                                   .fd = event->board->fd,
                                   .slot = event->slot,
                                   .file = event->board->file,
                                   .serial = atomic_load(&slot_of(event)->serial)};
}

/* ---- Records ---- */

uint64_t cdp_shared_event_record(const struct cdp_shared_event *event)
{
    struct slot *slot = slot_of(event);
    uint64_t record = atomic_fetch_add(&slot->latest, 1) + 1;
    atomic_store(&slot->recorder[record % RECORDS],
                 record << PROCESS_BITS | cdp_os_process_number());
    return record;
}

void cdp_shared_event_complete(const struct cdp_shared_event *event, uint64_t record)
{
    struct board *board = event->board->shared;
    _Atomic uint64_t *done = &slot_of(event)->done[record % RECORDS];
    uint64_t before = atomic_load(done);
    while (before < record && !atomic_compare_exchange_weak(done, &before, record)) {
    }
    atomic_fetch_add(&board->changes, 1);
    if (atomic_load(&board->sleepers) != 0) {
        cdp_os_shared_wake(&board->changes);
    }
}

uint64_t cdp_shared_event_latest(const struct cdp_shared_event *event)
{
    return atomic_load(&slot_of(event)->latest);
}

bool cdp_shared_event_is_done(const struct cdp_shared_event *event, uint64_t record)
{
    return atomic_load(&slot_of(event)->done[record % RECORDS]) >= record;
}

/* ---- Waiting ---- */

static void sleep_on(struct board *board, uint32_t seen)
{
    atomic_fetch_add(&board->sleepers, 1);
    cdp_os_shared_wait_for(&board->changes, seen, LOOK_NS);
    atomic_fetch_sub(&board->sleepers, 1);
}

static void complete_if_dead(const struct cdp_shared_event *event, uint64_t record)
{
    uint64_t recorder = atomic_load(&slot_of(event)->recorder[record % RECORDS]);
    unsigned process = recorder & ((1u << PROCESS_BITS) - 1);
    if (recorder >> PROCESS_BITS == record && process != 0 && !cdp_os_process_lives(process)) {
        cdp_shared_event_complete(event, record);
    }
}

void cdp_shared_event_wait(const struct cdp_shared_event *event, uint64_t record)
{
    struct board *board = event->board->shared;
    uint32_t seen = atomic_load(&board->changes);
    while (!cdp_shared_event_is_done(event, record)) {
        sleep_on(board, seen);
        complete_if_dead(event, record);
        seen = atomic_load(&board->changes);
    }
}

/* Takes what is done out of the board's list. */
static struct cdp_shared_wait *take_done(struct cdp_event_board *board) CDP_NEEDS(&all.lock)
{
    struct cdp_shared_wait *done = NULL, **at = &board->waits;
    while (*at != NULL) {
        struct cdp_shared_wait *wait = *at;
        complete_if_dead(&wait->event, wait->record);
        if (cdp_shared_event_is_done(&wait->event, wait->record)) {
            *at = wait->next;
            wait->next = done;
            done = wait;
        } else {
            at = &wait->next;
        }
    }
    return done;
}

/* A thread while a board has waits. It is a user of the board. */
static void *watch(void *argument)
{
    struct cdp_event_board *board = argument;
    bool goes_on = true;
    while (goes_on) {
        uint32_t seen = atomic_load(&board->shared->changes);
        cdp_lock_acquire(&all.lock);
        struct cdp_shared_wait *done = take_done(board);
        goes_on = done != NULL || board->waits != NULL;
        if (!goes_on) {
            board->is_watched = false;
            give_board(board);
        }
        cdp_lock_release(&all.lock);
        bool sleeps = goes_on && done == NULL;
        while (done != NULL) {
            struct cdp_shared_wait *next = done->next; /* run frees the struct */
            done->run(done->data);
            done = next;
        }
        if (sleeps) {
            sleep_on(board->shared, seen);
        }
    }
    return NULL;
}

static bool start_watch(struct cdp_event_board *board)
{
    pthread_t thread;
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    bool good = !cdp_alloc_fails() && pthread_create(&thread, NULL, watch, board) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (good) {
        pthread_detach(thread);
    }
    return good;
}

bool cdp_shared_event_call(struct cdp_shared_wait *wait)
{
    struct cdp_event_board *board = wait->event.board;
    cdp_lock_acquire(&all.lock);
    bool good = board->is_watched || start_watch(board);
    if (good) {
        board->users += !board->is_watched;
        board->is_watched = true;
        wait->next = board->waits;
        board->waits = wait;
        /* The thread may sleep: it must see the new wait's record. */
        atomic_fetch_add(&board->shared->changes, 1);
    }
    cdp_lock_release(&all.lock);
    if (good && atomic_load(&board->shared->sleepers) != 0) {
        cdp_os_shared_wake(&board->shared->changes);
    }
    return good;
}
