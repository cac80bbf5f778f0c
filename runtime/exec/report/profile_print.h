/* The profile as text. */
#ifndef CDP_EXEC_REPORT_PROFILE_PRINT_H
#define CDP_EXEC_REPORT_PROFILE_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "exec/report/profile.h"

struct cdp_profile_table;

struct cdp_profile_order {
    FILE *file;
    const struct cdp_profile_table *sum;
    bool by_thread; /* kernels ran by thread entries, though they may have block entries */
    enum cdp_profile_form form;
};
void cdp_profile_print_table(const struct cdp_profile_order *order);

#endif
