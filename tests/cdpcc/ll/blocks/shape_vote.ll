; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A vote has one result for a warp. A branch on it is not divergent within the warp, so its phis are
; uniform in each warp, too.

; CHECK: warp: %votes = call i32 @cdp_abi_ballot
; CHECK-NEXT: warp: %all = icmp
; CHECK: warp: %x = phi
define void @cdp.thread.vote(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  %bit = zext i1 %c to i32
  %votes = call i32 @cdp_abi_ballot(i32 -1, i32 %bit)
  %all = icmp eq i32 %votes, -1
  br i1 %all, label %left, label %right
left:
  call void @use(i32 1)
  br label %join
right:
  call void @use(i32 2)
  br label %join
join:
  %x = phi i32 [ %n, %left ], [ %m, %right ]
  call void @use(i32 %x)
  ret void
}
