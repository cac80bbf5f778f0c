; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; After a freeze an overflow is no longer undefined. So the flags of the sum no longer prove that it
; does not wrap.

; CHECK: affine 1: %i = add nsw
; CHECK-NEXT: affine 1: %frozen = freeze
; CHECK: affine 1 by test: %wide = sext i32 %frozen
define void @cdp.thread.freeze(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %i = add nsw i32 %g, %n
  call void @use(i32 %i)
  %frozen = freeze i32 %i
  call void @use(i32 %frozen)
  %wide = sext i32 %frozen to i64
  call void @use.i64(i64 %wide)
  ret void
}
