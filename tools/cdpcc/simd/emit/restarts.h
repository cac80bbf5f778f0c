/* Tests of loads for which a chunk restarts, before the first of them. */
#ifndef CDPCC_SIMD_EMIT_RESTARTS_H
#define CDPCC_SIMD_EMIT_RESTARTS_H

#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_emit;

/* What has been emitted of an instruction of the current node, in this emission of it. */
enum simd_progress {
    PROGRESS_NONE,
    PROGRESS_NEEDED,  /* for the address of a test; only while tests are collected */
    PROGRESS_TESTED,  /* the load's test, but not the load */
    PROGRESS_ALONE,   /* nothing: the load's test is emitted with the load */
    PROGRESS_EMITTED, /* the instruction */
};

/* Nothing of the node's instructions is emitted yet. */
void simd_start_progress(struct simd_emit *emit, unsigned node);
bool simd_is_emitted(const struct simd_emit *emit, LLVMValueRef instruction);
void simd_note_emitted(struct simd_emit *emit, LLVMValueRef instruction);
/* The load's test was emitted with that of an earlier load: the chunk has restarted where it fails.
 */
bool simd_is_tested_ahead(const struct simd_emit *emit, LLVMValueRef access);
/* If the instruction is a load with a test of its own for which the chunk restarts: emits the test,
 * and those of later loads of the node. */
void simd_test_ahead(struct simd_emit *emit, unsigned node, LLVMValueRef instruction);

#endif
