; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; blockIdx.x * blockDim.x + threadIdx.x needs no test, because the choice of the version at launch
; tests whether it passes 2^31. Another product needs a test.

; CHECK: affine 1: %wide = sext
; CHECK: affine 1: %i = add
; CHECK-NEXT: affine 1 by test: %tested = sext
define void @cdp.thread.global(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  call void @use.i64(i64 %wide)
  %b = call i32 @block.x()
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %other = mul i32 %b, %n
  %i = add i32 %other, %t
  %tested = sext i32 %i to i64
  call void @use.i64(i64 %tested)
  ret void
}
