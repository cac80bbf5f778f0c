/* Calls whose errors the program does not read. */
#include "api/unread_call.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "abi/cdp_check.h"
#include "api/call_words.h"
#include "api/error.h"
#include "api/launch_advice.h"
#include "api/runtime.h"
#include "base/alloc.h"
#include "exec/report/finding.h"
#include "os/code.h"

/* A call that failed. */
struct unread {
    cudaError_t error;
    bool is_sticky;     /* it did nothing, because of an earlier error */
    const void *pc;     /* inside the call */
    const char *advice; /* may be NULL */
    char title[900], memory[1200];
};

/* A thread's last error. Life: from its first error until the thread ends; then it is reported, if
 * it was not read. */
struct entry { /* the fields are guarded by list.lock */
    struct entry *next;
    bool is_used;
    struct unread call; /* if is_used */
};

/* The entries of all threads that live, oldest first: the program may end before they do. */
static struct {
    struct cdp_lock lock;
    struct entry *first CDP_GUARDED_BY(&lock);
} list = {.lock = CDP_LOCK_INITIAL(CDP_RANK_OUTPUT)};

static __thread struct entry *mine; /* owned; NULL: none yet */
static pthread_key_t key;           /* its destructor runs at the end of a thread with an entry */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key;

static void report(const struct unread *unread)
{
    struct cdp_finding finding = {
        .check = CDP_CHECKS_API,
        .title = unread->title,
        .error = cdp_error_name(unread->error),
        .at = {.pc = unread->pc},
        .memory = unread->memory[0] != '\0' ? unread->memory : NULL,
        .help = unread->advice != NULL ? unread->advice : "test the result of each call",
    };
    (void)cdp_finding_report(&finding);
}

/* Empties the entry. True if it was used: then *out is what it held. */
static bool take(struct entry *entry, struct unread *out) CDP_NEEDS(&list.lock)
{
    bool is_used = entry->is_used;
    if (is_used) {
        *out = entry->call;
    }
    entry->is_used = false;
    return is_used;
}

/* Runs in the thread that ends. */
static void ended(void *unused)
{
    (void)unused;
    struct unread unread;
    struct entry *entry = mine;
    mine = NULL;
    if (entry == NULL || cdp_runtime_running() == NULL) { /* in a child process */
        return;
    }
    cdp_lock_acquire(&list.lock);
    struct entry **link = &list.first;
    while (*link != entry) {
        link = &(*link)->next;
    }
    *link = entry->next;
    bool is_unread = take(entry, &unread);
    cdp_lock_release(&list.lock);
    cdp_free(entry);
    if (is_unread) {
        report(&unread);
    }
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, ended) == 0;
}

/* Makes the calling thread's entry; NULL if there is no memory. Without a key it stays until the
 * program ends. */
static struct entry *make_mine(void)
{
    struct entry *entry = cdp_alloc_zero(sizeof *entry);
    if (entry == NULL) {
        return NULL;
    }
    pthread_once(&key_once, make_key);
    if (has_key) {
        (void)pthread_setspecific(key, entry);
    }
    cdp_lock_acquire(&list.lock);
    struct entry **link = &list.first;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    *link = entry;
    cdp_lock_release(&list.lock);
    return entry;
}

/* Keeps the call until it is certain that its error is not read. An error that it replaces was not
 * read, so it is reported. Only the first of several calls that did nothing is kept. Without memory
 * nothing is kept. */
static void keep(const struct unread *unread)
{
    struct unread before;
    bool is_unread = false;
    mine = mine != NULL ? mine : make_mine();
    if (mine == NULL) {
        return;
    }
    cdp_lock_acquire(&list.lock);
    if (!mine->is_used || !mine->call.is_sticky || !unread->is_sticky) {
        is_unread = take(mine, &before);
        mine->call = *unread;
        mine->is_used = true;
    }
    cdp_lock_release(&list.lock);
    if (is_unread) {
        report(&before);
    }
}

void cdp_unread_drop(void)
{
    if (mine != NULL) {
        cdp_lock_acquire(&list.lock);
        mine->is_used = false;
        cdp_lock_release(&list.lock);
    }
}

/* Empties the first entry that is used. */
static bool take_any(struct unread *out)
{
    bool is_found = false;
    cdp_lock_acquire(&list.lock);
    for (struct entry *entry = list.first; entry != NULL && !is_found; entry = entry->next) {
        is_found = take(entry, out);
    }
    cdp_lock_release(&list.lock);
    return is_found;
}

bool cdp_unread_report(void)
{
    struct unread unread;
    bool any = false;
    while (take_any(&unread)) {
        report(&unread);
        any = true;
    }
    return any;
}

/* ---- Calls ---- */

bool cdp_unread_is_sticky(cudaError_t error)
{
    struct cdp_runtime *running = cdp_runtime_running();
    enum cdp_status status =
        running != NULL ? cdp_engine_fault(running->engine, cdp_device_number, NULL) : CDP_OK;
    return status != CDP_OK && cdp_error_of(status) == error;
}

static const char *consequence(const struct unread *unread)
{
    return unread->error == cudaErrorNotReady ? "came too early, so it gave no result"
           : unread->is_sticky ? "did nothing, because earlier device code has failed"
                               : "failed, and the program does not read the error";
}

static bool is_query(const char *function)
{
    size_t length = strlen(function), query = strlen("Query");
    return length >= query && strcmp(function + length - query, "Query") == 0;
}

static void describe(struct unread *unread, const char *function, va_list arguments)
{
    struct cdp_call_words words;
    cdp_call_describe(function, arguments, &words);
    snprintf(unread->title, sizeof unread->title, "%s %s", words.call, consequence(unread));
    if (!unread->is_sticky) {
        snprintf(unread->memory, sizeof unread->memory, "%s", words.memory);
        unread->advice = cdp_call_advice(function, unread->error);
    }
}

/* Whether the call does work that a program misses. The calls that wait or free are not reported
 * after a fault: the fault is. */
static bool does_work(const char *function)
{
    static const char *const starts[] = {"cudaMemcpy", "cudaMemset", "cudaLaunch"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(function, starts[i], strlen(starts[i])) == 0) {
            return true;
        }
    }
    return false;
}

CDP_EXPORT void cdp_abi_unread_call(int32_t number, const char *function, ...)
{
    cudaError_t error = (cudaError_t)number;
    if (CDP_LIKELY(error == cudaSuccess) || !cdp_finding_is_on(CDP_CHECKS_API) ||
        (error == cudaErrorNotReady && is_query(function))) {
        return;
    }
    struct unread unread = {.error = error,
                            .is_sticky = cdp_unread_is_sticky(error),
                            .pc = (const char *)__builtin_return_address(0) - 1};
    if (unread.is_sticky && !does_work(function)) {
        return;
    }
    va_list arguments;
    va_start(arguments, function);
    describe(&unread, function, arguments);
    va_end(arguments);
    if (error == cudaErrorNotReady) {
        report(&unread); /* it never becomes the last error */
    } else {
        keep(&unread);
    }
}

/* ---- Launches ---- */

static const char *advice_for(const struct cdp_unread_launch *launch)
{
    const char *advice = cdp_launch_advice(launch->kernel, &launch->shape, launch->error);
    return advice != NULL ? advice : "call cudaGetLastError() after the launch";
}

void cdp_unread_keep_launch(const struct cdp_unread_launch *launch)
{
    bool is_sticky = cdp_unread_is_sticky(launch->error);
    const struct cdp_shape *s = &launch->shape;
    char name[256] = "a kernel";
    struct unread unread = {.error = launch->error,
                            .is_sticky = is_sticky,
                            .pc = (const char *)launch->site - 1,
                            .advice = is_sticky ? NULL : advice_for(launch)};
    if (launch->kernel != NULL) {
        cdp_os_demangle(launch->kernel->name, name, sizeof name);
    }
    snprintf(unread.title, sizeof unread.title,
             "the launch %s<<<(%u,%u,%u), (%u,%u,%u), %zu>>> %s: the kernel did not run", name,
             s->grid.x, s->grid.y, s->grid.z, s->block.x, s->block.y, s->block.z, s->dynamic_shared,
             consequence(&unread));
    keep(&unread);
}
