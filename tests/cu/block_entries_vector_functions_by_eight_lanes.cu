// cdpcc: --entry=block -march=haswell -O2
// The same functions in vectors of eight lanes.
#include "block_entries_vector_functions.cu"
