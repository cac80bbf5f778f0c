; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The index of a ring buffer restarts at zero, but rarely within a vector.

; CHECK: load of 4 bytes: contiguous if the masked bits do not wrap around
define void @cdp.thread.ring(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = and i32 %g, 1023
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
