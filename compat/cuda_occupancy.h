/* The occupancy calculator: how many blocks of a kernel one multiprocessor of a GPU holds, by
 * numbers alone. It asks no device and calls no function of the runtime, so programs can calculate
 * for GPUs that they do not have. The rules are those of the CUDA C++ Programming Guide: its table
 * of technical specifications per compute capability, and its chapter on multiprocessors. */
#ifndef __CDP_CUDA_OCCUPANCY_H
#define __CDP_CUDA_OCCUPANCY_H

#include "cdp/occupancy_types.h"

#include "cdp/occupancy_specification.h"

#include "cdp/occupancy_limits.h"

#include "cdp/occupancy_search.h"

#endif
