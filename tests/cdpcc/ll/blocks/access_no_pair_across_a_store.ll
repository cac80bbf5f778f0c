; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The store between the two loads may write the second field, so the loads are separate.

; CHECK-NOT: field pair
; CHECK: load of 4 bytes: gather: the index comes from memory (2 times)
; CHECK-NOT: field pair
define void @cdp.thread.pair(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %out, i32 %g)
  %number = load i32, ptr %at, align 4
  %wide = sext i32 %number to i64
  %from = getelementptr { float, float }, ptr %in, i64 %wide
  %x = load float, ptr %from, align 4
  store float %x, ptr %at, align 4
  %second = getelementptr inbounds nuw i8, ptr %from, i64 4
  %y = load float, ptr %second, align 4
  store float %y, ptr %at, align 4
  ret void
}
