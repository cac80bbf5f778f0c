; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Only some iterations of the loop reach the barrier. Lanes that leave the loop in an iteration
; without the barrier would have to wait for the others.

; CHECK: refused: threads may diverge here and wait at different barriers
define void @cdp.thread.loop(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  call void @use(i32 %k)
  %c = icmp slt i32 %k, %n
  br i1 %c, label %meet, label %latch
meet:
  call void @cdp_abi_syncthreads()
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %t
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
