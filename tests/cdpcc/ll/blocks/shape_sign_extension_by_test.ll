; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; No flag excludes that the sum wraps around between two lanes, so a runtime test is needed.

; CHECK: affine 1: %i = add i32
; CHECK-NEXT: affine 1 by test: %wide = sext
define void @cdp.thread.extend(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %i = add i32 %g, %n
  %wide = sext i32 %i to i64
  call void @use.i64(i64 %wide)
  ret void
}
