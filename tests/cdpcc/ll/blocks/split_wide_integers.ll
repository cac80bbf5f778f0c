; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A number of 128 bits is two of 64, and its accesses are an interleave group. The product of two
; numbers of 64 bits is computed in vectors; a division is not.

; CHECK-NOT: refused
; CHECK-LABEL: product
; CHECK: load of 8 bytes: interleave group
; CHECK-NOT: call of
; CHECK-LABEL: quotient
; CHECK: call of cdp.wide: one lane after the other
define void @cdp.thread.product(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %at = getelementptr i128, ptr %in, i64 %wide
  %x = load i128, ptr %at, align 16
  %y = mul i128 %x, %x
  %z = ashr i128 %y, 3
  store i128 %z, ptr %at, align 16
  ret void
}
define void @cdp.thread.quotient(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %at = getelementptr i128, ptr %in, i64 %wide
  %x = load i128, ptr %at, align 16
  %y = udiv i128 %x, 12345678901234567890123
  store i128 %y, ptr %at, align 16
  ret void
}
