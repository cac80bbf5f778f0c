; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A long double has no vector form, and cannot be split into numbers that have one.

; CHECK: refused: it has values of a type that vectors do not hold
define void @cdp.thread.wide(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %at = getelementptr x86_fp80, ptr %in, i64 %wide
  %x = load x86_fp80, ptr %at, align 16
  %y = fmul x86_fp80 %x, %x
  store x86_fp80 %y, ptr %at, align 16
  ret void
}
