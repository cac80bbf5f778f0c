; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The mask is a vote of the lanes that took the branch, and these do not diverge again.  What they
; voted on does not matter.

; CHECK-NOT: refused
; CHECK: kernel warp: plan for
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %work, label %end
work:
  %active = call i32 @cdp_abi_activemask()
  %v = call float @get(ptr %in, i32 %t)
  %positive = fcmp ogt float %v, 0.0
  %bit = zext i1 %positive to i32
  %mask = call i32 @cdp_abi_ballot(i32 %active, i32 %bit)
  %x = call i32 @cdp_abi_shfl32(i32 %mask, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %x)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
