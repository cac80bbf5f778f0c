; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Two adjacent fields of structures at any addresses are one gather of twice the size.

; CHECK: load of 4 bytes: field pair, gather: the index comes from memory
; CHECK: load of 4 bytes: part of its group
define void @cdp.thread.pair(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %out, i32 %g)
  %number = load i32, ptr %at, align 4
  %wide = sext i32 %number to i64
  %from = getelementptr { float, float }, ptr %in, i64 %wide
  %x = load float, ptr %from, align 4
  %second = getelementptr inbounds nuw i8, ptr %from, i64 4
  %y = load float, ptr %second, align 4
  %sum = fadd float %x, %y
  store float %sum, ptr %at, align 4
  ret void
}
