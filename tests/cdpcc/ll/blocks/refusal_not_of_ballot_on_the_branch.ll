; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A ballot on the branch's condition names the lanes that take the branch.

; CHECK-NOT: refused
; CHECK: kernel warp: plan for
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  %bit = zext i1 %c to i32
  %mask = call i32 @cdp_abi_ballot(i32 -1, i32 %bit)
  br i1 %c, label %work, label %end
work:
  %x = call i32 @cdp_abi_shfl32(i32 %mask, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %x)
  br label %end
end:
  ret void
}
