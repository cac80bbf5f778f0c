; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The reasons are those of gathers. Lanes store one after the other, in ascending order.

; CHECK: store of 4 bytes: scatter: the index comes from memory
define void @cdp.thread.scatter(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %g)
  %number = load i32, ptr %at, align 4
  call void @set(ptr %out, i32 %number, float 1.0)
  ret void
}
