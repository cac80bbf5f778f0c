; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The access is to a field in the middle of a structure that is not aligned. The last lane's
; structure may extend to a page that is not mapped, so whole structures are not loaded.

; CHECK: load of 4 bytes: strided
; CHECK-NOT: interleave group
define void @cdp.thread.field(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %from = getelementptr { float, float, float, float }, ptr %in, i64 %wide
  %y.at = getelementptr inbounds nuw i8, ptr %from, i64 4
  %y = load float, ptr %y.at, align 4
  call void @set(ptr %out, i32 %g, float %y)
  ret void
}
