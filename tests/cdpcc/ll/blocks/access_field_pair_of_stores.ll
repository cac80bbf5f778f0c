; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The first store is delayed until the second one, whichever field comes first.

; CHECK: store of 4 bytes: part of its group
; CHECK: store of 4 bytes: field pair, scatter: the index comes from memory
define void @cdp.thread.pair(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %g)
  %number = load i32, ptr %at, align 4
  %wide = sext i32 %number to i64
  %to = getelementptr { float, float }, ptr %out, i64 %wide
  %second = getelementptr inbounds nuw i8, ptr %to, i64 4
  store float 1.0, ptr %second, align 4
  store float 2.0, ptr %to, align 4
  ret void
}
