/* Ranked locks: builds with CDP_DEBUG abort where two threads might hang, others just lock. */
#include "base/lock.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/suite.h"

static struct cdp_lock grid = CDP_LOCK_INITIAL(CDP_RANK_ENGINE);
static struct cdp_lock heap = CDP_LOCK_INITIAL(CDP_RANK_HEAP);

/* Whether a process that does this aborts. */
static bool aborts(void (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        act();
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#ifdef CDP_DEBUG
static const bool is_checked = true;
#else
static const bool is_checked = false;
#endif

static void take_in_order(void)
{
    cdp_lock_acquire(&grid);
    cdp_lock_acquire(&heap);
    cdp_lock_release(&grid); /* in any order */
    cdp_lock_release(&heap);
    cdp_lock_expect_none();
}

static void take_against_order(void)
{
    cdp_lock_acquire(&heap);
    cdp_lock_acquire(&grid);
}

static void take_twice(void)
{
    static struct cdp_lock other = CDP_LOCK_INITIAL(CDP_RANK_HEAP);
    cdp_lock_acquire(&heap);
    cdp_lock_acquire(&other);
}

static void hold_across_a_switch(void)
{
    cdp_lock_acquire(&heap);
    cdp_lock_expect_none();
}

CDP_TEST(locks_are_taken_by_rising_rank)
{
    ck_assert(!aborts(take_in_order));
    ck_assert_int_eq(aborts(take_against_order), is_checked);
}

CDP_TEST(two_of_one_rank_are_not_held_at_once)
{
    ck_assert_int_eq(aborts(take_twice), is_checked);
}

CDP_TEST(none_is_held_where_fibers_are_switched)
{
    ck_assert_int_eq(aborts(hold_across_a_switch), is_checked);
}

CDP_TEST_MAIN("locks", 10)
