; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The local memory of a chunk would not fit on the stack.

; CHECK: refused: its threads have too much local memory
define void @cdp.thread.large(ptr noalias readonly align 64 %params) {
  %array = alloca [2000 x float], align 4
  call void @use.ptr(ptr %array)
  ret void
}
