; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; __activemask() names the lanes that took the branch, and these do not diverge again.

; CHECK-NOT: refused
; CHECK: kernel warp: plan for
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %work, label %end
work:
  %mask = call i32 @cdp_abi_activemask()
  %x = call i32 @cdp_abi_ballot(i32 %mask, i32 1)
  call void @use(i32 %x)
  br label %end
end:
  ret void
}
