// stderr: s42_assert\.cu:[0-9]+: .*check.*: block: \[2,0,0\], thread: \[3,0,0\] Assertion `blockIdx\.x < 2 \|\| threadIdx\.x != 3` failed\.
#include "show.h"
#include <cassert>
__global__ void check() { assert(blockIdx.x < 2 || threadIdx.x != 3); }
int main() {
    check<<<3, 4>>>();
    SHOW(cudaDeviceSynchronize());
}
