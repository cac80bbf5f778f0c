; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; All threads after the first one beyond a bound are beyond it, too, so later chunks have nothing to
; do.  The comparison may be in any form, and the index may be extended.

; CHECK: regions of guard
; CHECK: path: split, {{.*}}, early exit
define void @cdp.thread.guard(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %c = icmp sge i32 %i, %n
  br i1 %c, label %end, label %work
work:
  %x = call float @get(ptr %out, i32 %i)
  %y = fmul float %x, %x
  call void @set(ptr %out, i32 %i, float %y)
  br label %end
end:
  ret void
}

; CHECK: regions of stride
; CHECK: path: split, {{.*}}, early exit
define void @cdp.thread.stride(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %size = call i32 @size.x()
  %grid = call i32 @grid.x()
  %all = mul i32 %size, %grid
  %step = sext i32 %all to i64
  %bound = zext i32 %n to i64
  %first = sext i32 %i to i64
  %c = icmp ugt i64 %bound, %first
  br i1 %c, label %loop, label %end
loop:
  %k = phi i64 [ %first, %0 ], [ %next, %loop ]
  %at = getelementptr float, ptr %out, i64 %k
  store float 1.0, ptr %at, align 4
  %next = add nuw nsw i64 %k, %step
  %more = icmp ult i64 %next, %bound
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Threads beyond the bound load first, and may fault.
; CHECK: regions of loads
; CHECK: path: split
; CHECK-NOT: early exit
; CHECK: regions of stores
define void @cdp.thread.loads(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %i)
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %end
work:
  %is = icmp sgt i32 %n, 1000
  br i1 %is, label %many, label %few
many:
  call void @set(ptr %out, i32 %i, float %x)
  br label %end
few:
  %y = fmul float %x, %x
  call void @set(ptr %in, i32 %i, float %y)
  br label %end
end:
  ret void
}

; Threads beyond the bound store.
; CHECK: path: split
; CHECK-NOT: early exit
; CHECK: regions of above
define void @cdp.thread.stores(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %rest
work:
  %x = call float @get(ptr %out, i32 %i)
  %y = fmul float %x, %x
  call void @set(ptr %out, i32 %i, float %y)
  br label %end
rest:
  call void @set(ptr %out, i32 %i, float 0.0)
  br label %end
end:
  ret void
}

; The first threads have nothing to do.
; CHECK: path: split
; CHECK-NOT: early exit
define void @cdp.thread.above(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %c = icmp sgt i32 %i, %n
  br i1 %c, label %work, label %end
work:
  %x = call float @get(ptr %out, i32 %i)
  %y = fmul float %x, %x
  call void @set(ptr %out, i32 %i, float %y)
  br label %end
end:
  ret void
}
