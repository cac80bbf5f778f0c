; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A sum that never wraps around as a signed number stays affine when it is extended. The flag
; promises so for active lanes only: under masks there is a test yet.

; CHECK: affine 1: %i = add nsw
; CHECK-NEXT: affine 1 by flags: %wide = sext
define void @cdp.thread.extend(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %i = add nsw i32 %g, %n
  %wide = sext i32 %i to i64
  call void @use.i64(i64 %wide)
  ret void
}
