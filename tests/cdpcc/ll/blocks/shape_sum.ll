; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A sum is affine, with the sum of the strides. It needs no vector.

; CHECK: affine 1: %moved = add
; CHECK: affine 4: %by.four = shl
; CHECK-NEXT: affine 5: %both = add
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %moved = add i32 %t, %n
  call void @use(i32 %moved)
  %g = call i32 @global.x()
  %by.four = mul i32 %t, 4
  %both = add i32 %by.four, %g
  call void @use(i32 %both)
  ret void
}
