/* Writes of values, waits for values, and the thread that looks at the words. */
#include "stream/memory_op.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/lock.h"
#include "exec/report/fault.h"
#include "exec/report/races.h"
#include "exec/state/engine.h"
#include "mem/describe.h"
#include "mem/memmap.h"
#include "os/code.h"
#include "os/os.h"
#include "races/wait.h"
#include "stream/command.h"

enum {
    MICROSECOND = 1000,
    SHORTEST_NS = 5 * MICROSECOND,
    LONGEST_NS = 1000 * MICROSECOND,
    IDLE_NS = 200 * 1000 * MICROSECOND, /* the thread ends after that time without waits */
};

/* A wait that has begun. Life: the data of its command. */
struct wait {
    struct cdp_memory_op op;
    struct wait *next;        /* in the list; guarded by the lock */
    struct cdp_command *hold; /* const */
    uint64_t since;           /* const: the time when it began */
    uint64_t quiet_since;     /* of the thread: when a launch was last seen to complete */
    uint32_t epoch;           /* of the thread: engine->host.epoch then */
};
_Static_assert(sizeof(struct wait) <= sizeof((struct cdp_command *)NULL)->data, "stays in place");

static struct {
    struct cdp_lock lock; /* guards the list */
    struct wait *waits CDP_GUARDED_BY(&lock);
    bool is_watched CDP_GUARDED_BY(&lock); /* the thread runs */
    _Atomic uint32_t changes;              /* futex: grows with new waits and with writes */
} all = {.lock = CDP_LOCK_INITIAL(CDP_RANK_MEMORY_OPS)};

static uint64_t read_word(const struct cdp_memory_op *op)
{
    /* Acquire: the stream's next operations see what was written before the value. */
    return op->is_64 ? __atomic_load_n((const uint64_t *)op->address, __ATOMIC_ACQUIRE)
                     : __atomic_load_n((const uint32_t *)op->address, __ATOMIC_ACQUIRE);
}

/* Whether the word ends the wait. */
static bool passes(const struct cdp_memory_op *op, uint64_t word)
{
    uint64_t mask = op->is_64 ? UINT64_MAX : UINT32_MAX, value = op->value & mask;
    switch (op->test) {
    case CDP_TEST_GEQ:
        return ((word - value) & (op->is_64 ? UINT64_C(1) << 63 : UINT64_C(1) << 31)) == 0;
    case CDP_TEST_EQ:
        return word == value;
    case CDP_TEST_AND:
        return (word & value) != 0;
    case CDP_TEST_NOR:
        return (~(word | value) & mask) != 0;
    }
    return true;
}

static struct cdp_engine *engine_of(const struct cdp_command *command)
{
    return command->streams->engine;
}

static unsigned device_of(const struct cdp_command *command)
{
    return command->stream->device->number;
}

/* ---- Messages ---- */

/* The word, and the call that queued the operation. */
static void describe(const struct cdp_memory_op *op, char *out, size_t size)
{
    char memory[300], call[600] = "";
    if (!cdp_describe_address(op->address, memory, sizeof memory)) {
        snprintf(memory, sizeof memory, "an unknown address");
    }
    if (op->site != NULL) {
        cdp_os_symbolize((const char *)op->site - 1, call, sizeof call);
    }
    snprintf(out, size, "the word at %p, %s%s%s", op->address, memory,
             call[0] != '\0' ? "; the operation is queued in " : "", call);
}

/* Whether the word may be accessed. If not, the device has a fault. */
static bool is_accessible(const struct cdp_memory_op *op, const struct cdp_command *command)
{
    struct cdp_memory memory;
    cdp_memmap_find(op->address, &memory);
    uintptr_t at = (uintptr_t)op->address - (uintptr_t)memory.base;
    if (memory.space != CDP_SPACE_HOST && at + (op->is_64 ? 8 : 4) <= memory.size) {
        return true;
    }
    char text[1000];
    describe(op, text, sizeof text);
    cdp_fault_set(engine_of(command), device_of(command), CDP_FAULT_ADDRESS,
                  "a stream %s memory that was freed: %s",
                  op->is_wait ? "waits for a value in" : "writes a value to", text);
    return false;
}

static const char *const tests[] = {[CDP_TEST_GEQ] = "the word - value >= 0",
                                    [CDP_TEST_EQ] = "the word == value",
                                    [CDP_TEST_AND] = "(the word & value) != 0",
                                    [CDP_TEST_NOR] = "~(the word | value) != 0"};

static void report_late(const struct wait *wait)
{
    struct cdp_engine *engine = engine_of(wait->hold);
    const struct cdp_memory_op *op = &wait->op;
    char text[1000];
    describe(op, text, sizeof text);
    cdp_fault_set(engine, device_of(wait->hold), CDP_FAULT_TIMEOUT,
                  "a stream has waited for %u s (CDP_TIMEOUT), and no launch has completed: the "
                  "word is %" PRIu64 ", the value is %" PRIu64 ", and the wait ends when %s\n"
                  "  %s",
                  engine->options->timeout, read_word(op), op->value, tests[op->test], text);
}

/* ---- The thread ---- */

static bool is_late(struct wait *wait, uint64_t now)
{
    struct cdp_engine *engine = engine_of(wait->hold);
    uint32_t epoch = atomic_load(&engine->host.epoch);
    if (wait->quiet_since == 0 || epoch != wait->epoch) {
        wait->epoch = epoch;
        wait->quiet_since = now;
    }
    uint64_t limit = engine->options->timeout * UINT64_C(1000000000);
    return limit != 0 && now - wait->quiet_since >= limit;
}

/* Whether the wait is over: it has the value, or its device has a fault. */
static bool is_over(struct wait *wait, uint64_t now)
{
    if (cdp_engine_device_has_failed(engine_of(wait->hold), device_of(wait->hold)) ||
        !is_accessible(&wait->op, wait->hold) || passes(&wait->op, read_word(&wait->op))) {
        return true;
    }
    if (is_late(wait, now)) {
        report_late(wait);
        return true;
    }
    return false;
}

/* Takes the waits that are over out of the list. *latest: when the latest of the others began. */
static struct wait *take_over(uint64_t now, uint64_t *latest) CDP_NEEDS(&all.lock)
{
    struct wait *over = NULL;
    *latest = 0;
    for (struct wait **at = &all.waits; *at != NULL;) {
        struct wait *wait = *at;
        if (is_over(wait, now)) {
            *at = wait->next;
            wait->next = over;
            over = wait;
        } else {
            *latest = wait->since > *latest ? wait->since : *latest;
            at = &wait->next;
        }
    }
    return over;
}

static void note_end(const struct wait *wait)
{
    if (CDP_UNLIKELY(wait->hold->race_number != 0)) {
        cdp_wait_ended(wait->op.address, wait->hold->race_number);
    }
}

static void end_all(struct wait *over)
{
    while (over != NULL) {
        struct wait *next = over->next; /* the end of the hold frees the struct */
        note_end(over);
        cdp_stream_end_hold(over->hold);
        over = next;
    }
}

/* Ends what can end. Returns for how long the thread may sleep; 0: it has ended. */
static uint64_t look(void)
{
    uint64_t now = cdp_os_now(), latest;
    cdp_lock_acquire(&all.lock);
    struct wait *over = take_over(now, &latest);
    bool is_empty = all.waits == NULL;
    cdp_lock_release(&all.lock);
    end_all(over);
    if (is_empty) {
        return over != NULL ? SHORTEST_NS : IDLE_NS;
    }
    /* The delay stays small compared with the time of the wait. */
    uint64_t age = (now - latest) / 8;
    return age < SHORTEST_NS ? SHORTEST_NS : age < LONGEST_NS ? age : LONGEST_NS;
}

/* After a sleep of IDLE_NS. */
static bool ends_now(uint32_t seen)
{
    cdp_lock_acquire(&all.lock);
    bool ends = all.waits == NULL && atomic_load(&all.changes) == seen;
    all.is_watched = !ends;
    cdp_lock_release(&all.lock);
    return ends;
}

static void *watch(void *unused)
{
    (void)unused;
    cdp_os_sleep_precisely();
    for (;;) {
        uint32_t seen = atomic_load(&all.changes);
        uint64_t rest = look();
        cdp_os_wait_for(&all.changes, seen, rest);
        if (rest == IDLE_NS && ends_now(seen)) {
            return NULL;
        }
    }
}

static bool start_thread(void)
{
    pthread_t thread;
    sigset_t every, before;
    sigfillset(&every);
    pthread_sigmask(SIG_SETMASK, &every, &before);
    bool good = !cdp_alloc_fails() && pthread_create(&thread, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (good) {
        pthread_detach(thread);
    }
    return good;
}

static void changed(void)
{
    atomic_fetch_add(&all.changes, 1);
    cdp_os_wake(&all.changes, 1);
}

/* False: there is no thread that could look at it. */
static bool add(struct wait *wait)
{
    cdp_lock_acquire(&all.lock);
    all.is_watched = all.is_watched || start_thread();
    bool good = all.is_watched;
    if (good) {
        wait->next = all.waits;
        all.waits = wait;
    }
    cdp_lock_release(&all.lock);
    if (good) {
        changed();
    }
    return good;
}

/* ---- Operations ---- */

static void write_word(const struct cdp_memory_op *op, const struct cdp_command *hold)
{
    if (!is_accessible(op, hold)) {
        return;
    }
    if (CDP_UNLIKELY(hold->race_number != 0)) {
        cdp_races_wrote(op->address, op->is_64 ? 8 : 4, hold->race_number);
    }
    /* Release: who sees the value sees what the stream did before. */
    if (op->is_64) {
        __atomic_store_n((uint64_t *)op->address, op->value, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n((uint32_t *)op->address, (uint32_t)op->value, __ATOMIC_RELEASE);
    }
    cdp_lock_acquire(&all.lock);
    bool has_waits = all.waits != NULL;
    cdp_lock_release(&all.lock);
    if (has_waits) {
        changed();
    }
}

/* The begin of a hold. */
static bool begin(void *data, struct cdp_command *hold)
{
    struct wait *wait = data;
    bool has_failed = cdp_engine_device_has_failed(engine_of(hold), device_of(hold));
    if (!wait->op.is_wait) {
        if (!has_failed) {
            write_word(&wait->op, hold);
        }
        return true;
    }
    wait->hold = hold;
    wait->since = cdp_os_now();
    if (is_over(wait, wait->since)) {
        note_end(wait);
        return true;
    }
    if (add(wait)) {
        return false;
    }
    cdp_fault_set(engine_of(hold), device_of(hold), CDP_FAULT_LAUNCH,
                  "a stream cannot wait for a value in memory: no thread can be started to look "
                  "at it");
    return true;
}

enum cdp_status cdp_stream_memory_op(struct cdp_streams *streams, uint64_t stream,
                                     const struct cdp_memory_op *op)
{
    struct wait wait = {.op = *op};
    struct cdp_stream_call call = {.begin = begin, .data = &wait, .size = sizeof wait};
    return cdp_stream_call(streams, stream, &call);
}
