/* The deque: one owner, many thieves, no offer lost and none taken twice. */
#include <pthread.h>
#include <stdatomic.h>

#include "os/os.h"
#include "sched/worker.h"
#include "support/suite.h"

static struct cdp_task tasks[1];

static struct cdp_offer offer(uint32_t i)
{
    return (struct cdp_offer){.task = tasks, .first = i, .last = i + 1};
}

CDP_TEST(owner_pops_newest_first)
{
    struct cdp_deque deque;
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    ck_assert(!cdp_deque_pop(&deque, false, &got));
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    for (uint32_t i = 3; i-- > 0;) {
        ck_assert(cdp_deque_pop(&deque, false, &got));
        ck_assert_uint_eq(got.first, i);
    }
    ck_assert(!cdp_deque_pop(&deque, false, &got));
    cdp_deque_finish(&deque);
}

static void thief_gets_the_first_of_two(bool asymmetric)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, asymmetric));
    ck_assert(cdp_deque_push(&deque, offer(0)) && cdp_deque_push(&deque, offer(1)));
    ck_assert(cdp_deque_steal(&deque, &look, &got));
    ck_assert_uint_eq(got.first, 0);
    cdp_deque_finish(&deque);
}

CDP_TEST(thief_takes_oldest_first)
{
    thief_gets_the_first_of_two(false);
    thief_gets_the_first_of_two(true);
}

/* The number of polls until the thief gets the deque's offer. */
static int looks_needed(struct cdp_deque *deque, struct cdp_deque_look *look, struct cdp_offer *got)
{
    int looks = 1;
    while (!cdp_deque_steal(deque, look, got)) {
        ck_assert_int_lt(looks++, 100);
    }
    return looks;
}

CDP_TEST(lone_offer_is_stolen_only_after_several_polls)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, false));
    ck_assert(cdp_deque_push(&deque, offer(7)));
    ck_assert_int_ge(looks_needed(&deque, &look, &got), 2);
    ck_assert_uint_eq(got.first, 7);
    cdp_deque_finish(&deque);
}

CDP_TEST(lone_offer_of_many_parts_is_stolen_at_once)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got, many = {.task = tasks, .first = 8, .last = 80};
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    ck_assert(cdp_deque_push(&deque, many));
    ck_assert(cdp_deque_steal(&deque, &look, &got));
    ck_assert_uint_eq(got.first, 8);
    ck_assert_uint_eq(got.last, 80);
    cdp_deque_finish(&deque);
}

/* Half of the offers are open. The next half is opened when the owner is active again. */
CDP_TEST(owner_opens_more_when_all_that_was_open_is_stolen)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    if (!cdp_os_membarrier_register()) {
        return;
    }
    ck_assert(cdp_deque_init(&deque, true));
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    uint32_t stolen = 0;
    while (cdp_deque_steal(&deque, &look, &got)) {
        ck_assert_uint_eq(got.first, stolen++);
    }
    ck_assert_uint_ge(stolen, 1);
    ck_assert_uint_lt(stolen, 8);
    ck_assert(cdp_deque_pop(&deque, false, &got));
    ck_assert_uint_eq(got.first, 7);
    ck_assert(cdp_deque_steal(&deque, &look, &got));
    ck_assert_uint_eq(got.first, stolen);
    cdp_deque_finish(&deque);
}

CDP_TEST(owner_that_will_be_busy_opens_all)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    cdp_deque_share(&deque);
    for (uint32_t i = 0; i < 7; i++) { /* a single offer must age */
        ck_assert(cdp_deque_steal(&deque, &look, &got));
        ck_assert_uint_eq(got.first, i);
    }
    cdp_deque_finish(&deque);
}

/* The owner runs a long task: thieves must get also the offers that it has not opened. */
CDP_TEST(thief_gets_all_offers_of_an_owner_that_does_nothing)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {.closely = true};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    for (uint32_t i = 0; i < 8; i++) {
        looks_needed(&deque, &look, &got);
        ck_assert_uint_eq(got.first, i);
    }
    ck_assert(cdp_deque_seems_empty(&deque));
    ck_assert(!cdp_deque_pop(&deque, false, &got));
    cdp_deque_finish(&deque);
}

CDP_TEST(thief_that_will_sleep_leaves_nothing_behind)
{
    struct cdp_deque deque;
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert(cdp_deque_steal_idle(&deque, &got));
        ck_assert_uint_eq(got.first, i);
    }
    ck_assert(!cdp_deque_steal_idle(&deque, &got));
    cdp_deque_finish(&deque);
}

CDP_TEST(owner_may_take_the_oldest_too)
{
    struct cdp_deque deque;
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    ck_assert(!cdp_deque_pop_oldest(&deque, &got));
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    ck_assert(cdp_deque_pop_oldest(&deque, &got));
    ck_assert_uint_eq(got.first, 0);
    ck_assert(cdp_deque_pop(&deque, false, &got));
    ck_assert_uint_eq(got.first, 2);
    ck_assert(cdp_deque_pop_oldest(&deque, &got));
    ck_assert_uint_eq(got.first, 1);
    ck_assert(!cdp_deque_pop(&deque, false, &got));
    cdp_deque_finish(&deque);
}

CDP_TEST(deque_grows_past_its_first_ring)
{
    struct cdp_deque deque;
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, false));
    for (uint32_t i = 0; i < 10000; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    for (uint32_t i = 10000; i-- > 0;) {
        ck_assert(cdp_deque_pop(&deque, true, &got));
        ck_assert_uint_eq(got.first, i);
    }
    cdp_deque_finish(&deque);
}

CDP_TEST(owner_keeps_one_task_and_takes_it_back)
{
    struct cdp_deque deque;
    struct cdp_task second;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    ck_assert_ptr_null(cdp_deque_take_kept(&deque));
    ck_assert(cdp_deque_keep(&deque, tasks));
    ck_assert(!cdp_deque_keep(&deque, &second));
    ck_assert(!cdp_deque_seems_empty(&deque));
    ck_assert(cdp_deque_has_one(&deque));
    ck_assert_ptr_eq(cdp_deque_take_kept(&deque), tasks);
    ck_assert_ptr_null(cdp_deque_take_kept(&deque));
    ck_assert(cdp_deque_seems_empty(&deque));
    cdp_deque_finish(&deque);
}

CDP_TEST(the_kept_task_is_not_the_oldest_offer)
{
    struct cdp_deque deque;
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    ck_assert(cdp_deque_keep(&deque, tasks));
    ck_assert(!cdp_deque_pop_oldest(&deque, &got));
    ck_assert_ptr_eq(cdp_deque_take_kept(&deque), tasks);
    ck_assert(cdp_deque_seems_empty(&deque));
    cdp_deque_finish(&deque);
}

/* Only from an idle owner, and last of all. For some time after that the owner keeps no task. */
CDP_TEST(thief_raids_the_kept_task)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {.closely = true};
    struct cdp_offer got;
    if (!cdp_os_membarrier_register()) {
        return;
    }
    ck_assert(cdp_deque_init(&deque, true));
    ck_assert(cdp_deque_keep(&deque, tasks));
    ck_assert_int_ge(looks_needed(&deque, &look, &got), 2);
    ck_assert_ptr_eq(got.task, tasks);
    ck_assert_uint_eq(got.last, 0);
    ck_assert(cdp_deque_seems_empty(&deque));
    ck_assert_ptr_null(cdp_deque_take_kept(&deque));
    ck_assert(!cdp_deque_keep(&deque, tasks));
    ck_assert(cdp_deque_push(&deque, offer(1)));
    look = (struct cdp_deque_look){.closely = true};
    ck_assert_int_ge(looks_needed(&deque, &look, &got), 2);
    ck_assert_uint_eq(got.first, 1);
    cdp_deque_finish(&deque);
}

CDP_TEST(the_kept_task_is_not_raided_while_the_owner_is_active)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {.closely = true};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    for (int i = 0; i < 1000; i++) {
        ck_assert(cdp_deque_keep(&deque, tasks));
        ck_assert(!cdp_deque_steal(&deque, &look, &got));
        ck_assert_ptr_eq(cdp_deque_take_kept(&deque), tasks);
    }
    cdp_deque_finish(&deque);
}

CDP_TEST(owner_that_will_be_busy_opens_the_kept_task_too)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque, cdp_os_membarrier_register()));
    ck_assert(cdp_deque_keep(&deque, tasks));
    cdp_deque_share(&deque);
    looks_needed(&deque, &look, &got);
    ck_assert_ptr_eq(got.task, tasks);
    ck_assert_ptr_null(cdp_deque_take_kept(&deque));
    cdp_deque_finish(&deque);
}

CDP_TEST(thief_that_will_sleep_takes_the_kept_task)
{
    struct cdp_deque deque;
    struct cdp_offer got;
    if (!cdp_os_membarrier_register()) {
        return;
    }
    ck_assert(cdp_deque_init(&deque, true));
    ck_assert(cdp_deque_keep(&deque, tasks));
    ck_assert(cdp_deque_push(&deque, offer(3)));
    ck_assert(cdp_deque_steal_idle(&deque, &got));
    ck_assert_uint_eq(got.first, 3);
    ck_assert(cdp_deque_steal_idle(&deque, &got));
    ck_assert_uint_eq(got.last, 0);
    ck_assert(!cdp_deque_steal_idle(&deque, &got));
    cdp_deque_finish(&deque);
}

enum { ROUNDS = 20000, THIEVES = 3 };
static struct cdp_deque contended;
static struct cdp_task numbered[ROUNDS]; /* a kept task is always a whole task */
static _Atomic uint32_t seen[ROUNDS];
static atomic_bool over;

static void see(struct cdp_offer got)
{
    size_t number = got.task == tasks ? got.first : (size_t)(got.task - numbered);
    atomic_fetch_add(&seen[number], 1);
}

/* One thief raids whatever it sees, the others wait for offers to age. */
static void *thief(void *arg)
{
    struct cdp_deque_look look = {.closely = true};
    struct cdp_offer got;
    while (!atomic_load(&over)) {
        if (arg == &contended ? cdp_deque_steal_idle(&contended, &got)
                              : cdp_deque_steal(&contended, &look, &got)) {
            see(got);
        }
    }
    return NULL;
}

static void pop_one(void)
{
    struct cdp_offer got;
    if (cdp_deque_pop(&contended, false, &got)) {
        see(got);
    }
}

static void take_kept(void)
{
    struct cdp_task *kept = cdp_deque_take_kept(&contended);
    if (kept != NULL) {
        see((struct cdp_offer){.task = kept});
    }
}

static void rest_for(uint32_t pauses)
{
    for (uint32_t i = 0; i < pauses; i++) {
        cdp_os_pause();
    }
}

/* The owner pushes bursts of some length. It takes back all offers, or leaves some. From time to
 * time it does something else for a while. */
static void push_and_pop(uint32_t burst, uint32_t taken, uint32_t rest)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        ck_assert(cdp_deque_push(&contended, offer(i)));
        for (uint32_t j = 0; i % burst == 0 && j < taken; j++) {
            pop_one();
        }
        rest_for(i % 64 == 0 ? rest : 0);
    }
    while (!cdp_deque_seems_empty(&contended)) {
        pop_one();
    }
}

/* Keeps a task if it can, and pushes the others. It takes the kept task back at once, later or
 * never, or only to keep it again. */
static void keep_and_take(uint32_t burst, uint32_t taken, uint32_t rest)
{
    for (uint32_t i = 0; i < ROUNDS; i++) {
        if (!cdp_deque_keep(&contended, &numbered[i])) {
            ck_assert(cdp_deque_push(&contended, (struct cdp_offer){.task = &numbered[i]}));
        }
        rest_for(i % 64 == 0 ? rest : 0);
        struct cdp_task *kept = i % 3 == 0 ? cdp_deque_take_kept(&contended) : NULL;
        if (kept != NULL) {
            cdp_deque_put_kept(&contended, kept);
        }
        rest_for(i % 64 == 32 ? rest : 0);
        for (uint32_t j = 0; i % burst == 0 && j < taken; j++) {
            take_kept();
            pop_one();
        }
    }
    while (!cdp_deque_seems_empty(&contended)) {
        take_kept();
        pop_one();
    }
}

typedef void owners_work(uint32_t burst, uint32_t taken, uint32_t rest);

static void contend_at(owners_work *work, bool asymmetric, uint32_t burst, uint32_t taken,
                       uint32_t rest)
{
    pthread_t thieves[THIEVES];
    ck_assert(cdp_deque_init(&contended, asymmetric));
    atomic_store(&over, false);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        atomic_store(&seen[i], 0);
    }
    for (int i = 0; i < THIEVES; i++) {
        void *arg = i == 0 ? &contended : NULL;
        ck_assert_int_eq(pthread_create(&thieves[i], NULL, thief, arg), 0);
    }
    work(burst, taken, rest);
    atomic_store(&over, true);
    for (int i = 0; i < THIEVES; i++) {
        pthread_join(thieves[i], NULL);
    }
    for (uint32_t i = 0; i < ROUNDS; i++) {
        ck_assert_uint_eq(atomic_load(&seen[i]), 1);
    }
    cdp_deque_finish(&contended);
}

static void contend(bool asymmetric, uint32_t burst, uint32_t taken, uint32_t rest)
{
    contend_at(push_and_pop, asymmetric, burst, taken, rest);
}

CDP_TEST(every_offer_has_exactly_one_taker)
{
    contend(false, 3, 1, 0);
    contend(false, 1, 1, 100);
}

CDP_TEST(every_offer_has_exactly_one_taker_though_pops_have_no_fence)
{
    if (!cdp_os_membarrier_register()) {
        return;
    }
    contend(true, 3, 1, 0);    /* it grows */
    contend(true, 1, 1, 2000); /* one at a time */
    contend(true, 2, 2, 2000);
    contend(true, 5, 6, 2000);
    contend(true, 5, 4, 500);
}

CDP_TEST(every_kept_task_has_exactly_one_taker)
{
    if (!cdp_os_membarrier_register()) {
        return;
    }
    contend_at(keep_and_take, true, 1, 1, 0);
    contend_at(keep_and_take, true, 1, 1, 2000);
    contend_at(keep_and_take, true, 2, 1, 2000);
    contend_at(keep_and_take, true, 5, 5, 500);
}

/* A thief that alternately polls two busy workers gets an offer of one in the end. */
CDP_TEST(lone_offers_of_two_deques_age_too)
{
    enum { WORKERS = 3 };
    static struct cdp_worker workers[WORKERS];
    struct cdp_worker *all[WORKERS];
    struct cdp_pool pool = {
        .workers = all, .count = WORKERS, .asymmetric_fences = cdp_os_membarrier_register()};
    for (unsigned i = 0; i < WORKERS; i++) {
        all[i] = &workers[i];
        workers[i].pool = &pool;
        workers[i].random = 88172645463325252u;
        ck_assert(cdp_deque_init(&workers[i].deque, pool.asymmetric_fences));
    }
    ck_assert(cdp_deque_push(&workers[1].deque, offer(1)));
    ck_assert(cdp_deque_push(&workers[2].deque, offer(2)));
    struct cdp_offer got;
    for (int taken = 0; taken < 2; taken++) {
        int looks = 1;
        while (!cdp_worker_steal(&workers[0], &got)) {
            ck_assert_int_lt(looks++, 100);
        }
    }
    ck_assert(!cdp_worker_steal(&workers[0], &got));
    for (unsigned i = 0; i < WORKERS; i++) {
        cdp_deque_finish(&workers[i].deque);
    }
}

CDP_TEST_MAIN("deque", 20)
