; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A remainder is affine if it does not restart at zero within the vector. This is tested, except if
; the divisor is less than the lanes: then it certainly restarts.

; CHECK: affine 1 by test: %rest = urem
; CHECK: varying: %short = urem
define void @cdp.thread.remainder(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %rest = urem i32 %g, %n
  call void @use(i32 %rest)
  %short = urem i32 %g, 10
  call void @use(i32 %short)
  ret void
}
