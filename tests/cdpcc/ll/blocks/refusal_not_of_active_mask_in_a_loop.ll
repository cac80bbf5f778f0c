; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Lanes that skip the operation in one iteration may reach it in the next one. Each iteration has the
; lanes that are there in it, as on a GPU.

; CHECK-NOT: refused
; CHECK: kernel warp: plan for
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %c = icmp slt i32 %k, %t
  br i1 %c, label %work, label %latch
work:
  %mask = call i32 @cdp_abi_activemask()
  call void @use(i32 %mask)
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
