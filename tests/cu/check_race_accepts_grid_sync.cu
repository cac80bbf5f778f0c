// cdpcc: --check=memory,init,race,sync,space
// workers: 1 2 8
// grid.sync() orders what the blocks do, also what their children did before it: no finding.
#include "cooperative_grid_sync.cu"
