/* nvtx3/nvToolsExt.h is nvToolsExt.h here. */
#include "../nvToolsExt.h"
