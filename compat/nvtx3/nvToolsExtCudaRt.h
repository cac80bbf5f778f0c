/* nvtx3/nvToolsExtCudaRt.h is nvToolsExtCudaRt.h here. */
#include "../nvToolsExtCudaRt.h"
