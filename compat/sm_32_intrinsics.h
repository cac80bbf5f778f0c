/* sm_32_intrinsics.h is part of cuda_runtime.h here. */
#include "cuda_runtime.h"
