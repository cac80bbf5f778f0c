/* Ranked locks: builds with CDP_DEBUG abort where two threads might hang, others just lock. */
#include "base/lock.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exec/launch/spin.h"
#include "support/engine.h"
#include "support/suite.h"

static struct cdp_lock low = CDP_LOCK_INITIAL(CDP_RANK_STREAMS); /* below the engine's */
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
    cdp_lock_acquire(&low);
    cdp_lock_acquire(&heap);
    cdp_lock_release(&low); /* in any order */
    cdp_lock_release(&heap);
    cdp_lock_expect_none();
}

static void take_against_order(void)
{
    cdp_lock_acquire(&heap);
    cdp_lock_acquire(&low);
}

static void take_twice(void)
{
    static struct cdp_lock other = CDP_LOCK_INITIAL(CDP_RANK_HEAP);
    cdp_lock_acquire(&heap);
    cdp_lock_acquire(&other);
}

static _Atomic uint8_t spin;

static void take_below_a_spin_lock(void)
{
    cdp_spin_lock(&spin);
    cdp_lock_acquire(&heap);
}

static void take_a_spin_lock_last(void)
{
    cdp_lock_acquire(&heap);
    cdp_spin_lock(&spin);
    cdp_spin_unlock(&spin);
    cdp_lock_release(&heap);
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

CDP_TEST(nothing_is_locked_below_a_spin_lock)
{
    ck_assert(!aborts(take_a_spin_lock_last));
    ck_assert_int_eq(aborts(take_below_a_spin_lock), is_checked);
}

/* ---- No lock is held where another fiber goes on ---- */

static void hold_at_a_barrier(const void *params)
{
    (void)params;
    if (this_thread() == 0) {
        cdp_lock_acquire(&heap);
        cdp_abi_syncthreads();
        cdp_lock_release(&heap);
    } else {
        cdp_abi_syncthreads();
    }
}

static void hold_at_an_exit(const void *params)
{
    (void)params;
    if (this_thread() == 0) {
        cdp_lock_acquire(&heap);
        cdp_abi_exit();
    }
}

static void hold_at_the_end(const void *params)
{
    (void)params;
    if (this_thread() == 0) {
        cdp_spin_lock(&spin);
    }
}

static void nothing(const void *params)
{
    (void)params;
}

static void run_on_a_worker(void (*entry)(const void *params))
{
    struct cdp_abi_kernel kernel = KERNEL(nothing);
    kernel.thread_entry = entry;
    engine_start(1, 0);
    run(&kernel, 1, 2, 0);
}

static void switch_with_a_lock(void)
{
    run_on_a_worker(hold_at_a_barrier);
}

static void abandon_with_a_lock(void)
{
    run_on_a_worker(hold_at_an_exit);
}

static void go_on_with_a_lock(void)
{
    run_on_a_worker(hold_at_the_end);
}

/* With two workers the host thread that waits runs blocks. */
static void help_with_a_lock(void)
{
    engine_start(2, 0);
    cdp_lock_acquire(&low);
    struct cdp_abi_kernel kernel = KERNEL(nothing);
    run(&kernel, 1, 1, 0);
}

CDP_TEST(no_lock_is_held_where_fibers_are_switched)
{
    ck_assert_int_eq(aborts(switch_with_a_lock), is_checked);
    ck_assert_int_eq(aborts(abandon_with_a_lock), is_checked);
}

CDP_TEST(no_lock_is_held_where_device_code_begins)
{
    ck_assert_int_eq(aborts(go_on_with_a_lock), is_checked);
}

CDP_TEST(no_lock_is_held_where_a_host_thread_enters_the_loop)
{
    ck_assert_int_eq(aborts(help_with_a_lock), is_checked);
}

CDP_TEST_MAIN("locks", 20)
