/* The types of batches of copies. */
#ifndef __CDP_BATCH_TYPES_H
#define __CDP_BATCH_TYPES_H

#include "stddef.h"

#include "../driver_types.h"
#include "hide.h"

enum cudaMemcpyFlags {
    cudaMemcpyFlagDefault = 0,
    cudaMemcpyFlagPreferOverlapWithCompute = 1
};
/* When the sources may be read: in the order of the stream, within the call, or at any time. */
enum cudaMemcpySrcAccessOrder {
    cudaMemcpySrcAccessOrderInvalid = 0,
    cudaMemcpySrcAccessOrderStream = 1,
    cudaMemcpySrcAccessOrderDuringApiCall = 2,
    cudaMemcpySrcAccessOrderAny = 3,
    cudaMemcpySrcAccessOrderMax = 0x7fffffff
};
struct cudaMemcpyAttributes {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    struct cudaMemLocation srcLocHint, dstLocHint;
    unsigned int flags;
};
enum cudaMemcpy3DOperandType {
    cudaMemcpyOperandTypePointer = 1,
    cudaMemcpyOperandTypeArray = 2,
    cudaMemcpyOperandTypeMax = 0x7fffffff
};
struct cudaOffset3D {
    size_t x, y, z;
};
struct cudaMemcpy3DOperand {
    enum cudaMemcpy3DOperandType type;
    union {
        struct {
            void *ptr;
            size_t rowLength, layerHeight; /* in elements; 0: those of the extent */
            struct cudaMemLocation locHint;
        } ptr;
        struct {
            cudaArray_t array;
            struct cudaOffset3D offset;
        } array;
    } op;
};
struct cudaMemcpy3DBatchOp {
    struct cudaMemcpy3DOperand src, dst;
    struct cudaExtent extent;
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    unsigned int flags;
};
#ifndef __cplusplus
typedef struct cudaMemcpyAttributes cudaMemcpyAttributes;
typedef struct cudaMemcpy3DOperand cudaMemcpy3DOperand;
typedef struct cudaMemcpy3DBatchOp cudaMemcpy3DBatchOp;
#endif

#include "show.h"

#endif
