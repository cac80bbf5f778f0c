; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The thread's context is there for thread entries alone: its address must not go anywhere.

; CHECK: refused: the address of its thread context escapes
define void @cdp.thread.self(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  store ptr %self, ptr %out, align 8
  ret void
}
