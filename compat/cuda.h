/* The driver API. docs/driver.md says what is supported and how modules are made. A call that is
 * not supported gives an undefined symbol with the function's name. */
#ifndef __CDP_CUDA_H
#define __CDP_CUDA_H

#include "cdp/hide.h"

/* The helper headers of NVIDIA's samples test NVIDIA's own guard. */
#define __cuda_cuda_h__

#include "cdp/stddef.h"

#include "driver_types.h"

#define CUDA_VERSION 12090
#define CUDAAPI
#define CUDA_CB

#include "cdp/cu_attributes.h"
#include "cdp/cu_types.h"

/* A library built with hidden visibility still exports and finds these. */
#pragma GCC visibility push(default)
#include "cdp/cu_api.h"
#include "cdp/cu_context.h"
#include "cdp/cu_array.h"
#include "cdp/cu_array_parts.h"
#include "cdp/cu_launch.h"
#include "cdp/cu_batch.h"
#include "cdp/cu_external.h"
#include "cdp/cu_graph.h"
#include "cdp/cu_ipc.h"
#include "cdp/cu_library.h"
#include "cdp/cu_mapping.h"
#include "cdp/cu_mem_op.h"
#include "cdp/cu_multicast.h"
#include "cdp/cu_pool.h"
#include "cdp/cu_reference.h"
#include "cdp/cu_tensor.h"
#pragma GCC visibility pop

#include "cdp/show.h"

#endif
