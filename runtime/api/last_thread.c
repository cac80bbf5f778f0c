/* There is no notification when a thread ends that never called the runtime. So if no other thread
 * is known to be alive, a thread of the runtime polls from time to time which threads are. */
#include "api/last_thread.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "api/runtime.h"
#include "base/lock.h"
#include "os/os.h"

enum { MILLISECOND = 1000000 };
/* The time between two polls: after main has ended, and while main lives. In the second case main
 * does something other than use the device, and will probably end the process itself. */
enum { LOOK_NS = 10 * MILLISECOND, RARE_LOOK_NS = 250 * MILLISECOND };

__thread bool cdp_last_thread_is_counted CDP_TLS_INITIAL_EXEC;

static struct {
    struct cdp_lock lock;
    uint32_t users CDP_GUARDED_BY(&lock);  /* number of live threads that have called the runtime */
    bool is_watched CDP_GUARDED_BY(&lock); /* the thread below runs */
} threads = {.lock = CDP_LOCK_INITIAL(CDP_RANK_REGISTRY)};

static _Atomic unsigned own; /* threads of the runtime besides the engine's */
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static bool has_key;

void cdp_last_thread_set_own(unsigned count)
{
    own = count;
}

static bool others_use_it_again(void)
{
    cdp_lock_acquire(&threads.lock);
    bool again = threads.users != 0;
    threads.is_watched = !again;
    cdp_lock_release(&threads.lock);
    return again;
}

static void *watch(void *unused)
{
    const unsigned myself = 1;
    (void)unused;
    while (!others_use_it_again()) {
        const struct cdp_runtime *running = cdp_runtime_running();
        bool main_lives;
        unsigned alive = cdp_os_living_threads(&main_lives);
        if (running != NULL && alive != 0 &&
            alive <= cdp_engine_thread_count(running->engine) + own + myself) {
            exit(EXIT_SUCCESS);
        }
        cdp_os_sleep(main_lives ? RARE_LOOK_NS : LOOK_NS);
    }
    return NULL;
}

/* Runs in the thread that ends. The polling thread inherits its signal mask, so signals that the
 * program blocks everywhere stay blocked. */
static void ended(void *unused)
{
    pthread_t thread;
    (void)unused;
    if (cdp_runtime_running() == NULL) {
        return; /* in a child process */
    }
    cdp_lock_acquire(&threads.lock);
    bool starts = --threads.users == 0 && !threads.is_watched;
    threads.is_watched |= starts;
    cdp_lock_release(&threads.lock);
    if (!starts) {
        return;
    }
    if (pthread_create(&thread, NULL, watch, NULL) == 0) {
        pthread_detach(thread);
    } else { /* no thread available: the process may not end by itself */
        cdp_lock_acquire(&threads.lock);
        threads.is_watched = false;
        cdp_lock_release(&threads.lock);
    }
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, ended) == 0;
}

void cdp_last_thread_count(void)
{
    cdp_last_thread_is_counted = true;
    pthread_once(&key_once, make_key);
    if (!has_key || pthread_setspecific(key, &key) != 0) {
        return;
    }
    cdp_lock_acquire(&threads.lock);
    threads.users++;
    cdp_lock_release(&threads.lock);
}
