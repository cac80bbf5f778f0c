/* Publishes which threads are active, for reports of faults. */
#ifndef CDPCC_SIMD_EMIT_PUBLISH_H
#define CDPCC_SIMD_EMIT_PUBLISH_H
#include <llvm-c/Types.h>

struct simd_emit;
/* Publishes that the threads of the chunk are active, that one thread is, or that no known thread
 * is.
 * Each is one store to the thread's context. */
void simd_publish_chunk(struct simd_emit *emit);
void simd_publish_thread(struct simd_emit *emit, LLVMValueRef thread);
void simd_publish_none(struct simd_emit *emit);

#endif
