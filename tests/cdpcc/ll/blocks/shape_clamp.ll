; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A limited index, as at the border of an image, is affine if no lane is clamped. This holds only
; for comparisons whose signedness matches the flags of the sum.

; CHECK: affine 1 by test: %above = call i32 @llvm.smax
; CHECK: affine 1 by test: %below = call i32 @llvm.smin
; CHECK: varying: %unsigned = call i32 @llvm.umin
define void @cdp.thread.clamp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %i = add nsw i32 %g, -2
  %above = call i32 @llvm.smax.i32(i32 %i, i32 0)
  call void @use(i32 %above)
  %below = call i32 @llvm.smin.i32(i32 %i, i32 %n)
  call void @use(i32 %below)
  %unsigned = call i32 @llvm.umin.i32(i32 %i, i32 %n)
  call void @use(i32 %unsigned)
  ret void
}
