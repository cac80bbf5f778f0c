; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; An index limited by max() is contiguous in all chunks except those at the limit.

; CHECK: load of 4 bytes: contiguous if no lane is clamped
define void @cdp.thread.clamp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %before = add nsw i32 %g, -1
  %i = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
