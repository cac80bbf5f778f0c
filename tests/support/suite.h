/* A Check program from one file. Each CDP_TEST registers itself, so there is no list of tests to
 * maintain. Put CDP_TEST_MAIN at the end. */
#ifndef CDP_TESTS_SUITE_H
#define CDP_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

enum { CDP_SUITE_MOST = 256 };
static const TTest *cdp_suite_tests[CDP_SUITE_MOST];
static int cdp_suite_count;

#define CDP_TEST(name)                                                                             \
    static void name##_body(int _i);                                                               \
    static const TTest name##_test = {#name, name##_body, __FILE__, __LINE__};                     \
    __attribute__((constructor)) static void name##_register(void)                                 \
    {                                                                                              \
        cdp_suite_tests[cdp_suite_count++] = &name##_test;                                         \
    }                                                                                              \
    static void name##_body(int _i __attribute__((unused)))

/* seconds: the time limit of one test, before CK_TIMEOUT_MULTIPLIER. */
#define CDP_TEST_MAIN(suite_name, seconds)                                                         \
    int main(void)                                                                                 \
    {                                                                                              \
        Suite *suite = suite_create(suite_name);                                                   \
        TCase *tests = tcase_create(suite_name);                                                   \
        tcase_set_timeout(tests, seconds);                                                         \
        for (int i = 0; i < cdp_suite_count; i++) {                                                \
            tcase_add_test(tests, cdp_suite_tests[i]);                                             \
        }                                                                                          \
        suite_add_tcase(suite, tests);                                                             \
        SRunner *runner = srunner_create(suite);                                                   \
        srunner_run_all(runner, CK_NORMAL);                                                        \
        int failed = srunner_ntests_failed(runner);                                                \
        srunner_free(runner);                                                                      \
        return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;                                          \
    }

#endif
