; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Only some threads of the block wait at a named barrier, and the vectorizer does not know which.

; CHECK: refused: it calls barrier
declare void @cdp_abi_barrier(i32, i32)
define void @cdp.thread.named(ptr noalias readonly align 64 %params) {
  call void @cdp_abi_barrier(i32 1, i32 64)
  ret void
}
