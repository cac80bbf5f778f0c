; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A barrier that counts is in front of a region, which computes the result before its chunks; but not
; if nobody uses it.

; CHECK: regions of vote
; CHECK: region 1: {{.*}}, ends a vote
; CHECK: regions of unused
; CHECK-NOT: ends a vote
declare i32 @cdp_abi_syncthreads_count(i32) convergent
define void @cdp.thread.vote(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  %bit = zext i1 %c to i32
  %count = call i32 @cdp_abi_syncthreads_count(i32 %bit)
  call void @use(i32 %count)
  ret void
}
define void @cdp.thread.unused(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  %bit = zext i1 %c to i32
  %count = call i32 @cdp_abi_syncthreads_count(i32 %bit)
  call void @use(i32 %n)
  ret void
}
