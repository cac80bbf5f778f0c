; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; An unsigned index 4 * i + 1 is a disjoint or, whose extension is the sum of the parts' extensions. So all
; elements have one base. So do those of a signed index 3 * i + 1, also if it is the index of two arrays.

; CHECK: kernel bits:
; CHECK: load of 4 bytes: interleave group if the index does not wrap around (4 times)
define void @cdp.thread.bits(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  %from = add i32 %g, %n
  %i = shl i32 %from, 2
  %at = zext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %at
  %x = load float, ptr %p, align 4
  %i1 = or disjoint i32 %i, 1
  %at1 = zext i32 %i1 to i64
  %p1 = getelementptr float, ptr %in, i64 %at1
  %x1 = load float, ptr %p1, align 4
  %i2 = or disjoint i32 %i, 2
  %at2 = zext i32 %i2 to i64
  %p2 = getelementptr float, ptr %in, i64 %at2
  %x2 = load float, ptr %p2, align 4
  %i3 = or disjoint i32 %i, 3
  %at3 = zext i32 %i3 to i64
  %p3 = getelementptr float, ptr %in, i64 %at3
  %x3 = load float, ptr %p3, align 4
  %a = fadd float %x, %x1
  %b = fadd float %x2, %x3
  %sum = fmul float %a, %b
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
; CHECK: kernel sums:
; CHECK: load of 4 bytes: interleave group (3 times)
; CHECK: store of 4 bytes: interleave group{{$}}
; CHECK: store of 4 bytes: part of its group (2 times)
define void @cdp.thread.sums(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = mul nsw i32 %g, 3
  %x = call float @get(ptr %in, i32 %i)
  %i1 = add nsw i32 %i, 1
  %x1 = call float @get(ptr %in, i32 %i1)
  %i2 = add nsw i32 %i, 2
  %x2 = call float @get(ptr %in, i32 %i2)
  call void @set(ptr %out, i32 %i, float %x1)
  call void @set(ptr %out, i32 %i1, float %x2)
  call void @set(ptr %out, i32 %i2, float %x)
  ret void
}
