; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; The phi of a loop around a barrier is live at the start of the region and is defined again in it.

; CHECK: region 1: 5 nodes
; CHECK: promoted: %k = phi
; CHECK-NEXT: promoted: %old = phi
; CHECK-NOT: promoted
define void @cdp.thread.promoted(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %g)
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %join ]
  %old = phi float [ %x, %0 ], [ %new, %join ]
  call void @cdp_abi_syncthreads()
  %c = icmp slt i32 %k, 3
  br i1 %c, label %change, label %join
change:
  call void @set(ptr %out, i32 %g, float %old)
  %changed = fmul float %old, 2.0
  br label %join
join:
  %new = phi float [ %old, %loop ], [ %changed, %change ]
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  call void @set(ptr %out, i32 %g, float %new)
  ret void
}
