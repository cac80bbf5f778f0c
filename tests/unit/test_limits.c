/* The limits of the system for a process: the memory limits of its control groups. */
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "os/os.h"

static char tree[] = P_tmpdir "/cdp_limits_XXXXXX";

static const char *at(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", tree, name);
    return path;
}

/* name: a path; its folders are created, too. */
static void write_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s", at(name));
    for (char *slash = strchr(path + strlen(tree) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static uint64_t limit_of(const char *groups)
{
    char file[512];
    write_file("cgroup", groups);
    snprintf(file, sizeof file, "%s", at("cgroup"));
    return cdp_os_group_memory(file, tree);
}

static void remove_tree(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", tree);
    ck_assert_int_eq(system(command), 0);
}

CDP_TEST(the_smallest_limit_of_all_ancestor_groups_counts)
{
    ck_assert(mkdtemp(tree) != NULL);
    write_file("a/b/c/memory.max", "max\n");
    write_file("a/b/memory.max", "5000\n");
    write_file("a/memory.max", "9000\n");
    write_file("memory/x/memory.limit_in_bytes", "4000\n");
    ck_assert_uint_eq(limit_of("0::/a/b/c\n"), 5000);
    ck_assert_uint_eq(limit_of("0::/a\n"), 9000);
    ck_assert(limit_of("0::/\n") == UINT64_MAX);
    ck_assert(limit_of("3:cpu,cpuacct:/x\n2:memory:/y\n") == UINT64_MAX);
    ck_assert_uint_eq(limit_of("3:cpu:/x\n2:memory:/x/y\n0::/a/b\n"), 4000);
    ck_assert(limit_of("nonsense\n::\n0\n") == UINT64_MAX);
    write_file("memory.max", "700\n");
    ck_assert_uint_eq(limit_of("0::/\n"), 700);
    ck_assert(cdp_os_group_memory(at("absent"), tree) == UINT64_MAX);
    remove_tree();
}

CDP_TEST(memory_is_limited_by_the_machine)
{
    ck_assert_uint_gt(cdp_os_memory_limit(), 0);
    ck_assert_uint_le(cdp_os_memory_limit(), cdp_os_memory());
}

CDP_TEST_MAIN("limits", 10)
