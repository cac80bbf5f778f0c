/* The launch tree: which path a grid has, and the sums of each path. */
#ifndef CDP_REPORT_TREE_H
#define CDP_REPORT_TREE_H
#include "report/trace.h"

/* Adds the two first paths. */
void tree_begin(struct trace *trace);
/* Sets the grid's path and counts it there. The grid that launched it was counted before.
 * is_lost: it was launched by a grid that is not in the file. paths has the path of a kernel below
 * another path. */
void tree_add(struct trace *trace, struct index *paths, struct trace_grid *grid, bool is_lost);

#endif
