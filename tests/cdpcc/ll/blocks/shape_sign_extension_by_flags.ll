; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A sum with the flag "no signed wrap" stays affine when it is sign-extended. The flag holds for
; active lanes only, so under masks there is still a test.

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
