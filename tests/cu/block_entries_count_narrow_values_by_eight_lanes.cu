// cdpcc: --entry=block -march=haswell -O2
// entries: it tests their code
// The same with vectors of AVX2, which move fewer lanes at once.
#include "block_entries_count_narrow_values.cu"
