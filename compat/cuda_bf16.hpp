/* cuda_bf16.hpp is cuda_bf16.h here. */
#include "cuda_bf16.h"
