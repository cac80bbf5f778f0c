; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Each thread handles four neighbouring elements, of which each has a guard. A version of the loop without
; guards is unrolled. A sum that may wrap around, or a guard by data, has no such version.

; CHECK: kernel guarded:
; CHECK: store of 4 bytes: interleave group
; CHECK: kernel limited:
; CHECK: store of 4 bytes: interleave group
; CHECK: kernel wraps:
; CHECK-NOT: interleave group
; CHECK: store of 4 bytes: scatter
; CHECK: kernel data:
; CHECK-NOT: interleave group
; CHECK: store of 4 bytes: scatter
define void @cdp.thread.guarded(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %first = shl nsw i32 %g, 2
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %i = add nsw i32 %first, %k
  %is = icmp slt i32 %i, %n
  br i1 %is, label %body, label %latch
body:
  call void @set(ptr %out, i32 %i, float 1.0)
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.limited(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %first = shl nsw i32 %g, 2
  %last = add nsw i32 %first, 4
  %limit = call i32 @llvm.smin.i32(i32 %last, i32 %n)
  %any = icmp slt i32 %first, %n
  br i1 %any, label %start, label %end
start:
  br label %loop
loop:
  %i = phi i32 [ %first, %start ], [ %next, %loop ]
  call void @set(ptr %out, i32 %i, float 1.0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %limit
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.wraps(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %first = mul i32 %g, 3
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %i = add i32 %first, %k
  %is = icmp ult i32 %i, %n
  br i1 %is, label %body, label %latch
body:
  call void @set(ptr %out, i32 %i, float 1.0)
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.data(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %first = shl nsw i32 %g, 2
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %i = add nsw i32 %first, %k
  %x = call float @get(ptr %in, i32 %i)
  %is = fcmp olt float %x, 1.0
  br i1 %is, label %body, label %latch
body:
  call void @set(ptr %out, i32 %i, float 1.0)
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
