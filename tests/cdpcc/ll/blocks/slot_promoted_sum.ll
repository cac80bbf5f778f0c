; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A loop has a barrier. The region between two barriers uses the old value of the sum and computes a
; new one. Such a value is a promoted live-in: both values have one variable.

; CHECK: regions of loop: 2 values across barriers, 4 bytes for each thread
; CHECK: region 1
; CHECK: live: %sum = fadd
; CHECK: promoted: %k = phi
; CHECK-NEXT: promoted: %sum = fadd
define void @cdp.thread.loop(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %x = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %at = call ptr @element(ptr %in, i32 %g)
  %y = load float, ptr %at, align 4
  %sum = fadd float %x, %y
  call void @cdp_abi_syncthreads()
  store float %sum, ptr %at, align 4
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
