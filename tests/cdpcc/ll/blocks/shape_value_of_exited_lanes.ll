; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Lanes leave a loop around a barrier at different times. After the barrier, the counter has the new
; value in lanes that continue and the old value in lanes that have left. So it is varying, although
; it is uniform within the loop.

; CHECK: varying: %k = phi
; CHECK: varying: %next = add
define void @cdp.thread.torn(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @use(i32 %k)
  call void @cdp_abi_syncthreads()
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %t
  br i1 %goes.on, label %loop, label %end
end:
  call void @use(i32 %k)
  ret void
}
