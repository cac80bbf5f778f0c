; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The function may have a barrier.

; CHECK: refused: it calls through a pointer
define void @cdp.thread.pointer(ptr noalias readonly align 64 %params) {
  %f = call ptr @in(ptr %params)
  call void %f()
  ret void
}
