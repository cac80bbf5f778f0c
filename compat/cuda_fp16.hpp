/* cuda_fp16.hpp is cuda_fp16.h here. */
#include "cuda_fp16.h"
