; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Lanes that have left the loop reach the second barrier while other lanes wait at the first one.

; CHECK: refused: threads may diverge here and wait at different barriers
define void @cdp.thread.loop(ptr noalias readonly align 64 %params) {
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
  call void @use(i32 2)
  call void @cdp_abi_syncthreads()
  ret void
}
