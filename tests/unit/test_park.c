/* Sleeping and waking: tiny offers that nobody takes wake nobody for long, and yet none that
 * stays is overlooked. */
#include <stdatomic.h>
#include <string.h>

#include "os/os.h"
#include "sched/park.h"
#include "support/suite.h"

/* Worker 0 is the test's own thread, as a host thread that lends itself; worker 1 sleeps. */
static struct {
    struct cdp_worker workers[2];
    struct cdp_worker *all[2];
    struct cdp_pool pool;
    _Atomic bool takes;     /* worker 1 takes what it finds */
    _Atomic unsigned taken; /* offers, by worker 1 */
    _Atomic unsigned idle;  /* times that worker 1 came back from being idle */
} scene;

static struct cdp_task tasks[1];

static struct cdp_offer offer(uint32_t parts)
{
    return (struct cdp_offer){.task = tasks, .first = 0, .last = parts};
}

static bool look(struct cdp_worker *worker)
{
    struct cdp_offer got;
    if (atomic_load(&scene.takes) && cdp_worker_steal(worker, &got)) {
        atomic_fetch_add(&scene.taken, 1);
        return true;
    }
    return atomic_load(&worker->pool->stopping);
}

static void idle_main(struct cdp_worker *worker)
{
    while (!atomic_load(&worker->pool->stopping)) {
        cdp_park_idle(worker, look);
        atomic_fetch_add(&scene.idle, 1);
    }
}

static void begin(void)
{
    memset(&scene, 0, sizeof scene);
    for (unsigned i = 0; i < 2; i++) {
        scene.all[i] = &scene.workers[i];
        scene.workers[i].has_thread = i == 1;
    }
    scene.pool.workers = scene.all;
    scene.pool.count = 2;
    scene.pool.main = idle_main;
    ck_assert(cdp_pool_start(&scene.pool));
}

static void wait_until_asleep(void)
{
    while (atomic_load(&scene.workers[1].sleeping) == 0) {
        cdp_os_pause();
    }
}

/* What a worker does that runs tiny tasks, each of which launches one more. */
static void push_and_pop(unsigned times)
{
    struct cdp_offer got;
    for (unsigned i = 0; i < times; i++) {
        ck_assert(cdp_worker_push(&scene.workers[0], offer(1)));
        ck_assert(cdp_worker_pop(&scene.workers[0], &got));
    }
}

CDP_TEST(tiny_lone_offers_that_nobody_takes_seldom_wake)
{
    enum { OFFERS = 200000, MOST_WAKES = 100 };
    begin();
    cdp_park_help(&scene.pool, true);
    for (unsigned i = 0; i < OFFERS / 1000; i++) {
        wait_until_asleep(); /* so that each thousand might wake it */
        push_and_pop(1000);
    }
    ck_assert_uint_lt(atomic_load(&scene.idle), MOST_WAKES);
    ck_assert_uint_eq(atomic_load(&scene.taken), 0);
    cdp_park_help(&scene.pool, false);
    cdp_pool_stop(&scene.pool);
}

CDP_TEST(a_tiny_lone_offer_that_stays_is_found_without_a_wake)
{
    begin();
    cdp_park_help(&scene.pool, true);
    for (unsigned i = 0; i < 100; i++) {
        push_and_pop(1000);
    }
    atomic_store(&scene.takes, true);
    wait_until_asleep();
    ck_assert(cdp_worker_push(&scene.workers[0], offer(1)));
    while (atomic_load(&scene.taken) == 0) {
        cdp_os_pause(); /* or the suite's time is over */
    }
    cdp_park_help(&scene.pool, false);
    cdp_pool_stop(&scene.pool);
}

CDP_TEST(offers_worth_sharing_wake_at_once)
{
    enum { MANY = 100 };
    unsigned wakes = 0;
    begin();
    atomic_store(&scene.takes, true);
    cdp_park_help(&scene.pool, true);
    for (unsigned i = 1; i <= MANY; i++) {
        wait_until_asleep();
        atomic_store(&scene.workers[1].waker_cpu, 0);
        ck_assert(cdp_worker_push(&scene.workers[0], offer(8)));
        wakes += atomic_load(&scene.workers[1].waker_cpu) != 0;
        while (atomic_load(&scene.taken) < i) {
            cdp_os_pause();
        }
    }
    ck_assert_uint_gt(wakes, MANY / 2); /* the others it saw in its last look */
    cdp_park_help(&scene.pool, false);
    cdp_pool_stop(&scene.pool);
}

CDP_TEST(nobody_watches_while_nobody_works)
{
    begin();
    cdp_park_help(&scene.pool, true);
    push_and_pop(1); /* it may have slept already */
    while (!cdp_park_somebody_watches(&scene.pool)) {
        cdp_os_pause();
    }
    cdp_park_help(&scene.pool, false);
    while (cdp_park_somebody_watches(&scene.pool)) {
        cdp_os_pause();
    }
    /* The first offer of whoever works next wakes, as no look would come. */
    atomic_store(&scene.takes, true);
    cdp_park_help(&scene.pool, true);
    ck_assert(cdp_worker_push(&scene.workers[0], offer(1)));
    while (atomic_load(&scene.taken) == 0) {
        cdp_os_pause();
    }
    cdp_park_help(&scene.pool, false);
    cdp_pool_stop(&scene.pool);
}

CDP_TEST_MAIN("park", 20)
