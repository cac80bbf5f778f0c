; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Each thread handles four neighbouring elements in a loop, which is unrolled. A loop of another length than
; the distance of the threads stays a loop.

; CHECK: kernel coarse:
; CHECK-NOT: loop:
; CHECK: store of 4 bytes: interleave group
; CHECK: kernel other:
; CHECK: loop: uniform
define void @cdp.thread.coarse(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %first = shl nsw i32 %g, 2
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %i = add nsw i32 %first, %k
  call void @set(ptr %out, i32 %i, float 1.0)
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.other(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %first = shl nsw i32 %g, 2
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %i = add nsw i32 %first, %k
  call void @set(ptr %out, i32 %i, float 1.0)
  %next = add nuw nsw i32 %k, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}
