/* Workers' CPUs by NUMA node, and the order of stealing. */
#include "support/suite.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/cpu.h"
#include "os/os.h"
#include "sched/worker.h"

static char tree[] = P_tmpdir "/cdp_cpus_XXXXXX";

static void write_file(const char *name, const char *line)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", tree, name);
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(line, file) >= 0 && fclose(file) == 0);
}

/* Three nodes: 0 and 2, which are near each other, and 5. */
static void make_tree(void)
{
    static const char *const names[] = {"node0/cpulist",  "node2/cpulist",  "node5/cpulist",
                                        "node0/distance", "node2/distance", "node5/distance"};
    static const char *const lines[] = {"0-1,12\n",   "2,4-5\n",    "3,8-11\n",
                                        "10 12 40\n", "12 10 30\n", "40 30 10\n"};
    char path[256];
    ck_assert(mkdtemp(tree) != NULL);
    write_file("online", "0,2,5\n");
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%.5s", tree, names[i]);
        mkdir(path, 0700);
        write_file(names[i], lines[i]);
    }
}

static void remove_tree(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", tree);
    ck_assert_int_eq(system(command), 0);
}

/* "CPU/node" of all, in order. */
static const char *ordered(const char *directory, const int *cpus, unsigned count,
                           struct cdp_os_order order)
{
    static char text[256];
    struct cdp_os_cpu_info sorted[16] = {{0}};
    for (unsigned i = 0; i < count; i++) {
        sorted[i].cpu = cpus[i];
    }
    cdp_os_sort_cpus(sorted, count, directory, &order);
    text[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, " %d/%d", sorted[i].cpu, sorted[i].node);
    }
    return text;
}

static const int allowed[] = {0, 1, 2, 4, 5, 9, 10, 12};

CDP_TEST(compact_fills_node_by_node_from_the_hosts_node)
{
    struct cdp_os_order order = {.host_cpu = 4};
    make_tree();
    ck_assert_str_eq(ordered(tree, allowed, 8, order), " 2/2 5/2 0/0 1/0 12/0 9/5 10/5 4/2");
    order.host_cpu = 9;
    ck_assert_str_eq(ordered(tree, allowed, 8, order), " 10/5 2/2 4/2 5/2 0/0 1/0 12/0 9/5");
    remove_tree();
}

CDP_TEST(spread_alternates_between_nodes)
{
    struct cdp_os_order order = {.is_spread = true, .host_cpu = 4};
    make_tree();
    ck_assert_str_eq(ordered(tree, allowed, 8, order), " 0/0 9/5 2/2 1/0 10/5 5/2 12/0 4/2");
    remove_tree();
}

CDP_TEST(a_host_outside_the_mask_takes_no_cpu)
{
    struct cdp_os_order order = {.host_cpu = 3};
    make_tree();
    ck_assert_str_eq(ordered(tree, allowed, 3, order), " 0/0 1/0 2/2");
    remove_tree();
}

CDP_TEST(without_nodes_all_are_one)
{
    struct cdp_os_order order = {.is_spread = true, .host_cpu = 1};
    ck_assert_str_eq(ordered("/nonexistent", allowed, 4, order), " 0/0 2/0 4/0 1/0");
}

CDP_TEST(an_invalid_node_list_is_ignored)
{
    struct cdp_os_order order = {.host_cpu = 0};
    ck_assert(mkdtemp(tree) != NULL);
    write_file("online", "zero-\n");
    ck_assert_str_eq(ordered(tree, allowed, 3, order), " 1/0 2/0 0/0");
    write_file("online", "0-9,99999999999999999999,-7,4-\n");
    ck_assert_str_eq(ordered(tree, allowed, 3, order), " 1/0 2/0 0/0");
    remove_tree();
}

/* A directory of its own for each CPU's cache of that level. */
static void write_cache(int cpu, int level, const char *size, const char *sharers)
{
    char path[320];
    snprintf(path, sizeof path, "mkdir -p %s/cpu%d/cache/index%d", tree, cpu, level);
    ck_assert_int_eq(system(path), 0);
    snprintf(path, sizeof path, "cpu%d/cache/index%d/size", cpu, level);
    write_file(path, size);
    snprintf(path, sizeof path, "cpu%d/cache/index%d/shared_cpu_list", cpu, level);
    write_file(path, sharers);
}

static uint64_t sum_of(const int *cpus, unsigned count)
{
    struct cdp_os_cpu_info infos[16] = {{0}};
    for (unsigned i = 0; i < count; i++) {
        infos[i].cpu = cpus[i];
    }
    return cdp_os_sum_caches(tree, infos, count);
}

CDP_TEST(a_cache_that_several_share_counts_once)
{
    ck_assert(mkdtemp(tree) != NULL);
    for (int cpu = 0; cpu < 4; cpu++) {
        write_cache(cpu, 2, "1024K\n", "0\n");
        write_cache(cpu, 3, "32768K\n", cpu < 2 ? "0-1\n" : "2-3\n");
    }
    write_cache(9, 2, "2M\n", "9,10\n");
    write_cache(10, 2, "2M\n", "9,10\n");
    ck_assert_uint_eq(sum_of((const int[]){0}, 1), 32 << 20);
    ck_assert_uint_eq(sum_of((const int[]){0, 1}, 2), 32 << 20);
    ck_assert_uint_eq(sum_of((const int[]){1, 2, 3}, 3), 64 << 20);
    ck_assert_uint_eq(sum_of((const int[]){0, 9, 10}, 3), 34 << 20);
    ck_assert_uint_eq(sum_of((const int[]){7}, 1), 0);
    write_cache(7, 3, "much\n", "-\n");
    ck_assert_uint_eq(sum_of((const int[]){7}, 1), 0);
    remove_tree();
}

CDP_TEST(every_cpu_of_the_process_is_in_the_order)
{
    static struct cdp_os_cpu_info cpus[CDP_OS_MOST_CPUS];
    unsigned seen[CDP_OS_MOST_CPUS] = {0};
    for (int spread = 0; spread < 2; spread++) {
        struct cdp_os_order order = {.is_spread = spread != 0, .host_cpu = cdp_os_current_cpu()};
        unsigned count = cdp_os_ordered_cpus(&order, cpus);
        ck_assert_uint_eq(count, cdp_os_cpu_count());
        ck_assert_int_eq(cpus[count - 1].cpu, order.host_cpu);
        for (unsigned i = 0; i < count; i++) {
            ck_assert(cdp_os_move(cdp_os_thread_number(), cpus[i].cpu));
            ck_assert_int_eq(cdp_os_current_cpu(), cpus[i].cpu);
            ck_assert_uint_eq(seen[cpus[i].cpu]++, (unsigned)spread);
        }
    }
}

static _Atomic int runs_on[CDP_OS_MOST_CPUS];

static void note_cpu(struct cdp_worker *worker)
{
    atomic_store(&runs_on[worker->index], cdp_os_current_cpu());
}

/* The first worker is the host's, on the CPU that comes last. */
CDP_TEST(workers_run_where_they_are_placed)
{
    static struct cdp_worker workers[CDP_OS_MOST_CPUS];
    static struct cdp_worker *all[CDP_OS_MOST_CPUS];
    bool taken[CDP_OS_MOST_CPUS] = {false};
    struct cdp_pool pool = {.workers = all, .count = cdp_os_cpu_count(), .main = note_cpu};
    for (pool.pin = CDP_PIN_COMPACT; pool.pin <= CDP_PIN_SPREAD; pool.pin++) {
        memset(workers, 0, sizeof workers);
        memset(taken, 0, sizeof taken);
        for (unsigned i = 0; i < pool.count; i++) {
            all[i] = &workers[i];
            workers[i].has_thread = i > 0 || pool.count == 1;
        }
        ck_assert(cdp_pool_start(&pool));
        cdp_pool_stop(&pool);
        for (unsigned i = 0; i < pool.count; i++) {
            ck_assert(!taken[workers[i].cpu]);
            taken[workers[i].cpu] = true;
            ck_assert(!workers[i].has_thread || atomic_load(&runs_on[i]) == workers[i].cpu);
        }
    }
}

CDP_TEST(thieves_prefer_their_node)
{
    enum { WORKERS = 4, OFFERS = 8, NEIGHBOUR = 2 };
    static struct cdp_worker workers[WORKERS];
    struct cdp_worker *all[WORKERS];
    struct cdp_pool pool = {.workers = all, .count = WORKERS, .has_nodes = true};
    struct cdp_offer got;
    for (unsigned i = 0; i < WORKERS; i++) {
        all[i] = &workers[i];
        workers[i].pool = &pool;
        workers[i].random = 88172645463325252u;
        workers[i].node = (int)i % 2;
        ck_assert(cdp_deque_init(&workers[i].deque, false)); /* all is open */
        for (uint32_t n = 0; n < OFFERS && i != 0; n++) {
            struct cdp_offer offer = {.first = i, .last = i + 1};
            ck_assert(cdp_deque_push(&workers[i].deque, offer));
        }
    }
    for (int i = 1; i < OFFERS; i++) { /* the last one is left to its owner for a while */
        ck_assert(cdp_worker_steal(&workers[0], &got));
        ck_assert_uint_eq(got.first, NEIGHBOUR);
    }
    ck_assert(cdp_worker_steal(&workers[0], &got));
    ck_assert_uint_ne(got.first, NEIGHBOUR);
    for (unsigned i = 0; i < WORKERS; i++) {
        cdp_deque_finish(&workers[i].deque);
    }
}

CDP_TEST_MAIN("cpu_order", 20)
