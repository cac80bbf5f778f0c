/* Findings: their text, their JSON, duplicates, the limit, and which checks are on. Each test runs
 * in a process of its own, so each begins without findings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/cdp_abi.h"
#include "exec/report/finding.h"
#include "exec/report/sites.h"
#include "support/suite.h"

/* The file that the sites are in. Line 2 has a tab and a character of two bytes. */
static const char source[] = "first line\n\tx = \"\xc3\xa4\" + y;\n";

static char folder[64], text_path[128], json_path[128];
static char text[16384];

static struct cdp_abi_site sites[] = {
    {.file = "f.cu", .folder = folder, .function = "k", .line = 2, .column = 13},
    {.file = "f.cu", .folder = folder, .function = "helper", .line = 1, .column = 1},
    {.file = "f.cu", .folder = folder, .function = "k", .line = 2, .column = 13},
    {.file = "none.cu", .function = "k", .line = 7},
};
static const struct cdp_abi_kernel kernel = {.name = "k"}, child = {.name = "child"};

static void start(uint32_t limit)
{
    strcpy(folder, "/tmp/cdp_finding.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char path[128];
    snprintf(path, sizeof path, "%s/f.cu", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(source, file);
    fclose(file);
    snprintf(text_path, sizeof text_path, "%s/%%p.text", folder);
    snprintf(json_path, sizeof json_path, "%s/json", folder);
    struct cdp_options options = {
        .check = UINT32_MAX, .check_limit = limit, .check_log = text_path, .check_json = json_path};
    cdp_finding_start(&options);
    snprintf(text_path, sizeof text_path, "%s/%u.text", folder, (unsigned)getpid());
}

/* Reads what was printed so far. */
static void read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
}

static void end(void)
{
    char command[200];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void expect_json(void)
{
    char command[300];
    snprintf(command, sizeof command, "python3 -m json.tool %s >/dev/null", json_path);
    ck_assert_int_eq(system(command), 0);
}

static bool report(enum cdp_abi_checks check, const struct cdp_abi_site *at,
                   const struct cdp_abi_site *other)
{
    struct cdp_finding finding = {
        .check = check,
        .title = "a \"title\"",
        .at = {.site = at, .kernel = &kernel, .thread = {3, 0, 1}, .has_thread = true},
        .other = {.what = other != NULL ? "the write" : NULL, .site = other, .kernel = &kernel},
    };
    return cdp_finding_report(&finding);
}

CDP_TEST(text_names_places_launches_and_lines)
{
    start(10);
    struct cdp_finding finding = {
        .check = CDP_CHECKS_RACE,
        .title = "two accesses",
        .error = "cudaErrorIllegalAddress",
        .at = {.site = &sites[0],
               .kernel = &child,
               .block = {1, 0, 0},
               .thread = {3, 0, 0},
               .has_thread = true,
               .launches = {{.kernel = &child, .by = &kernel, .block = {0, 2, 0}},
                            {.kernel = &kernel}},
               .launch_count = 2},
        .other = {.what = "the write", .site = &sites[1], .kernel = &kernel},
        .memory = "8 bytes",
        .help = "order them",
    };
    ck_assert(cdp_finding_report(&finding));
    read_file(text_path);
    char *gdb = strstr(text, "  gdb: ");
    ck_assert_ptr_nonnull(gdb);
    ck_assert_ptr_nonnull(
        strstr(gdb, "cdp-gdb -ex 'break f.cu:2 if threadIdx.x == 3 && blockIdx.x == 1' "
                    "-ex run --args "));
    *gdb = '\0';
    ck_assert_str_eq(text, "cdp: race: two accesses (cudaErrorIllegalAddress)\n"
                           "  --> f.cu:2:13, in k, kernel child, block (1,0,0), thread (3,0,0)\n"
                           "     2 | \tx = \"\xc3\xa4\" + y;\n"
                           "       | \t          ^\n"
                           "  --> f.cu:1:1, the write, in helper, kernel k, block (0,0,0)\n"
                           "     1 | first line\n"
                           "       | ^\n"
                           "  memory: 8 bytes\n"
                           "  launched: child by kernel k, block (0,2,0) at an unknown line\n"
                           "            k by the host at an unknown line\n"
                           "  help: order them\n");
    end();
}

CDP_TEST(line_without_a_file_is_omitted)
{
    start(10);
    ck_assert(report(CDP_CHECKS_MEMORY, &sites[3], NULL));
    read_file(text_path);
    ck_assert_ptr_nonnull(strstr(text, "--> none.cu:7, in kernel k"));
    ck_assert_ptr_null(strstr(text, " | "));
    end();
}

CDP_TEST(empty_file_and_folder_have_no_line)
{
    start(10);
    char path[128];
    snprintf(path, sizeof path, "%s/empty.cu", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
    struct cdp_abi_site empty = {.file = "empty.cu", .folder = folder, .line = 1, .column = 1};
    struct cdp_abi_site whole = {.file = folder, .line = 1, .column = 1};
    ck_assert(report(CDP_CHECKS_MEMORY, &empty, NULL));
    ck_assert(report(CDP_CHECKS_MEMORY, &whole, NULL));
    read_file(text_path);
    ck_assert_ptr_nonnull(strstr(text, "--> empty.cu:1:1, in kernel k"));
    ck_assert_ptr_null(strstr(text, " | "));
    end();
}

CDP_TEST(repetitions_are_counted)
{
    start(10);
    ck_assert(report(CDP_CHECKS_RACE, &sites[0], &sites[1]));
    ck_assert(!report(CDP_CHECKS_RACE, &sites[0], &sites[1]));
    ck_assert(!report(CDP_CHECKS_RACE, &sites[2], &sites[1])); /* another site of the same line */
    ck_assert(report(CDP_CHECKS_MEMORY, &sites[0], &sites[1]));
    ck_assert(report(CDP_CHECKS_MEMORY, &sites[1], &sites[0]));
    /* Which of two threads that race is the later one is chance. */
    ck_assert(!report(CDP_CHECKS_RACE, &sites[1], &sites[0]));
    ck_assert_uint_eq(cdp_finding_finish(), 3);
    read_file(text_path);
    ck_assert_ptr_nonnull(strstr(text, "cdp: 3 findings; repeated:\n"
                                       "cdp:   race at f.cu:2:13: 3 more times\n"));
    end();
}

CDP_TEST(a_process_that_dies_leaves_its_checks)
{
    start(10);
    read_file(json_path);
    ck_assert_str_eq(text, "[\n{\"check\": \"unfinished\", \"compiled\": \"\"}\n]\n");
    cdp_finding_enable(CDP_CHECKS_RACE | CDP_CHECKS_MEMORY);
    read_file(json_path);
    ck_assert_str_eq(text, "[\n{\"check\": \"unfinished\", \"compiled\": \"memory,race\"}\n]\n");
    ck_assert(report(CDP_CHECKS_RACE, &sites[0], NULL));
    expect_json();
    read_file(json_path);
    ck_assert_ptr_nonnull(
        strstr(text, "},\n{\"check\": \"unfinished\", \"compiled\": \"memory,race\"}\n]\n"));
    ck_assert_uint_eq(cdp_finding_finish(), 1);
    expect_json();
    end();
}

CDP_TEST(limit_ends_reports_but_not_counting)
{
    start(1);
    cdp_finding_enable(CDP_CHECKS_RACE | CDP_CHECKS_MEMORY);
    ck_assert(report(CDP_CHECKS_RACE, &sites[0], NULL));
    ck_assert(!report(CDP_CHECKS_RACE, &sites[1], NULL));
    ck_assert(!report(CDP_CHECKS_RACE, &sites[1], NULL));
    ck_assert_uint_eq(cdp_finding_finish(), 2);
    read_file(text_path);
    ck_assert_ptr_nonnull(strstr(text, "2 findings, 1 of them not shown"));
    read_file(json_path);
    ck_assert_ptr_null(strstr(text, "unfinished"));
    ck_assert_ptr_nonnull(strstr(text, "{\"check\": \"summary\", \"findings\": 2, \"left_out\": 1, "
                                       "\"repeated\": 1, \"compiled\": \"memory,race\"}"));
    end();
}

CDP_TEST(repetitions_of_a_file_with_a_long_name_have_their_whole_position)
{
    start(10);
    struct cdp_abi_site site = {.file =
                                    "a_file_whose_name_is_a_whole_sentence_about_what_it_shows.cu",
                                .folder = folder,
                                .line = 1234,
                                .column = 56};
    ck_assert(report(CDP_CHECKS_RACE, &site, NULL));
    ck_assert(!report(CDP_CHECKS_RACE, &site, NULL));
    ck_assert_uint_eq(cdp_finding_finish(), 1);
    read_file(text_path);
    ck_assert_ptr_nonnull(strstr(text, "cdp:   race at a_file_whose_name_is_a_whole_sentence_about_"
                                       "what_it_shows.cu:1234:56: 1 more times\n"));
    end();
}

/* Two sites of one line, which are known to be alike only when their files are looked up. */
static void report_twice(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/f.cu", folder);
    struct cdp_abi_site whole = {.file = path, .function = "k", .line = 2, .column = 13};
    report(CDP_CHECKS_RACE, &whole, NULL);
    ck_assert(!report(CDP_CHECKS_RACE, &sites[0], NULL));
}

CDP_TEST(repetition_by_another_site_is_listed)
{
    start(10);
    report_twice();
    ck_assert_uint_eq(cdp_finding_finish(), 1);
    read_file(text_path);
    ck_assert_ptr_nonnull(strstr(text, "cdp:   race at f.cu:2:13: 1 more times\n"));
    end();
}

CDP_TEST(limit_does_not_change_the_number)
{
    start(1);
    ck_assert(report(CDP_CHECKS_RACE, &sites[1], NULL));
    report_twice();
    ck_assert_uint_eq(cdp_finding_finish(), 2);
    end();
}

CDP_TEST(many_findings_are_told_apart)
{
    start(0);
    for (int round = 0; round < 2; round++) {
        for (uintptr_t i = 1; i <= 300; i++) {
            struct cdp_finding finding = {.check = CDP_CHECKS_LEAK, .title = "t"};
            finding.at.pc = (const void *)i; /* no code of any module */
            ck_assert(cdp_finding_report(&finding) == (round == 0));
        }
    }
    ck_assert_uint_eq(cdp_finding_finish(), 300);
    end();
}

CDP_TEST(json_is_complete_at_any_time)
{
    start(10);
    expect_json();
    ck_assert(report(CDP_CHECKS_RACE, &sites[0], &sites[1]));
    expect_json();
    ck_assert(report(CDP_CHECKS_SYNC, &sites[1], NULL));
    cdp_finding_remark("a \\ and a \t");
    expect_json();
    cdp_finding_finish();
    expect_json();
    read_file(json_path);
    ck_assert_ptr_nonnull(strstr(text, "\"title\": \"a \\\"title\\\"\""));
    ck_assert_ptr_nonnull(strstr(text, "\"line\": 2, \"column\": 13, \"function\": \"k\", "
                                       "\"kernel\": \"k\", \"block\": [0, 0, 0], "
                                       "\"thread\": [3, 0, 1]"));
    ck_assert_ptr_nonnull(strstr(text, "{\"check\": \"remark\", \"title\": "
                                       "\"a \\\\ and a \\u0009\"}"));
    end();
}

CDP_TEST(checks_are_those_compiled_in_that_the_user_wants)
{
    setenv("CDP_CHECK", "race,memory,sync", 1);
    struct cdp_options options;
    cdp_options_read(&options);
    cdp_finding_enable(CDP_CHECKS_RACE | CDP_CHECKS_INIT);
    ck_assert(!cdp_finding_is_on(CDP_CHECKS_RACE));
    cdp_finding_start(&options);
    ck_assert(cdp_finding_is_on(CDP_CHECKS_RACE));
    ck_assert(!cdp_finding_is_on(CDP_CHECKS_INIT));
    ck_assert(!cdp_finding_is_on(CDP_CHECKS_MEMORY));
    cdp_finding_enable(CDP_CHECKS_MEMORY);
    ck_assert(cdp_finding_is_on(CDP_CHECKS_MEMORY));
}

static uint32_t list_of(const char *words)
{
    setenv("CDP_CHECK", words, 1);
    struct cdp_options options;
    cdp_options_read(&options);
    return options.check;
}

CDP_TEST(list_of_checks)
{
    ck_assert_uint_eq(list_of(""), UINT32_MAX);
    ck_assert_uint_eq(list_of("all"), UINT32_MAX);
    ck_assert_uint_eq(list_of("none"), 0);
    ck_assert_uint_eq(list_of("leak"), CDP_CHECKS_LEAK);
    ck_assert_uint_eq(list_of("space,memory"), CDP_CHECKS_SPACE | CDP_CHECKS_MEMORY);
    ck_assert_uint_eq(list_of("init,sync,api"), CDP_CHECKS_INIT | CDP_CHECKS_SYNC | CDP_CHECKS_API);
    ck_assert_uint_eq(list_of("mem"), UINT32_MAX); /* with a message */
#define CDP_CHECK(name, word, text) ck_assert_uint_eq(list_of(word), CDP_CHECKS_##name);
#include "abi/cdp_check.def"
#undef CDP_CHECK
}

CDP_TEST(sites_have_numbers)
{
    static struct cdp_abi_site more[2];
    ck_assert_int_eq(cdp_sites_add(sites, sites + 4), CDP_OK);
    ck_assert_int_eq(cdp_sites_add(more, more + 2), CDP_OK);
    ck_assert_int_eq(cdp_sites_add(sites, sites + 4), CDP_OK);
    ck_assert_uint_eq(sites[0].number, 1);
    ck_assert_uint_eq(more[1].number, 6);
    for (uint32_t number = 1; number <= 4; number++) {
        ck_assert_ptr_eq(cdp_sites_find(number), &sites[number - 1]);
    }
    ck_assert_ptr_eq(cdp_sites_find(5), &more[0]);
    ck_assert_ptr_null(cdp_sites_find(0));
    ck_assert_ptr_null(cdp_sites_find(7));
}

CDP_TEST_MAIN("finding", 30)
