/* Sleeping and waking: tiny offers that nobody takes soon stop waking workers, but no offer that
 * stays is overlooked. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "os/cpu.h"
#include "os/os.h"
#include "sched/park.h"
#include "support/suite.h"

/* Worker 0 is the test's own thread, as a host thread that runs blocks; worker 1 sleeps. */
static struct {
    struct cdp_worker workers[2];
    struct cdp_worker *all[2];
    struct cdp_pool pool;
    _Atomic bool takes;     /* worker 1 takes the offers that it finds */
    _Atomic unsigned taken; /* offers, by worker 1 */
    _Atomic unsigned idle;  /* how often worker 1 returned from being idle */
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

static void begin_pinned(enum cdp_pin pin)
{
    memset(&scene, 0, sizeof scene);
    scene.pool.pin = pin;
    for (unsigned i = 0; i < 2; i++) {
        scene.all[i] = &scene.workers[i];
        scene.workers[i].has_thread = i == 1;
    }
    scene.pool.workers = scene.all;
    scene.pool.count = 2;
    scene.pool.main = idle_main;
    ck_assert(cdp_pool_start(&scene.pool));
}

static void begin(void)
{
    begin_pinned(CDP_PIN_NONE);
}

static void wait_until_asleep(void)
{
    while (atomic_load(&scene.workers[1].sleeping) == 0) {
        cdp_os_pause();
    }
}

/* The work of a worker that runs tiny tasks, each of which launches one more. */
static void push_and_pop(unsigned times)
{
    struct cdp_offer got;
    for (unsigned i = 0; i < times; i++) {
        ck_assert(cdp_worker_push(&scene.workers[0], offer(1)));
        ck_assert(cdp_worker_pop(&scene.workers[0], &got));
    }
}

CDP_TEST(tiny_lone_offers_that_nobody_takes_rarely_wake)
{
    enum { OFFERS = 200000, MOST_WAKES = 100 };
    begin();
    cdp_park_help(&scene.pool, true);
    for (unsigned i = 0; i < OFFERS / 1000; i++) {
        wait_until_asleep(); /* so that each thousand might wake worker 1 */
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
    /* The others were found in its last poll.  With one CPU a wake gains nothing. */
    ck_assert(cdp_os_cpu_count() == 1 || wakes > MANY / 2);
    cdp_park_help(&scene.pool, false);
    cdp_pool_stop(&scene.pool);
}

CDP_TEST(no_worker_watches_while_no_worker_is_active)
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
    /* The first offer of the next active worker wakes it, because there would be no poll. */
    atomic_store(&scene.takes, true);
    cdp_park_help(&scene.pool, true);
    ck_assert(cdp_worker_push(&scene.workers[0], offer(1)));
    while (atomic_load(&scene.taken) == 0) {
        cdp_os_pause();
    }
    cdp_park_help(&scene.pool, false);
    cdp_pool_stop(&scene.pool);
}

/* False if the system only pretends to move threads, as some sandboxes do, or refuses it. */
static bool can_go_to(int cpu)
{
    enum { TRIES = 1000 };
    bool is_there = false;
    for (int i = 0; i < TRIES && cdp_os_move(cdp_os_thread_number(), cpu) && !is_there; i++) {
        usleep(i == 0 ? 0 : 1000);
        is_there = cdp_os_current_cpu() == cpu;
    }
    return is_there;
}

/* The host thread launches from that CPU. Returns the CPU to which worker 1 is pinned
 * afterwards. */
static int pinned_after_launch_from(int cpu)
{
    static struct cdp_task task;
    wait_until_asleep();
    ck_assert(can_go_to(cpu));
    cdp_pool_inject(&scene.pool, &task);
    (void)cdp_mailbox_take(&scene.pool.injected);
    return atomic_load(&scene.workers[1].pinned_cpu) - 1;
}

CDP_TEST(a_sleeper_on_the_cpu_that_a_host_thread_launches_from_wakes_elsewhere)
{
    enum { A_WHILE_US = 2000 }; /* it moves no more often than every millisecond */
    if (cdp_os_cpu_count() < 2 || !can_go_to(cdp_os_cpu(0)) || !can_go_to(cdp_os_cpu(1))) {
        return;
    }
    begin_pinned(CDP_PIN_ANY);
    wait_until_asleep();
    int cpu = atomic_load(&scene.workers[1].pinned_cpu) - 1;
    ck_assert_int_eq(pinned_after_launch_from(cdp_os_next_cpu(cpu)), cpu);
    for (unsigned i = 0; i < 20; i++) {
        usleep(A_WHILE_US);
        int now = pinned_after_launch_from(cpu);
        ck_assert_int_ne(now, cpu);
        cpu_set_t allowed;
        ck_assert_int_eq(pthread_getaffinity_np(scene.workers[1].thread, sizeof allowed, &allowed),
                         0);
        ck_assert_int_eq(CPU_COUNT(&allowed), 1);
        ck_assert(CPU_ISSET((size_t)now, &allowed));
        cpu = now;
    }
    cdp_pool_stop(&scene.pool);
}

CDP_TEST(a_sleeper_that_the_user_has_pinned_is_not_moved)
{
    if (!can_go_to(cdp_os_cpu(0))) {
        return;
    }
    begin_pinned(CDP_PIN_COMPACT);
    wait_until_asleep();
    int cpu = atomic_load(&scene.workers[1].pinned_cpu) - 1;
    ck_assert_int_eq(pinned_after_launch_from(cpu), cpu);
    cdp_pool_stop(&scene.pool);
}

CDP_TEST_MAIN("park", 20)
