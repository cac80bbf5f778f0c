; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Lanes that take the first exit come from different iterations. So the value is varying, although
; the exit is not a join of several edges.

; CHECK: uniform: %k = phi
; CHECK: varying: %k.lcssa = phi
define void @cdp.thread.leave(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %t = call i32 @thread.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  call void @use(i32 %k)
  %found = icmp sgt i32 %k, %t
  br i1 %found, label %hit, label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %miss
hit:
  call void @use(i32 %k)
  ret void
miss:
  call void @use(i32 %m)
  ret void
}
