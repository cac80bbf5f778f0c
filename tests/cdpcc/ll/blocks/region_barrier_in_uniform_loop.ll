; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; All threads have the same number of iterations, so the loop's counter has one slot for the block.

; CHECK: regions of loop: 1 values across barriers, 0 bytes for each thread{{$}}
; CHECK: region 1
; CHECK: promoted: %k = phi
define void @cdp.thread.loop(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @set(ptr %out, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
