/* The alternation of host and worker. */
#include "sched/turn.h"

#include "base/random.h"

#include <time.h>

/* If the host makes no call for this time, the worker overtakes it. A call of the host waits this
 * long for a host function, or for a worker that has overtaken. */
enum { PATIENCE_S = 1 };

/* CREDIT: the steps that a waiting or overtaken host grants at once. MOST_LENT: the most that one
 * call grants; it limits how long the polling kernels of a program run. */
enum { CREDIT = 1 << 20, MOST_LENT = 1 << 16 };

/* The tendency of the host's calls, chosen by the seed. */
enum { HABIT_MIXED, HABIT_LAZY, HABIT_EAGER, HABITS };

static bool init_conditions(struct cdp_turn *turn)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0) {
        return false;
    }
    bool ok = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(&turn->worker, &monotonic) == 0;
    if (ok && pthread_cond_init(&turn->host, &monotonic) != 0) {
        pthread_cond_destroy(&turn->worker);
        ok = false;
    }
    pthread_condattr_destroy(&monotonic);
    return ok;
}

bool cdp_turn_init(struct cdp_turn *turn, uint32_t seed)
{
    cdp_lock_init(&turn->lock, CDP_RANK_TURN);
    if (!init_conditions(turn)) {
        cdp_lock_finish(&turn->lock);
        return false;
    }
    cdp_lock_acquire(&turn->lock);
    turn->random = cdp_random_seeded(seed);
    (void)cdp_random_word(&turn->random);
    turn->habit = (uint32_t)(cdp_random_word(&turn->random) % HABITS);
    turn->worker_runs = true; /* until it first requests steps, or is idle */
    cdp_lock_release(&turn->lock);
    return true;
}

void cdp_turn_finish(struct cdp_turn *turn)
{
    pthread_cond_destroy(&turn->worker);
    pthread_cond_destroy(&turn->host);
    cdp_lock_finish(&turn->lock);
}

static void sleep_on(struct cdp_turn *turn, pthread_cond_t *condition) CDP_NEEDS(&turn->lock)
{
    pthread_cond_wait(condition, &turn->lock.mutex);
}

/* False if no thread woke it in time. */
static bool sleep_patiently(struct cdp_turn *turn, pthread_cond_t *condition) CDP_NEEDS(&turn->lock)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_S;
    return pthread_cond_timedwait(condition, &turn->lock.mutex, &until) == 0;
}

/* Wakes the host threads whose wait is over. */
static void finish_waits(struct cdp_turn *turn) CDP_NEEDS(&turn->lock)
{
    struct cdp_turn_wait **link = &turn->waits;
    while (*link != NULL) {
        struct cdp_turn_wait *wait = *link;
        if (wait->done(wait->arg)) {
            *link = wait->next;
            wait->finished = true;
            pthread_cond_broadcast(&turn->host);
        } else {
            link = &wait->next;
        }
    }
}

/* ---- The worker's side ---- */

static bool may_run(const struct cdp_turn *turn) CDP_NEEDS(&turn->lock)
{
    return turn->stopping ||
           (!turn->idle && (turn->waits != NULL || turn->overtakes || turn->budget != 0));
}

static void await_turn(struct cdp_turn *turn) CDP_NEEDS(&turn->lock)
{
    turn->worker_runs = false;
    pthread_cond_broadcast(&turn->host);
    uint32_t calls = turn->calls;
    while (!may_run(turn)) {
        if (turn->idle) {
            sleep_on(turn, &turn->worker);
        } else if (!sleep_patiently(turn, &turn->worker) && turn->calls == calls) {
            turn->overtakes = true;
        }
        calls = turn->calls;
    }
    turn->worker_runs = true;
}

/* Continues as soon as it may. */
static void go_on(struct cdp_turn *turn) CDP_NEEDS(&turn->lock)
{
    if (!may_run(turn)) {
        await_turn(turn);
    }
    bool lent = turn->waits == NULL && !turn->overtakes && !turn->stopping;
    turn->credit = lent ? turn->budget : CREDIT;
    turn->budget = 0;
}

/* The credit is used up, or a thread wants the worker to check its state. */
void cdp_turn_ask(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    /* Events up to here are seen below. Later events set the flag again. */
    atomic_store_explicit(&turn->news, false, memory_order_relaxed);
    finish_waits(turn);
    go_on(turn);
    cdp_lock_release(&turn->lock);
}

void cdp_turn_idle(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    atomic_store_explicit(&turn->news, false, memory_order_relaxed);
    finish_waits(turn);
    if (!turn->work) {
        turn->idle = true;
        turn->overtakes = false;
        turn->budget = 0;
    }
    turn->work = false;
    go_on(turn);
    cdp_lock_release(&turn->lock);
}

void cdp_turn_call_begins(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    turn->in_call = true;
    cdp_lock_release(&turn->lock);
}

void cdp_turn_call_ended(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    if (turn->call_waits) {
        atomic_store_explicit(&turn->news, true, memory_order_relaxed);
    }
    turn->in_call = turn->call_waits = false;
    cdp_lock_release(&turn->lock);
}

/* ---- The host's side ---- */

/* The number of steps for one call. */
static uint32_t choose(struct cdp_turn *turn) CDP_NEEDS(&turn->lock)
{
    uint64_t random = cdp_random_word(&turn->random);
    uint32_t kind = (uint32_t)(random & 3), amount = (uint32_t)(random >> 8);
    if (turn->habit != HABIT_MIXED && (random >> 2 & 7) != 0) {
        kind = turn->habit == HABIT_LAZY ? 0 : 3;
    }
    switch (kind) {
    case 0:
        return 0;
    case 1:
        return 1 + amount % 16;
    case 2:
        return 1 + amount % 512;
    default:
        return MOST_LENT;
    }
}

/* The worker has overtaken the host, which now makes a call. The call waits until the worker is
 * idle, because the worker's present position depends on time. */
static void end_overtaking(struct cdp_turn *turn) CDP_NEEDS(&turn->lock)
{
    while (turn->overtakes && sleep_patiently(turn, &turn->host)) {
    }
    if (turn->overtakes) {
        turn->overtakes = false;
        atomic_store_explicit(&turn->news, true, memory_order_relaxed);
    }
}

void cdp_turn_lend(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    turn->calls++;
    end_overtaking(turn);
    uint32_t steps = choose(turn);
    if (turn->waits == NULL && !turn->idle && steps != 0) {
        turn->budget = steps;
        pthread_cond_signal(&turn->worker);
    }
    /* A worker for which others wait continues. So does a worker whose host function waits. */
    while ((turn->worker_runs || turn->budget != 0) && turn->waits == NULL && !turn->call_waits) {
        if (!turn->in_call) {
            sleep_on(turn, &turn->host);
        } else if (!sleep_patiently(turn, &turn->host) && turn->in_call) {
            turn->call_waits = true;
        }
    }
    cdp_lock_release(&turn->lock);
}

void cdp_turn_await(struct cdp_turn *turn, bool (*done)(void *arg), void *arg)
{
    struct cdp_turn_wait wait = {.done = done, .arg = arg};
    cdp_lock_acquire(&turn->lock);
    turn->calls++;
    turn->overtakes = false; /* the worker continues for this thread */
    wait.next = turn->waits;
    turn->waits = &wait;
    finish_waits(turn);
    pthread_cond_signal(&turn->worker);
    while (!wait.finished) {
        sleep_on(turn, &turn->host);
    }
    cdp_lock_release(&turn->lock);
}

void cdp_turn_notify(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    finish_waits(turn);
    /* The worker may have run for a wait that is over. */
    atomic_store_explicit(&turn->news, true, memory_order_relaxed);
    cdp_lock_release(&turn->lock);
}

void cdp_turn_give(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    turn->work = true;
    turn->idle = false;
    pthread_cond_signal(&turn->worker);
    cdp_lock_release(&turn->lock);
}

void cdp_turn_stop(struct cdp_turn *turn)
{
    cdp_lock_acquire(&turn->lock);
    turn->stopping = true;
    pthread_cond_signal(&turn->worker);
    cdp_lock_release(&turn->lock);
}
