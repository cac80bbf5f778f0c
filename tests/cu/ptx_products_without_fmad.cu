// With -fmad=false no product of inline PTX is joined with a sum.
// cdpcc: -fmad=false
#include "ptx_products_and_sums.cu"
