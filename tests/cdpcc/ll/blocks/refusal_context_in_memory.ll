; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Only thread entries have a context for each thread, so its address must not escape.

; CHECK: refused: the address of its thread context escapes
define void @cdp.thread.self(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  store ptr %self, ptr %out, align 8
  ret void
}
