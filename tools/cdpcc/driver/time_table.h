/* The table of --time. */
#ifndef CDPCC_TIME_TABLE_H
#define CDPCC_TIME_TABLE_H
#include <stdio.h>

/* Prints what support/timing.h wrote to the file. */
void time_table_print(FILE *out, const char *path);

#endif
