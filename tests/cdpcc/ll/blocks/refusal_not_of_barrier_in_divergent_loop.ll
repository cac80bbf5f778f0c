; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Lanes that leave the loop end there, so the barrier in the loop does not wait for them. This is
; allowed.

; CHECK-NOT: refused
; CHECK: region 2: one chunk loop, masks tested for each chunk
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
  ret void
}
