; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The same as for sign extensions, by the flag "no unsigned wrap".

; CHECK: affine 1: %i = add nuw
; CHECK-NEXT: affine 1 by flags: %wide = zext
define void @cdp.thread.extend(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %i = add nuw i32 %g, %n
  %wide = zext i32 %i to i64
  call void @use.i64(i64 %wide)
  ret void
}
