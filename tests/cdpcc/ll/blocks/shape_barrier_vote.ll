; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A barrier with a count has the same result for all threads.

; CHECK: varying: %bit = zext
; CHECK: uniform: %count = call i32 @cdp_abi_syncthreads_count
; CHECK-NEXT: uniform: %more = add
declare i32 @cdp_abi_syncthreads_count(i32) convergent
define void @cdp.thread.vote(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  %bit = zext i1 %c to i32
  %count = call i32 @cdp_abi_syncthreads_count(i32 %bit)
  %more = add i32 %count, 1
  call void @use(i32 %more)
  ret void
}
