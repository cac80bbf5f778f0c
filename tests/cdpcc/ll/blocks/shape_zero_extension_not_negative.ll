; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A value that is not negative in any active lane, and grows, may be zero-extended without a test,
; also if lane 0 is inactive.

; CHECK: affine 1: %i = add i32
; CHECK-NEXT: affine 1: %wide = zext nneg
define void @cdp.thread.extend(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %i = add i32 %g, %n
  %wide = zext nneg i32 %i to i64
  call void @use.i64(i64 %wide)
  ret void
}
