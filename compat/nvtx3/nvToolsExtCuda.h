/* nvtx3/nvToolsExtCuda.h is nvToolsExtCuda.h here. */
#include "../nvToolsExtCuda.h"
