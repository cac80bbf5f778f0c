/* sm_20_intrinsics.h is part of cuda_runtime.h here. */
#include "cuda_runtime.h"
