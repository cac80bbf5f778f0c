; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A shift to the left by a constant is a product.

; CHECK: affine 16: %sixteen = shl
; CHECK: varying: %unknown = shl
define void @cdp.thread.shift(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %sixteen = shl i32 %t, 4
  call void @use(i32 %sixteen)
  %unknown = shl i32 %t, %n
  call void @use(i32 %unknown)
  ret void
}
