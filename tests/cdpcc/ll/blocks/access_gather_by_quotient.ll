; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; If the divisor is less than the lanes, the quotient certainly changes within a vector.

; CHECK: gather: the index is a quotient or a remainder that changes within a vector
define void @cdp.thread.quotient(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = udiv i32 %g, 3
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
