; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The stores of a group are delayed past loads of other fields, and past loads of the same element of another
; array if a test shows that the arrays do not overlap. They are not delayed past a load of another element,
; or of a field that is stored before.

; CHECK: kernel fields:
; CHECK: load of 4 bytes: interleave group (4 times)
; CHECK: store of 4 bytes: interleave group if the arrays do not overlap{{$}}
; CHECK: store of 4 bytes: part of its group{{$}}
define void @cdp.thread.fields(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = sext i32 %g to i64
  %from = getelementptr { float, float }, ptr %in, i64 %i
  %to = getelementptr { float, float }, ptr %out, i64 %i
  %a = load float, ptr %from, align 8
  %x = load float, ptr %to, align 8
  %x.new = fadd float %x, %a
  store float %x.new, ptr %to, align 8
  %b.at = getelementptr inbounds nuw i8, ptr %from, i64 4
  %b = load float, ptr %b.at, align 4
  %y.at = getelementptr inbounds nuw i8, ptr %to, i64 4
  %y = load float, ptr %y.at, align 4
  %y.new = fadd float %y, %b
  store float %y.new, ptr %y.at, align 4
  ret void
}
; CHECK: kernel neighbour:
; CHECK-NOT: interleave group
; CHECK: store of 4 bytes: scatter
define void @cdp.thread.neighbour(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = sext i32 %g to i64
  %next = add i64 %i, 1
  %from = getelementptr { float, float }, ptr %in, i64 %next
  %to = getelementptr { float, float }, ptr %out, i64 %i
  store float 1.0, ptr %to, align 8
  %a = load float, ptr %from, align 8
  %y.at = getelementptr inbounds nuw i8, ptr %to, i64 4
  store float %a, ptr %y.at, align 4
  ret void
}
; CHECK: kernel again:
; CHECK-NOT: interleave group
; CHECK: store of 4 bytes: scatter
define void @cdp.thread.again(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = sext i32 %g to i64
  %to = getelementptr { float, float }, ptr %out, i64 %i
  %y.at = getelementptr inbounds nuw i8, ptr %to, i64 4
  %n = call i32 @n(ptr %params)
  store float 1.0, ptr %to, align 8
  %wide = load i64, ptr %to, align 8
  %bits = trunc i64 %wide to i32
  %x = bitcast i32 %bits to float
  store float %x, ptr %y.at, align 4
  ret void
}
