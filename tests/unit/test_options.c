/* Options: the environment, and a program's own defaults. */
#include "base/options.h"

#include <stdlib.h>

#include "support/suite.h"

static void clear(void)
{
    unsetenv("CDP_TIMEOUT");
    unsetenv("CDP_CHECK_EXIT");
}

CDP_TEST(the_environment_overrides_a_programs_default)
{
    struct cdp_options options;
    clear();
    cdp_options_default("CDP_TIMEOUT", "30");
    cdp_options_default("CDP_CHECK_EXIT", "1");
    setenv("CDP_CHECK_EXIT", "7", 1);
    cdp_options_read(&options);
    ck_assert_uint_eq(options.timeout, 30);
    ck_assert_uint_eq(options.check_exit, 7);
}

CDP_TEST(an_empty_variable_is_not_set)
{
    struct cdp_options options;
    clear();
    cdp_options_default("CDP_TIMEOUT", "30");
    setenv("CDP_TIMEOUT", "", 1);
    cdp_options_read(&options);
    ck_assert_uint_eq(options.timeout, 30);
}

CDP_TEST(without_either_the_tables_default_counts)
{
    struct cdp_options options;
    clear();
    cdp_options_read(&options);
    ck_assert_uint_eq(options.timeout, 0);
}

CDP_TEST_MAIN("options", 10)
