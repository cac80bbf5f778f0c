/* The deque: one owner, many thieves, nothing lost and nothing twice. */
#include <pthread.h>
#include <stdatomic.h>

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
    ck_assert(cdp_deque_init(&deque));
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

CDP_TEST(thief_takes_oldest_first)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque));
    ck_assert(cdp_deque_push(&deque, offer(0)) && cdp_deque_push(&deque, offer(1)));
    ck_assert(cdp_deque_steal(&deque, &look, &got));
    ck_assert_uint_eq(got.first, 0);
    cdp_deque_finish(&deque);
}

CDP_TEST(lone_offer_is_stolen_only_after_several_looks)
{
    struct cdp_deque deque;
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque));
    ck_assert(cdp_deque_push(&deque, offer(7)));
    ck_assert(!cdp_deque_steal(&deque, &look, &got));
    int looks = 1;
    while (!cdp_deque_steal(&deque, &look, &got)) {
        ck_assert_int_lt(looks++, 10);
    }
    ck_assert_uint_eq(got.first, 7);
    cdp_deque_finish(&deque);
}

CDP_TEST(deque_grows_past_its_first_ring)
{
    struct cdp_deque deque;
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&deque));
    for (uint32_t i = 0; i < 10000; i++) {
        ck_assert(cdp_deque_push(&deque, offer(i)));
    }
    for (uint32_t i = 10000; i-- > 0;) {
        ck_assert(cdp_deque_pop(&deque, true, &got));
        ck_assert_uint_eq(got.first, i);
    }
    cdp_deque_finish(&deque);
}

enum { ROUNDS = 20000, THIEVES = 3 };
static struct cdp_deque contended;
static _Atomic uint32_t seen[ROUNDS];
static atomic_bool over;

static void *thief(void *arg)
{
    struct cdp_deque_look look = {0};
    struct cdp_offer got;
    (void)arg;
    while (!atomic_load(&over)) {
        if (cdp_deque_steal(&contended, &look, &got)) {
            atomic_fetch_add(&seen[got.first], 1);
        }
    }
    return NULL;
}

CDP_TEST(every_offer_has_exactly_one_taker)
{
    pthread_t thieves[THIEVES];
    struct cdp_offer got;
    ck_assert(cdp_deque_init(&contended));
    for (int i = 0; i < THIEVES; i++) {
        ck_assert_int_eq(pthread_create(&thieves[i], NULL, thief, NULL), 0);
    }
    for (uint32_t i = 0; i < ROUNDS; i++) {
        ck_assert(cdp_deque_push(&contended, offer(i)));
        if (i % 3 == 0 && cdp_deque_pop(&contended, false, &got)) {
            atomic_fetch_add(&seen[got.first], 1);
        }
    }
    while (!cdp_deque_seems_empty(&contended)) {
        if (cdp_deque_pop(&contended, false, &got)) {
            atomic_fetch_add(&seen[got.first], 1);
        }
    }
    atomic_store(&over, true);
    for (int i = 0; i < THIEVES; i++) {
        pthread_join(thieves[i], NULL);
    }
    for (uint32_t i = 0; i < ROUNDS; i++) {
        ck_assert_uint_eq(atomic_load(&seen[i]), 1);
    }
    cdp_deque_finish(&contended);
}

/* A thief that looks at two busy workers in turn gets one's offer in the end. */
CDP_TEST(lone_offers_of_two_deques_age_too)
{
    enum { WORKERS = 3 };
    static struct cdp_worker workers[WORKERS];
    struct cdp_worker *all[WORKERS];
    struct cdp_pool pool = {.workers = all, .count = WORKERS};
    for (unsigned i = 0; i < WORKERS; i++) {
        all[i] = &workers[i];
        workers[i].pool = &pool;
        workers[i].random = 88172645463325252u;
        ck_assert(cdp_deque_init(&workers[i].deque));
    }
    ck_assert(cdp_deque_push(&workers[1].deque, offer(1)));
    ck_assert(cdp_deque_push(&workers[2].deque, offer(2)));
    struct cdp_offer got;
    for (int taken = 0; taken < 2; taken++) {
        int looks = 1;
        while (!cdp_worker_steal(&workers[0], &got)) {
            ck_assert_int_lt(looks++, 10);
        }
    }
    ck_assert(!cdp_worker_steal(&workers[0], &got));
    for (unsigned i = 0; i < WORKERS; i++) {
        cdp_deque_finish(&workers[i].deque);
    }
}

CDP_TEST_MAIN("deque", 20)
