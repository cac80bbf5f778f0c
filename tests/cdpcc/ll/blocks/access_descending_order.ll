; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Neighbouring threads access elements in descending order, by a difference or by inverted bits: one
; vector access, and a shuffle. Structures in descending order form interleave groups.

; CHECK: kernel difference:
; CHECK: load of 4 bytes: contiguous in descending order{{$}}
; CHECK: store of 4 bytes: contiguous in descending order{{$}}
define void @cdp.thread.difference(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %i = sub nsw i32 %n, %g
  %x = call float @get(ptr %in, i32 %i)
  %y = fmul float %x, 2.0
  call void @set(ptr %in, i32 %i, float %y)
  ret void
}
; CHECK: kernel inversion:
; CHECK: load of 4 bytes: contiguous in descending order if the index does not wrap around
define void @cdp.thread.inversion(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %not = xor i32 %g, -1
  %i = add i32 %n, %not
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
; CHECK: kernel group:
; CHECK: load of 4 bytes: interleave group (2 times)
; CHECK: store of 4 bytes: interleave group{{$}}
; CHECK: store of 4 bytes: part of its group
define void @cdp.thread.group(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = sub nsw i32 %n, %g
  %wide = sext i32 %i to i64
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
