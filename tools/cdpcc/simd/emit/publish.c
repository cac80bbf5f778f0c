/* Publishes the fault context: the active threads are written to the context
 * (cdp_abi_thread.active_threads) where the plan requires it (plan/fault_context.c).
 *
 * One word holds the first thread's number and the number of threads, so that a signal handler
 * reads both at once. A fault in a chunk is then reported as "one of threads 64 to 127"; a call of
 * one lane names its own thread; after the chunks no thread is named. */
#include "simd/emit/publish.h"

#include "abi/cdp_abi.h"
#include "ir/value.h"
#include "simd/emit/builder.h"
#include "simd/emit/emit.h"
#include "simd/emit/metadata.h"
#include "simd/emit/thread_context.h"
#include "simd/ir/variant.h"

/* The store is volatile, so it is not removed, and code generation moves no access across it.  It
 * thus stays before the accesses that it describes.  Its alias scope still lets the rest of the
 * optimizer move accesses. */
static void publish(struct simd_emit *emit, LLVMValueRef first, LLVMValueRef count)
{
    LLVMBuilderRef b = emit->builder;
    LLVMValueRef shift = simd_int(emit->lower->types.i32, CDP_ACTIVE_COUNT_SHIFT);
    LLVMValueRef counted = LLVMBuildShl(b, count, shift, "");
    LLVMValueRef at = lower_field(emit->lower, b, emit->launch.self,
                                  offsetof(struct cdp_abi_thread, active_threads), "");
    LLVMValueRef store = LLVMBuildStore(b, LLVMBuildNUWAdd(b, first, counted, ""), at);
    LLVMSetVolatile(store, 1);
    simd_alias_mark_context(emit, store);
}

/* In padded rows, lanes that are no threads do not count. */
void simd_publish_chunk(struct simd_emit *emit)
{
    LLVMBuilderRef b = emit->builder;
    if (simd_variant_of(emit->kernel)->is_transposed) {
        simd_publish_none(emit); /* the chunk's threads do not follow each other */
        return;
    }
    LLVMValueRef count = simd_int(emit->lower->types.i32, (int64_t)emit->lanes * emit->vectors);
    LLVMValueRef first = simd_thread_of(emit, emit->chunk.first32[0]);
    if (simd_variant_of(emit->kernel)->layout == LAYOUT_PADDED) {
        LLVMValueRef next = LLVMBuildAdd(b, emit->chunk.first32[0], count, "");
        count = LLVMBuildSub(b, simd_thread_of(emit, next), first, "");
    }
    publish(emit, first, count);
}

void simd_publish_thread(struct simd_emit *emit, LLVMValueRef thread)
{
    publish(emit, thread, simd_int(emit->lower->types.i32, 1));
}

void simd_publish_none(struct simd_emit *emit)
{
    LLVMValueRef zero = simd_int(emit->lower->types.i32, 0);
    publish(emit, zero, zero);
}
