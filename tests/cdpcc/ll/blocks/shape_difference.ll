; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A difference is affine, with the difference of the strides. A value that counts down has a
; negative stride.

; CHECK: affine -1: %back = sub
; CHECK: affine 3: %both = sub
define void @cdp.thread.difference(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %back = sub i32 %n, %t
  call void @use(i32 %back)
  %g = call i32 @global.x()
  %by.four = mul i32 %t, 4
  %both = sub i32 %by.four, %g
  call void @use(i32 %both)
  ret void
}
