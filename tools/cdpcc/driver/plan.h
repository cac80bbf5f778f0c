/* Plans the jobs that produce what the user requests. Pure: it uses only its arguments, so that
 * -### can show a plan and tests can compare it. */
#ifndef CDPCC_PLAN_H
#define CDPCC_PLAN_H
#include "driver/args.h"
#include "driver/job.h"
#include "driver/tools.h"

struct plan plan_make(const struct args *args, const struct tools *tools);

/* The file that the plan's last or only job writes; NULL = several files or standard output. */
const char *plan_output(const struct args *args, const struct tools *tools);

#endif
