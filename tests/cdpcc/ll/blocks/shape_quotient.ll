; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A quotient is uniform (stride 0) if a test holds, and so are values computed from it, such as the
; row of a matrix. If the divisor is less than the lanes, it is never uniform.

; CHECK: affine 0 by test: %row = udiv
; CHECK: affine 0 by test: %next = mul
; CHECK: affine 0 by test: %bits = or
; CHECK: varying: %short = udiv
define void @cdp.thread.quotient(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %row = udiv i32 %g, %n
  call void @use(i32 %row)
  %start = mul i32 %row, %n
  %next = add i32 %start, %n
  call void @use(i32 %next)
  %bits = or i32 %next, %n
  call void @use(i32 %bits)
  %short = udiv i32 %g, 10
  call void @use(i32 %short)
  ret void
}
