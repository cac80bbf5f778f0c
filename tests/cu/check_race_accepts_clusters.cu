// cdpcc: --check=memory,init,race,sync,space
// workers: 1 2 8
// Accesses of other blocks' shared memory that the cluster's barrier orders: no finding.
#include "cluster_shared_memory.cu"
