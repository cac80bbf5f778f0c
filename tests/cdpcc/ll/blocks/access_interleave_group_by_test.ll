; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The sum has no flag, so the index may wrap around between two threads. One test chooses between the
; group and gathers or scatters of its fields.

; CHECK: load of 4 bytes: interleave group if the index does not wrap around (2 times)
; CHECK: store of 4 bytes: interleave group if the index does not wrap around{{$}}
; CHECK: store of 4 bytes: part of its group{{$}}
define void @cdp.thread.group(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %sum = add i32 %g, %n
  %wide = zext i32 %sum to i64
  %from = getelementptr { float, float }, ptr %in, i64 %wide
  %x = load float, ptr %from, align 8
  %y.at = getelementptr inbounds nuw i8, ptr %from, i64 4
  %y = load float, ptr %y.at, align 4
  %to = getelementptr { float, float }, ptr %out, i64 %wide
  store float %y, ptr %to, align 8
  %second = getelementptr inbounds nuw i8, ptr %to, i64 4
  store float %x, ptr %second, align 4
  ret void
}
