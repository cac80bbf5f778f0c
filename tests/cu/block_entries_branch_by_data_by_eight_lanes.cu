// cdpcc: --entry=block -march=haswell -O2
// The same test, compiled for vectors of eight lanes, whose stores of short elements have no masks.
#include "block_entries_branch_by_data.cu"
