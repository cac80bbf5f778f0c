; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; If only accesses in a loop may fault, the chunk's first thread is published before the loop.

; CHECK: region 0: 3 nodes, 1 loops, publishes first
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @set(ptr %in, i32 %k, float 1.0)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
