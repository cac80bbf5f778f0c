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

/* strtoull also takes blanks and a sign, and this value as 1. */
CDP_TEST(a_number_has_only_digits)
{
    static const char *const values[] = {"-1",
                                         " 1",
                                         "+1",
                                         "1 ",
                                         "1s",
                                         "0x1",
                                         "s",
                                         ",",
                                         " -18446744073709551615",
                                         "18446744073709551617",
                                         "1000001"};
    struct cdp_options options;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        clear();
        setenv("CDP_TIMEOUT", values[i], 1);
        cdp_options_read(&options);
        ck_assert_msg(options.timeout == 0, "takes '%s'", values[i]);
    }
    setenv("CDP_TIMEOUT", "1000000", 1);
    cdp_options_read(&options);
    ck_assert_uint_eq(options.timeout, 1000000);
}

CDP_TEST_MAIN("options", 10)
