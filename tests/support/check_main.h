/* What every Check program here needs: cases from START_TESTs, one main. */
#ifndef CDP_TESTS_SUPPORT_CHECK_MAIN_H
#define CDP_TESTS_SUPPORT_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

/* Runs the tests, each in its own process, and prints Check's closing line. */
static int run_tests(const char *name, const TTest *const *tests)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 60);
    for (; *tests != NULL; tests++) {
        tcase_add_test(tcase, *tests);
    }
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
